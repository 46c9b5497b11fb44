import { randomBytes } from 'node:crypto';
import type { Scope } from '../kernel/scope.ts';
import type { CountedNumber } from '../limits/counted-number.ts';
import type { NumberTries } from '../limits/number-tries.ts';
import type { Db } from '../store/db.ts';

const ID_BYTES = 18;
const DAY_MS = 24 * 60 * 60 * 1000;
/** An id is deleted three years after its card was last entered. */
export const ID_LIFE_MS = 3 * 365 * DAY_MS;
const SWEEP_ROWS_MAX = 5_000;

/** An id that a merchant's card has. */
interface FingerprintId {
  readonly id: string;
  readonly used_at: Date;
}

/**
 * Id that stands for a keyed fingerprint outside of the vault: equal for equal cards of one merchant and mode,
 * otherwise random. So nobody can compute a card from an id, also with the key of the fingerprints. Undefined beyond the
 * limits, which are looked at before the number is looked up. Their lock is held until `tx` ends, so that many tries at
 * once are one after the other.
 */
export async function fingerprintIdOf(
  tx: Db,
  number: CountedNumber,
  limits: NumberTries,
): Promise<string | undefined> {
  if (!(await limits.hasTries(tx, number))) return undefined;
  const found = await findFingerprintId(tx, number, number.mark);
  if (!found && !(await limits.countNew(tx, number))) return undefined;
  if (found && found.used_at.getTime() > number.now - DAY_MS) return found.id;
  return storeFingerprintId(tx, number);
}

/** For measurements. */
export const UNLIMITED: NumberTries = { hasTries: async () => true, countNew: async () => true };

/** Id that a number has; undefined if the merchant never entered it. */
export async function findFingerprintId(
  db: Db,
  { merchant_id, mode }: Scope,
  mark: string,
): Promise<FingerprintId | undefined> {
  const [row] = await db.query<FingerprintId>(
    `select id, used_at from vault.fingerprint_ids
     where merchant_id = $1 and mode = $2 and mark = $3`,
    [merchant_id, mode, mark],
    'find-fingerprint-id',
  );
  return row;
}

/** Stores an id of a card, or that its card was entered again. */
async function storeFingerprintId(
  db: Db,
  { merchant_id, mode, mark, now }: CountedNumber,
): Promise<string> {
  const id = randomBytes(ID_BYTES).toString('base64url');
  const [row] = await db.query<{ id: string }>(
    `insert into vault.fingerprint_ids (merchant_id, mode, mark, id, used_at) values ($1, $2, $3, $4, $5)
     on conflict (merchant_id, mode, mark) do update set used_at = excluded.used_at returning id`,
    [merchant_id, mode, mark, id, new Date(now)],
    'store-fingerprint-id',
  );
  return (row as { id: string }).id;
}

/** Deletes ids of cards that nobody entered for long. Returns the number deleted. */
export async function sweepFingerprintIds(db: Db, now: number): Promise<number> {
  const deletedRows = await db.query(
    `delete from vault.fingerprint_ids where (merchant_id, mode, mark) in (
       select merchant_id, mode, mark from vault.fingerprint_ids
       where used_at <= $1 order by used_at limit ${SWEEP_ROWS_MAX}
     ) returning id`,
    [new Date(now - ID_LIFE_MS)],
  );
  return deletedRows.length;
}
