import type { BillingPeriod } from '@florin/contract/resources/payment-subscriptions.ts';

/** Minor units, and the currency they are of. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

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
  /** As people call it: `Visa`. */
  readonly brand: string;
  readonly last_four: string;
  readonly expiry_month: number;
  readonly expiry_year: number;
  readonly expired: boolean;
}

export interface StandingView {
  readonly kind: 'active' | 'trial' | 'pending' | 'failed' | 'paused' | 'ending' | 'cancelled';
  /** When that changes, or has changed. */
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

/** All that the page says of a subscription. */
export interface SubscriptionView {
  readonly merchant: MerchantView;
  readonly sandbox: boolean;
  /** What it is, in the merchant's words. */
  readonly name: string | undefined;
  readonly price: Money;
  readonly period: BillingPeriod;
  /** The first counts most. */
  readonly standings: readonly StandingView[];
  readonly next: { readonly at: Instant; readonly price: Money } | undefined;
  readonly paid_until: Instant | undefined;
  /** When the period ends that it can be cancelled with. */
  readonly ends_with_period_at: Instant | undefined;
  readonly card: CardView | undefined;
  readonly actions: ReadonlySet<ActionName>;
  readonly charges: readonly ChargeView[];
  /** Whether there are older charges, which are not listed. */
  readonly has_more: boolean;
}

/** Where the page's forms go, and what proves that they come from it. */
export interface PageForms {
  /** Path of the page, without a slash at its end. */
  readonly path: string;
  /** Begins with a question mark, or is empty: the language that was asked for. */
  readonly query: string;
  /** Sent with each form: which subscription was shown, once for each showing. */
  readonly hidden: Readonly<Record<'csrf' | 'once' | 'version', string>>;
}
