import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Signer } from '../../platform/crypto/signer.ts';
import type { Db } from '../../platform/database/db.ts';
import {
  findKeyHolders,
  type IdempotencyKey,
  type KeyHolder,
} from '../../platform/database/idempotency.ts';
import type { Row } from '../../platform/database/row.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { scopeText } from '../../platform/database/scope.ts';
import { contentDigest, keyedHash } from '../request-hash.ts';

/** Finds earlier requests with an idempotency key. */
export interface IdempotencyLookup {
  /** Keyed hash of a request's content. */
  hashOf(content: unknown): string;
  /** Whether the request of the holder had the same content as that of `key`. */
  hasSameContent(key: IdempotencyKey, holder: KeyHolder): boolean;
  /** The request that stored the key; undefined for a new key. */
  holderOf(key: IdempotencyKey): Promise<KeyHolder | undefined>;
  /** The record of that request as a stored row, for comparison only; not to be shown. */
  rowOf(table: string, key: IdempotencyKey, holder: KeyHolder): Promise<Row | undefined>;
}

/** Looks up keys in the database; concurrent lookups share one query. */
export function createIdempotencyLookup({
  db,
  request_signer: signer,
}: {
  readonly db: Db;
  readonly request_signer: Signer;
}): IdempotencyLookup {
  return {
    hashOf: (content) => keyedHash(signer, contentDigest(content)),
    hasSameContent: (key, holder) => key.request_hash === keyedHash(signer, holder.request_hash),
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
