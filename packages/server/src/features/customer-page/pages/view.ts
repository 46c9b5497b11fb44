import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import type { Money } from '../../../processors/port/message.ts';

/** Milliseconds since 1970 in UTC, as `Date` accepts. */
export type Instant = number;

export interface MerchantView {
  readonly name: string;
  /** `#rrggbb`. */
  readonly color?: string | undefined;
  readonly has_logo?: boolean;
  readonly email?: string | undefined;
  readonly help_url?: string | undefined;
  readonly terms_url?: string | undefined;
  readonly privacy_url?: string | undefined;
}

export interface CardView {
  /** Display name of the card brand, such as `Visa`. */
  readonly brand: string;
  readonly last_four: string;
  readonly expiry_month: number;
  readonly expiry_year: number;
  readonly expired: boolean;
}

export interface StatusView {
  readonly kind: 'active' | 'trial' | 'pending' | 'failed' | 'paused' | 'ending' | 'cancelled';
  /** Time of the status's next or last change. */
  readonly at?: Instant | undefined;
}

export type ChargeState =
  | 'paid'
  | 'failed'
  | 'processing'
  | 'refunded'
  | 'partly_refunded'
  | 'disputed'
  | 'reversed';

export interface ChargeView {
  readonly id: string;
  readonly at: Instant;
  readonly price: Money;
  readonly state: ChargeState;
  readonly has_receipt: boolean;
}

export type ActionName =
  | 'cancel_later'
  | 'cancel_now'
  | 'keep'
  | 'pause'
  | 'resume'
  | 'change_card';

/** Content of the page of a subscription. */
export interface SubscriptionView {
  readonly merchant: MerchantView;
  readonly sandbox: boolean;
  /** The merchant's description of the subscription. */
  readonly name: string | undefined;
  readonly price: Money;
  readonly period: BillingPeriod;
  /** All statuses, the most important first. */
  readonly statuses: readonly StatusView[];
  readonly next: { readonly at: Instant; readonly price: Money } | undefined;
  readonly paid_until: Instant | undefined;
  /** End of the paid period, if the subscription can be cancelled at that time. */
  readonly ends_with_period_at: Instant | undefined;
  readonly card: CardView | undefined;
  readonly actions: ReadonlySet<ActionName>;
  readonly charges: readonly ChargeView[];
  /** Whether older charges exist that the page does not list. */
  readonly has_more: boolean;
}

/** Target of the page's forms, and hidden fields that prove their origin. */
export interface PageForms {
  /** Path of the page without a trailing slash. */
  readonly path: string;
  /** Query string with the requested language, such as `?locale=de`; empty without one. */
  readonly query: string;
  /**
   * Hidden fields of each form: signature, idempotency key of this rendering, version of the
   * subscription.
   */
  readonly hidden: Readonly<Record<'csrf' | 'once' | 'version', string>>;
}
