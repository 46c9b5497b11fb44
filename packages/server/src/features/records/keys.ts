import { problem } from '@florin/contract/errors.ts';
import type { Catalog } from '../../platform/database/catalog.ts';
import type { Db } from '../../platform/database/db.ts';
import { type IdempotencyKey, keyRow, takeKeys } from '../../platform/database/idempotency.ts';

/** A write that may have an idempotency key, of one record. */
interface Keyed {
  readonly id: string;
  readonly idempotency?: IdempotencyKey | undefined;
}

/**
 * Stores the keys of changes that were decided on, in their transaction. A change whose key an earlier
 * request has is not to be made; what was refused stores no key, so that it can be used again.
 */
export async function keepKeys<Decided>(
  tx: Db,
  catalog: Catalog,
  items: readonly Keyed[],
  decided: readonly (Decided | Error)[],
  at: string,
): Promise<(Decided | Error)[]> {
  const keys = items.flatMap(({ id, idempotency }, index) =>
    idempotency && !(decided[index] instanceof Error) ? [keyRow(idempotency, id, at)] : [],
  );
  const kept = await takeKeys(tx, catalog, keys);
  const lost = ({ id, idempotency }: Keyed): boolean => idempotency !== undefined && !kept.has(id);
  return decided.map((one, index) =>
    !(one instanceof Error) && lost(items[index] as Keyed) ? keyTaken() : one,
  );
}

/**
 * An earlier request has the idempotency key. The engine looks up what that one did and answers so;
 * clients see this error only where it cannot.
 */
export const keyTaken = (): Error =>
  problem(
    'unavailable',
    'What this idempotency key has made could not be looked up. Try again with the same key.',
    undefined,
    { headers: { 'retry-after': '1' } },
  );
