import { randomBytes } from 'node:crypto';
import type { Scope } from '../kernel/scope.ts';
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
 * otherwise random. So nobody can compute a card from an id, also with the key of the fingerprints. `tries` may refuse
 * any number before anything is looked up, and a number after it.
 */
export async function fingerprintIdOf(
  db: Db,
  { mark, now, ...scope }: MarkedNumber,
  tries: TryLimits = UNLIMITED_TRIES,
): Promise<string> {
  await tries.requireTries();
  const found = await findFingerprintId(db, scope, mark);
  // A known number is looked at again: many tries at once could all have passed the first look.
  await (found ? tries.requireTries() : tries.requireNewNumber());
  if (found && found.used_at.getTime() > now - DAY_MS) return found.id;
  return storeFingerprintId(db, scope, mark, now);
}

/** Limits of the numbers that a merchant tries. Both reject beyond a limit. */
interface TryLimits {
  requireTries(): Promise<void>;
  requireNewNumber(): Promise<void>;
}

const UNLIMITED_TRIES: TryLimits = {
  requireTries: async () => {},
  requireNewNumber: async () => {},
};

/** A number as its keyed fingerprint, and the time in milliseconds. */
interface MarkedNumber extends Scope {
  readonly mark: string;
  readonly now: number;
}

async function findFingerprintId(
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
  { merchant_id, mode }: Scope,
  mark: string,
  now: number,
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
