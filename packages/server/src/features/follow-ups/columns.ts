import { problem } from '@florin/contract/errors.ts';
import { followUpMachine } from '@florin/contract/machines/follow-up.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';

/** Columns of a new follow-up that is due now. */
export const dueFollowUp = (now: Micros): Row => ({
  status: followUpMachine.initial,
  unsent_count: '0',
  due_at: instantText(now),
});

/** The currency of the payment. Throws if the request has another currency. */
export function currencyOf(record: Row, payment: Row): string {
  const currency = payment.amount_currency as string;
  if ((record.amount_currency ?? currency) === currency) return currency;
  throw problem('invalid', `amount_currency must be ${currency}, the currency of the payment.`, {
    pointer: '/data/attributes/amount_currency',
  });
}
