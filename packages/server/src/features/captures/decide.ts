import { problem } from '@florin/contract/errors.ts';
import { isTrue, type Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { currencyOf, dueFollowUp } from '../follow-ups/columns.ts';
import type { NewFollowUp } from '../follow-ups/create.ts';
import { feeOf } from '../ledger/fee.ts';

/**
 * The capture of a locked payment: due now, by default for all that is left of the hold. Sets the
 * payment to `processing`. `takesSeveral`: whether the account that holds the amount takes several
 * captures. Throws the error of the interface if the payment cannot be captured.
 */
export function decideCapture(
  record: Row,
  payment: Row,
  takesSeveral: () => boolean,
  now: Micros,
): NewFollowUp {
  refuseUncapturable(record, payment, takesSeveral);
  const amount = amountOf(record, payment);
  const isFinal = !staysOpen(record) || amount === leftOf(payment);
  const row = {
    ...record,
    amount_cents: String(amount),
    amount_currency: currencyOf(record, payment),
    final: String(isFinal),
    fee_cents: ownFeeOf(amount, isFinal, payment),
    ...dueFollowUp(now),
  };
  return { row, payment: { trigger: 'capture', set: { due_at: null }, events: ['updated'] } };
}

/** Whether the request wants to capture more later. */
const staysOpen = ({ final }: Row): boolean => (final ?? null) !== null && !isTrue(final);

/** Minor units of the hold that are not captured. */
const leftOf = ({ amount_authorised_cents, amount_captured_cents }: Row): number =>
  Number(amount_authorised_cents) - Number(amount_captured_cents);

/**
 * Fee of a capture with transfers of its own. Null for the only capture of a payment: the payment has the transfers, as
 * older versions post and expect them.
 */
function ownFeeOf(amount: number, isFinal: boolean, payment: Row): string | null {
  const capturedCents = BigInt(payment.amount_captured_cents ?? 0);
  if (isFinal && capturedCents === 0n) return null;
  const feeAfter = feeOf(String(capturedCents + BigInt(amount)), payment);
  return String(BigInt(feeAfter) - BigInt(payment.fee_cents ?? 0));
}

function refuseUncapturable(record: Row, { status }: Row, takesSeveral: () => boolean): void {
  if (status !== 'authorised') {
    throw problem(
      'payment_not_authorised',
      `The payment is ${status}. Only an authorised payment can be captured.`,
      { pointer: '/data/relationships/payment_demand' },
    );
  }
  if (!staysOpen(record) || takesSeveral()) return;
  throw problem(
    'several_captures_unsupported',
    'The processor account of this payment takes one capture of an authorisation. Leave final out, or send true.',
    { pointer: '/data/attributes/final' },
  );
}

/** Amount to capture, in minor units. */
function amountOf(record: Row, payment: Row): number {
  const leftCents = leftOf(payment);
  const amount = Number(record.amount_cents ?? leftCents);
  if (amount <= leftCents) return amount;
  // Older clients read `authorised_cents`, which holds the same amount.
  throw problem(
    'over_authorised',
    'amount_cents is more than the bank holds for this payment. Send at most amount_capturable_cents.',
    { pointer: '/data/attributes/amount_cents' },
    { meta: { capturable_cents: leftCents, authorised_cents: leftCents } },
  );
}
