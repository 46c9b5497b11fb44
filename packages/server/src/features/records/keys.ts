import { problem } from '@florin/contract/errors.ts';
import type { Catalog } from '../../platform/database/catalog.ts';
import type { Db } from '../../platform/database/db.ts';
import { type IdempotencyKey, keyRow, takeKeys } from '../../platform/database/idempotency.ts';

/** A write of one record, possibly with an idempotency key. */
interface KeyedWrite {
  readonly id: string;
  readonly idempotency?: IdempotencyKey | undefined;
}

/**
 * Stores the idempotency keys of decided changes, in the same transaction. Leaves out changes whose
 * key an earlier request used. A refused change stores no key, so its key can be used again.
 */
export async function storeKeys<Decided>(
  tx: Db,
  catalog: Catalog,
  items: readonly KeyedWrite[],
  outcomes: readonly (Decided | Error)[],
  at: string,
): Promise<(Decided | Error)[]> {
  const keys = items.flatMap(({ id, idempotency }, index) =>
    idempotency && !(outcomes[index] instanceof Error) ? [keyRow(idempotency, id, at)] : [],
  );
  const storedIds = await takeKeys(tx, catalog, keys);
  const isKeyTaken = ({ id, idempotency }: KeyedWrite): boolean =>
    idempotency !== undefined && !storedIds.has(id);
  return outcomes.map((outcome, index) =>
    !(outcome instanceof Error) && isKeyTaken(items[index] as KeyedWrite) ? keyTaken() : outcome,
  );
}

/**
 * Error for an idempotency key that an earlier request used. The engine then answers with that
 * request's result; clients see this error only if the lookup of it fails.
 */
export const keyTaken = (): Error =>
  problem(
    'unavailable',
    'The record of this idempotency key could not be read. Try again with the same key.',
    undefined,
    { headers: { 'retry-after': '1' } },
  );
