import { problem } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { currencyOf, dueFollowUp } from '../follow-ups/columns.ts';
import type { NewFollowUp } from '../follow-ups/create.ts';

/**
 * The capture of a locked payment: due now, by default for the whole hold. Sets the payment to
 * `processing`. Throws the error of the interface if the payment cannot be captured.
 */
export function decideCapture(
  record: Row,
  payment: Row,
  _authorisation_id: string | undefined,
  now: Micros,
): NewFollowUp {
  const row = {
    ...record,
    amount_cents: String(amountOf(record, payment)),
    amount_currency: currencyOf(record, payment),
    ...dueFollowUp(now),
  };
  return { row, payment: { trigger: 'capture', set: { due_at: null }, events: ['updated'] } };
}

/** Amount to capture, in minor units. */
function amountOf(record: Row, payment: Row): number {
  if (payment.status !== 'authorised') {
    throw problem(
      'payment_not_authorised',
      `The payment is ${payment.status}. Only an authorised payment can be captured.`,
      { pointer: '/data/relationships/payment_demand' },
    );
  }
  const authorisedCents = Number(payment.amount_authorised_cents);
  const amount = Number(record.amount_cents ?? authorisedCents);
  if (amount <= authorisedCents) return amount;
  throw problem(
    'over_authorised',
    'amount_cents is more than the bank holds for this payment. Send at most amount_authorised_cents.',
    { pointer: '/data/attributes/amount_cents' },
    { meta: { authorised_cents: authorisedCents } },
  );
}
