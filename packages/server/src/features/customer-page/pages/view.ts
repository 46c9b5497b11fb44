import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';
import type { Money } from '../../../processors/message.ts';

/** Milliseconds since 1970, UTC, as `Date` takes them. */
export type Instant = number;

export interface MerchantView {
  readonly name: string;
  readonly email?: string | undefined;
  readonly help_url?: string | undefined;
  readonly terms_url?: string | undefined;
  readonly privacy_url?: string | undefined;
}

export interface CardView {
  /** Display name: `Visa`. */
  readonly brand: string;
  readonly last_four: string;
  readonly expiry_month: number;
  readonly expiry_year: number;
  readonly expired: boolean;
}

export interface StatusView {
  readonly kind: 'active' | 'trial' | 'pending' | 'failed' | 'paused' | 'ending' | 'cancelled';
  /** When the status changes, or has changed. */
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

/** Content of the subscription's page. */
export interface SubscriptionView {
  readonly merchant: MerchantView;
  readonly sandbox: boolean;
  /** The merchant's description. */
  readonly name: string | undefined;
  readonly price: Money;
  readonly period: BillingPeriod;
  /** The most important first. */
  readonly statuses: readonly StatusView[];
  readonly next: { readonly at: Instant; readonly price: Money } | undefined;
  readonly paid_until: Instant | undefined;
  /** End of the period with which it can be cancelled. */
  readonly ends_with_period_at: Instant | undefined;
  readonly card: CardView | undefined;
  readonly actions: ReadonlySet<ActionName>;
  readonly charges: readonly ChargeView[];
  /** Whether there are older charges, which are not listed. */
  readonly has_more: boolean;
}

/** Target of the page's forms, and the proof of their origin. */
export interface PageForms {
  /** Path of the page, without a slash at its end. */
  readonly path: string;
  /** Empty, or a question mark and the requested language. */
  readonly query: string;
  /** Sent with each form: the shown subscription, once per rendering. */
  readonly hidden: Readonly<Record<'csrf' | 'once' | 'version', string>>;
}
