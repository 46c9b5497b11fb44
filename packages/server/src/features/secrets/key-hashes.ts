import { KEYED_PREFIX, keyedHash } from '../../jsonapi/request-hash.ts';
import type { Signer } from '../../platform/crypto/signer.ts';
import type { Db } from '../../platform/database/db.ts';
import {
  type HashedKey,
  listHashedKeys,
  storeKeyHashes,
} from '../../platform/database/idempotency.ts';
import { factOf, storeFact } from '../../platform/database/installation/installation-facts.ts';
import type { Services } from '../../services.ts';

/** Keys of one statement, so that no statement holds locks for long. */
const SLICE_ROWS = 500;

/** A slice of the idempotency keys. */
interface KeyedSlice {
  /** Number of hashes that had no key. Unless `dry_run`, each has one now. */
  readonly plain: number;
  /** Last key of the slice; undefined at the end of the table. */
  readonly last: HashedKey | undefined;
}

interface KeyHashesDeps {
  readonly db: Db;
  readonly signer: Signer;
  readonly dry_run: boolean;
}

/** Keys the hashes of a slice of requests that an earlier version of Florin stored. Safe to repeat. */
async function keySlice(
  { db, signer, dry_run }: KeyHashesDeps,
  after: HashedKey | undefined,
): Promise<KeyedSlice> {
  const keys = await listHashedKeys(db, after, SLICE_ROWS);
  const plain = keys.filter(({ request_hash }) => !request_hash.startsWith(KEYED_PREFIX));
  if (plain.length > 0 && !dry_run)
    await storeKeyHashes(db, plain, (hash) => keyedHash(signer, hash));
  return { plain: plain.length, last: keys.length < SLICE_ROWS ? undefined : keys.at(-1) };
}

/** Keys the hashes of all requests. Returns how many had no key. `report` gets the number of rows read so far. */
export async function keyHashes(
  deps: KeyHashesDeps,
  report: (rows: number) => void,
): Promise<number> {
  let [plain, rows] = [0, 0];
  let after: HashedKey | undefined;
  do {
    const slice = await keySlice(deps, after);
    plain += slice.plain;
    rows += SLICE_ROWS;
    after = slice.last;
    if (after) report(rows);
  } while (after);
  return plain;
}

/**
 * Returns the step of a worker: it keys a slice, and returns whether slices remain. A pass over the table that finds
 * nothing is the last one. Until then older processes of an upgrade may still store hashes without a key.
 */
export function createHashStep({
  db,
  request_signer: signer,
  logger,
}: Pick<Services, 'db' | 'request_signer' | 'logger'>): () => Promise<boolean> {
  let after: HashedKey | undefined;
  let keyed = 0;
  return async () => {
    if (!after && (await factOf(db, 'request_hashes'))) return false;
    const { plain, last } = await keySlice({ db, signer, dry_run: false }, after);
    keyed += plain;
    after = last;
    if (after) return true;
    if (keyed > 0) logger.info({ keyed }, 'hashes of requests keyed');
    else await storeFact(db, 'request_hashes', 'keyed');
    keyed = 0;
    return false;
  };
}
