import type { Db } from '../../../platform/database/db.ts';
import { keyText, type RowKey } from '../../../platform/database/row-key.ts';

/** Key of a customer, with the mode. */
export interface CustomerKey extends RowKey {
  readonly mode: string;
}

/** Ids of customers who remain after a merge, by the merged customer's key as text. */
export type Survivors = ReadonlyMap<string, string>;

/** Customers among `keys` that were merged into another one. Runs no statement without keys. */
export async function findSurvivors(db: Db, keys: readonly CustomerKey[]): Promise<Survivors> {
  if (keys.length === 0) return new Map();
  const rows = await db.query(
    `select c.merchant_id, c.id, c.merged_into_id
     from unnest($1::uuid[], $2::text[], $3::uuid[]) as k (merchant_id, mode, id)
       cross join lateral (select merchant_id, id, merged_into_id from customers
         where merchant_id = k.merchant_id and mode = k.mode and id = k.id and merged_at is not null offset 0) c`,
    (['merchant_id', 'mode', 'id'] as const).map((column) => keys.map(({ [column]: of }) => of)),
    'find_survivors',
  );
  return new Map(rows.map((row) => [keyText(row), row.merged_into_id as string]));
}

/** The customer who remains: the customer itself, unless it was merged. */
export const survivorOf = (survivors: Survivors, key: RowKey): string =>
  survivors.get(keyText(key)) ?? key.id;
