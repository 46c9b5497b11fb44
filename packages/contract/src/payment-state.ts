import type { PaymentDemandState } from './machines/payment-demand.ts';

/** States of a payment in the words of merchants' staff. Refunds and holds have states of their own. */
export type PaymentStateName =
  | 'incomplete'
  | 'ready'
  | 'processing'
  | 'to_capture'
  | 'succeeded'
  | 'partly_captured'
  | 'partly_refunded'
  | 'refunded'
  | 'disputed'
  | 'dispute_lost'
  | 'failed'
  | 'canceled'
  | 'hold_expired'
  | 'paid_by_credit';

/** Attributes of a payment that decide its state for people. Amounts are minor units. */
export interface PaymentStateFacts {
  readonly status: PaymentDemandState;
  readonly cancellation_reason?: string | null;
  readonly amount_cents?: number | null;
  readonly amount_captured_cents?: number | null;
  readonly amount_capturable_cents?: number | null;
  readonly amount_refunded_cents?: number | null;
}

export interface NamedPaymentState {
  readonly name: PaymentStateName;
  /** Minor units that the state is about: what is refunded, captured or can be captured. */
  readonly cents?: number;
}

/** Returns the state of a payment as people name it. */
export function paymentStateOf(facts: PaymentStateFacts): NamedPaymentState {
  switch (facts.status) {
    case 'pending':
    case 'processing':
      return { name: 'processing' };
    case 'authorised':
      return { name: 'to_capture', cents: facts.amount_capturable_cents ?? 0 };
    case 'succeeded':
      return afterRefunds(facts);
    case 'reversed':
      return { name: 'dispute_lost' };
    case 'canceled':
      return { name: cancellationOf(facts.cancellation_reason) };
    default:
      return { name: facts.status };
  }
}

function afterRefunds(facts: PaymentStateFacts): NamedPaymentState {
  const refundedCents = facts.amount_refunded_cents ?? 0;
  const capturedCents = facts.amount_captured_cents ?? 0;
  if (refundedCents === 0) return afterCapture(facts, capturedCents);
  const isPart = refundedCents < capturedCents;
  return isPart ? { name: 'partly_refunded', cents: refundedCents } : { name: 'refunded' };
}

const afterCapture = (facts: PaymentStateFacts, cents: number): NamedPaymentState =>
  cents < (facts.amount_cents ?? 0) ? { name: 'partly_captured', cents } : { name: 'succeeded' };

const cancellationOf = (reason: string | null | undefined): PaymentStateName =>
  reason === 'hold_expired' || reason === 'paid_by_credit' ? reason : 'canceled';
