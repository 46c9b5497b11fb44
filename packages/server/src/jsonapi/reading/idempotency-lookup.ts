import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/database/db.ts';
import {
  findKeyHolders,
  type IdempotencyKey,
  type KeyHolder,
} from '../../platform/database/idempotency.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { scopeText } from '../../platform/database/scope.ts';

/** Finds earlier requests with an idempotency key. */
export interface IdempotencyLookup {
  /** The request that stored the key; undefined for a new key. */
  holderOf(key: IdempotencyKey): Promise<KeyHolder | undefined>;
  /** The record of that request as a stored row, for comparison only; not to be shown. */
  rowOf(table: string, key: IdempotencyKey, holder: KeyHolder): Promise<Row | undefined>;
}

/** Looks up keys in the database; concurrent lookups share one query. */
export function createIdempotencyLookup(db: Db): IdempotencyLookup {
  return {
    holderOf: createBatcher({
      run: (keys: readonly IdempotencyKey[]) => findKeyHolders(db, keys),
      ownerOf: scopeText,
    }),
    async rowOf(table, { merchant_id }, { resource_id }) {
      const [row] = await findRowsByKey(db, table, [{ merchant_id, id: resource_id }]);
      return row;
    },
  };
}
