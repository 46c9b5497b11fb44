import { problem } from '@florin/contract/errors.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/transition.ts';
import type { Services } from '../../services.ts';
import { originalsOf } from '../attempts/sql/originals.ts';
import { referencesOf } from '../records/plain.ts';
import type { Pointing } from '../records/pointing.ts';

/** The card of a payment. */
export const methodOf = ({ merchant_id, payment_method_id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: payment_method_id as string,
});

/** What a payment points to: a card that a customer has is charged for no other payer. */
export const pointingOf = (model: Model, row: Row): Pointing[] =>
  referencesOf(model, row).map((one) =>
    one.relationship === 'payment_method' && row.payer_id
      ? { ...one, belonging: { column: 'customer_id', id: row.payer_id } }
      : one,
  );

/** Who pays and with what are looked at together, whichever of them changes. */
export function changedPointing(model: Model, row: Row, columns: Row): Pointing[] {
  if (!('payer_id' in columns || 'payment_method_id' in columns)) return pointingOf(model, columns);
  const { payer_id = null, payment_method_id = null } = { ...row, ...columns };
  return pointingOf(model, { ...columns, payer_id, payment_method_id });
}

/** Throws 422 for a payment without its payer by a card that this payer has not paid with before, though another may have. */
export async function requireOriginal({ db }: Services, payment: Row): Promise<void> {
  if (payment.initiator !== 'merchant') return;
  const originals = await originalsOf(db, [payment]);
  if (originals.size > 0) return;
  throw problem(
    'card_not_used_before',
    'No payment by this card is known that this payer was there for, so none can be made without.',
    { pointer: '/data/relationships/payment_method' },
  );
}
