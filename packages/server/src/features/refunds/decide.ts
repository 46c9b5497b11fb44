import { problem } from '@florin/contract/errors.ts';
import { refundDemandMachine } from '@florin/contract/machines/refund-demand.ts';
import { instantText, type Micros } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';

/** What refunds have taken or reserved of a payment, in minor units, and the attempt that charged it. */
interface Standing {
  readonly reserved_cents: number;
  readonly authorisation_id?: string;
}

const payment = { pointer: '/data/relationships/payment_demand' };

/**
 * The refund of a locked payment as it is to be stored: due at once, and for the whole unrefunded amount where
 * the request names none. Throws what refuses it.
 */
export function decideRefund(record: Row, demand: Row, standing: Standing, now: Micros): Row {
  return {
    ...record,
    amount_cents: String(amountOf(record, demand, standing)),
    amount_currency: currencyOf(record, demand),
    status: refundDemandMachine.initial,
    unsent_count: '0',
    due_at: instantText(now),
  };
}

/** Minor units. */
function amountOf(record: Row, demand: Row, standing: Standing): number {
  if (demand.status !== 'succeeded') {
    throw problem(
      'payment_not_succeeded',
      `Only a payment that has succeeded can be refunded; this one is ${demand.status}.`,
      payment,
    );
  }
  if (!standing.authorisation_id) {
    throw problem(
      'no_refundable_authorization',
      'No authorization of this payment is known whose money could be given back.',
      payment,
    );
  }
  const left = Number(demand.amount_cents) - standing.reserved_cents;
  if (left <= 0) {
    const detail = 'Refunds that succeeded or are under way take up the whole payment.';
    throw problem('already_refunded', detail, payment);
  }
  const amount = Number(record.amount_cents ?? left);
  if (amount <= left) return amount;
  throw problem(
    'over_unrefunded',
    'Refunds that succeeded or are under way leave less of this payment.',
    { pointer: '/data/attributes/amount_cents' },
    { meta: { unrefunded_cents: left } },
  );
}

function currencyOf(record: Row, demand: Row): string {
  const currency = demand.amount_currency as string;
  if ((record.amount_currency ?? currency) === currency) return currency;
  throw problem('invalid', `The payment was made in ${currency}, and so is its refund.`, {
    pointer: '/data/attributes/amount_currency',
  });
}
