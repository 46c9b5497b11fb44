import { problem } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { currencyOf, dueFollowUp } from '../follow-ups/columns.ts';
import type { NewFollowUp } from '../follow-ups/create.ts';
import { removalOf } from '../processor-accounts/removed-account.ts';

const payment = { pointer: '/data/relationships/payment_demand' };

/**
 * Decides the refund of a locked payment: due now, by default for the full refundable amount.
 * Reserves the amount in the payment. Throws if the payment cannot be refunded.
 */
export function decideRefund(
  record: Row,
  demand: Row,
  authorisation: Row | undefined,
  now: Micros,
): NewFollowUp {
  const amount = amountOf(record, demand, authorisation);
  const row = {
    ...record,
    amount_cents: String(amount),
    amount_currency: currencyOf(record, demand),
    ...dueFollowUp(now),
  };
  const remainingCents = Number(demand.amount_refundable_cents) - amount;
  return { row, payment: { set: { amount_refundable_cents: String(remainingCents) }, events: [] } };
}

/** Refunded amount in minor units. */
function amountOf(record: Row, demand: Row, authorisation: Row | undefined): number {
  if (demand.status !== 'succeeded') {
    throw problem(
      'payment_not_succeeded',
      `The payment is ${demand.status}. Only a succeeded payment can be refunded.`,
      payment,
    );
  }
  if (!authorisation) {
    throw problem(
      'no_refundable_authorization',
      'The payment has no captured authorisation to refund.',
      payment,
    );
  }
  const { account_name: name, account_status: status } = authorisation;
  const removal = removalOf({ name, status }, 'took the payment');
  if (removal !== undefined) {
    throw problem(
      'no_refundable_authorization',
      `${removal} Refund it in the processor's dashboard, or ask the operator.`,
      payment,
    );
  }
  const refundableCents = Number(demand.amount_refundable_cents);
  if (refundableCents <= 0) {
    const detail =
      'The whole payment is refunded, reserved by refunds in flight, or lost in disputes.';
    throw problem('already_refunded', detail, payment);
  }
  const amount = Number(record.amount_cents ?? refundableCents);
  if (amount <= refundableCents) return amount;
  throw problem(
    'over_unrefunded',
    "amount_cents is more than the payment's refundable amount. Send at most amount_refundable_cents.",
    { pointer: '/data/attributes/amount_cents' },
    { meta: { unrefunded_cents: refundableCents } },
  );
}
