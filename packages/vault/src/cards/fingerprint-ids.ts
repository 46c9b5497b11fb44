import { randomBytes } from 'node:crypto';
import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';

const ID_BYTES = 18;
const DAY_MS = 24 * 60 * 60 * 1000;
/** An id is deleted three years after its card was last entered. */
export const ID_LIFE_MS = 3 * 365 * DAY_MS;
const SWEEP_ROWS_MAX = 5_000;

/**
 * Id that stands for a keyed fingerprint outside of the vault: equal for equal cards of one merchant and mode,
 * otherwise random. So nobody can compute a card from an id, also with the key of the fingerprints. `requireNew` may
 * reject for a card that has no id yet.
 */
export async function findFingerprintId(
  db: Db,
  scope: Scope,
  mark: string,
  now: number,
  requireNew: () => Promise<void> = async () => {},
): Promise<string> {
  const key = [scope.merchant_id, scope.mode, mark];
  const [row] = await db.query<{ id: string; used_at: Date }>(
    `select id, used_at from vault.fingerprint_ids
     where merchant_id = $1 and mode = $2 and mark = $3`,
    key,
    'find-fingerprint-id',
  );
  if (row && row.used_at.getTime() > now - DAY_MS) return row.id;
  if (!row) await requireNew();
  const [storedRow] = await db.query<{ id: string }>(
    `insert into vault.fingerprint_ids (merchant_id, mode, mark, id, used_at) values ($1, $2, $3, $4, $5)
     on conflict (merchant_id, mode, mark) do update set used_at = excluded.used_at returning id`,
    [...key, randomBytes(ID_BYTES).toString('base64url'), new Date(now)],
    'store-fingerprint-id',
  );
  return (storedRow as { id: string }).id;
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
