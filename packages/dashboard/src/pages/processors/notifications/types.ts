import type { Mode } from '../../../api/types.ts';

/** A fact of a notification, and what it did. */
export interface FactOutcome {
  readonly kind: string;
  readonly key: string;
  readonly effect: string;
}

/** A payment of a notification, with the amount of the fact: in minor units. */
export interface NotifiedPayment {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly payment_demand_id: string;
  readonly amount_cents: number;
  readonly amount_currency: string;
}

/** A processor's message as it arrived. Instants are ISO 8601; null if absent. */
export interface Notification {
  readonly id: string;
  readonly processor_account_id: string;
  readonly mode: Mode;
  readonly status: string;
  readonly outcomes: readonly FactOutcome[];
  /** Payments that its facts are about, each once. */
  readonly payments: readonly NotifiedPayment[];
  readonly tries: number;
  readonly due_at: string | null;
  /** Time of the first arrival. */
  readonly received_at: string;
  readonly replayed_at: string | null;
  readonly updated_at: string;
}

export interface NotificationDetail extends Notification {
  readonly body: string;
  /** Operator who replayed it last. */
  readonly replayed_by_email: string | null;
}
