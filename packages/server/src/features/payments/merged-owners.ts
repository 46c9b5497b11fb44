import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyText } from '../../platform/database/row-key.ts';
import { type CustomerKey, findSurvivors, survivorOf } from '../records/sql/survivors.ts';

/** A payment with its card. */
interface CardPayment {
  readonly demand: Row;
  readonly method: Row;
}

/**
 * Keys of payments whose card belongs to a customer who was merged with the payer. A merge moves cards and payments in
 * slices, so these may differ for a while. Runs no statement if every card is the payer's.
 */
export async function findMergedOwners(
  tx: Db,
  payments: readonly CardPayment[],
): Promise<ReadonlySet<string>> {
  const apart = payments.filter(
    ({ demand, method }) => method.customer_id && method.customer_id !== demand.payer_id,
  );
  const survivors = await findSurvivors(tx, apart.flatMap(customersOf));
  const isOneCustomer = (payment: CardPayment): boolean =>
    new Set(customersOf(payment).map((key) => survivorOf(survivors, key))).size === 1;
  return new Set(apart.filter(isOneCustomer).map(({ demand }) => keyText(demand)));
}

const customersOf = ({ demand, method }: CardPayment): CustomerKey[] =>
  [method.customer_id, demand.payer_id].map((id) => ({
    merchant_id: demand.merchant_id as string,
    mode: demand.mode as string,
    id: id as string,
  }));
