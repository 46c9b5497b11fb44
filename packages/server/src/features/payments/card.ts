import { problem } from '@florin/contract/errors.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Row } from '../../platform/database/row.ts';
import type { RowKey } from '../../platform/database/row-key.ts';
import type { Services } from '../../services.ts';
import { findFirstApprovals } from '../attempts/sql/first-approvals.ts';
import { referencesOf } from '../records/plain.ts';
import type { NamedReference } from '../records/references.ts';

/** Key of a payment's payment method. */
export const methodOf = ({ merchant_id, payment_method_id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: payment_method_id as string,
});

/** References of a payment. A customer's card must not be charged for another payer. */
export const paymentReferencesOf = (model: Model, row: Row): NamedReference[] =>
  referencesOf(model, row).map((reference) =>
    reference.relationship === 'payment_method' && row.payer_id
      ? { ...reference, belongsTo: { column: 'customer_id', id: row.payer_id } }
      : reference,
  );

/**
 * References of an update. If payer or card changes, both are checked together. An unchanged payer was checked before,
 * and may have been merged since.
 */
export function changedReferencesOf(model: Model, row: Row, columns: Row): NamedReference[] {
  if (!('payer_id' in columns || 'payment_method_id' in columns))
    return paymentReferencesOf(model, columns);
  const { payer_id = null, payment_method_id = null } = { ...row, ...columns };
  return paymentReferencesOf(model, { ...columns, payer_id, payment_method_id }).filter(
    ({ relationship }) => relationship !== 'payer' || 'payer_id' in columns,
  );
}

/**
 * Throws 422 for a merchant-initiated charge without an earlier successful payment by the same
 * payer with the same payment method.
 */
export async function requireFirstApproval({ db }: Services, payment: Row): Promise<void> {
  if (payment.initiator !== 'merchant') return;
  const approvals = await findFirstApprovals(db, [payment]);
  if (approvals.size > 0) return;
  throw problem(
    'card_not_used_before',
    'A merchant-initiated charge needs an earlier successful payment that this payer made with this payment method.',
    { pointer: '/data/relationships/payment_method' },
  );
}
