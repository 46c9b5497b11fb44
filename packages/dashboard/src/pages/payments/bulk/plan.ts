import type { Attributes, RecordOf } from '../../../api/types.ts';

/** Reason why a payment cannot be refunded now. */
export type RefundRefusal =
  | 'not_charged'
  | 'not_captured'
  | 'processing'
  | 'refunded'
  | 'reserved'
  | 'disputed';

/** A payment, and what of it would be refunded. */
export interface PlannedRefund {
  readonly payment: RecordOf<'payment_demands'>;
  readonly cents: number;
}

interface RefusedRefund {
  readonly payment: RecordOf<'payment_demands'>;
  readonly refusal: RefundRefusal;
}

/** Result of a dry run. */
export interface RefundPlan {
  readonly refunds: readonly PlannedRefund[];
  readonly refused: readonly RefusedRefund[];
  readonly sums: readonly { readonly currency: string; readonly cents: string }[];
}

/** Plans the refund of all that is left of each payment. */
export function planRefunds(payments: readonly RecordOf<'payment_demands'>[]): RefundPlan {
  const refunds: PlannedRefund[] = [];
  const refused: RefusedRefund[] = [];
  for (const payment of payments) {
    const refusal = refusalOf(payment.attributes);
    if (refusal) refused.push({ payment, refusal });
    else refunds.push({ payment, cents: payment.attributes.amount_refundable_cents ?? 0 });
  }
  return { refunds, refused, sums: sumsOf(refunds) };
}

type Facts = Pick<
  Attributes<'payment_demands'>,
  'status' | 'amount_refundable_cents' | 'amount_refunded_cents' | 'amount_captured_cents'
>;

const refusals: Partial<Record<Facts['status'], RefundRefusal>> = {
  pending: 'processing',
  processing: 'processing',
  authorised: 'not_captured',
  disputed: 'disputed',
  reversed: 'disputed',
};

function refusalOf(facts: Facts): RefundRefusal | undefined {
  if (facts.status !== 'succeeded') return refusals[facts.status] ?? 'not_charged';
  if ((facts.amount_refundable_cents ?? 0) > 0) return undefined;
  const isRefunded = (facts.amount_refunded_cents ?? 0) >= (facts.amount_captured_cents ?? 0);
  return isRefunded ? 'refunded' : 'reserved';
}

/** Sums per currency, as text because sums may exceed exact numbers. */
export function sumsOf(refunds: readonly PlannedRefund[]): RefundPlan['sums'] {
  const sums = new Map<string, bigint>();
  for (const { payment, cents } of refunds) {
    const { amount_currency } = payment.attributes;
    sums.set(amount_currency, (sums.get(amount_currency) ?? 0n) + BigInt(cents));
  }
  return [...sums].map(([currency, cents]) => ({ currency, cents: String(cents) }));
}
