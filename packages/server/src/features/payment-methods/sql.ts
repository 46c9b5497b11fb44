import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';

/** Reason why a discarded payment method's card must not be destroyed yet. */
export type CardNeed = 'by another payment method' | 'for a payment';

/** Returns why a discarded card is still needed; undefined if it is not. */
export async function needOf(
  db: Db,
  { merchant_id, mode, card_pan_token }: Row,
): Promise<CardNeed | undefined> {
  const [row] = await db.query(
    `select bool_or(m.discarded_at is null) as in_use, bool_or(exists (
       select from payment_demands d where d.merchant_id = m.merchant_id
         and d.payment_method_id = m.id and d.status in ('pending', 'processing')) or exists (
       select from payment_subscriptions s where s.merchant_id = m.merchant_id
         and s.payment_method_id = m.id and s.confirmed and s.status <> 'cancelled')) as to_pay
     from payment_methods m where m.merchant_id = $1 and m.mode = $2 and m.card_pan_token = $3`,
    [merchant_id, mode, card_pan_token],
    'need_of_discarded_card',
  );
  if (row?.in_use === 't') return 'by another payment method';
  return row?.to_pay === 't' ? 'for a payment' : undefined;
}

/** Whether a card has payment methods and all of them are discarded. */
export async function isGivenUp(
  db: Db,
  { merchant_id, mode }: Scope,
  card_pan_token: string,
): Promise<boolean> {
  const [row] = await db.query(
    `select bool_and(discarded_at is not null) as given_up from payment_methods
     where merchant_id = $1 and mode = $2 and card_pan_token = $3`,
    [merchant_id, mode, card_pan_token],
    'is_card_given_up',
  );
  return row?.given_up === 't';
}

/** Removes the card of a discarded payment method from the queue. */
export const deleteDiscarded = (db: Db, { merchant_id, id }: Row): Promise<unknown> =>
  db.query('delete from discarded_cards where merchant_id = $1 and id = $2', [merchant_id, id]);
