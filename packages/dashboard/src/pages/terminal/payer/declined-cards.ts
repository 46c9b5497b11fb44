import type { Identifier, RecordOf } from '../../../api/types.ts';
import { isBankDecline } from '../../payments/bank-reasons.ts';

/** Times of declines by card. */
export type DeclinedCards = ReadonlyMap<string, string>;

/** Returns the cards whose last payment was declined. The payments are sorted, with the newest first. */
export function declinedCards(payments: readonly RecordOf<'payment_demands'>[]): DeclinedCards {
  const lastPayments = new Map<string, RecordOf<'payment_demands'>['attributes']>();
  for (const { attributes, relationships } of payments) {
    const card = relationships?.payment_method?.data as Identifier | null | undefined;
    if (card && hasOutcome(attributes) && !lastPayments.has(card.id))
      lastPayments.set(card.id, attributes);
  }
  return new Map(
    [...lastPayments].flatMap(([card, { failure_reason, updated_at }]) =>
      updated_at && isBankDecline(failure_reason) ? [[card, updated_at]] : [],
    ),
  );
}

/** Whether the bank has decided about the payment. */
const hasOutcome = ({ status, failure_reason }: RecordOf<'payment_demands'>['attributes']) =>
  status === 'failed'
    ? isBankDecline(failure_reason)
    : ['authorised', 'succeeded', 'disputed', 'reversed'].includes(status);
