import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';
import type { SealedRecord } from './record.ts';

/** A verification value that no authorisation has used by then is forgotten. */
export const CVV_LIFE_MS = 15 * 60 * 1000;
/** By then every value of that age is gone, so its use need not be remembered. */
const USE_KEPT_MS = 24 * 60 * 60 * 1000;
const SWEEP_ROWS_MAX = 5_000;

export interface CvvRow extends Scope, SealedRecord {
  readonly token: string;
}

export interface CvvUse extends Scope {
  readonly token: string;
  readonly request_id: string;
}

export async function insertCvv(db: Db, cvv: CvvRow, now: number): Promise<void> {
  await db.query(
    `insert into vault.cvvs (merchant_id, mode, token, kek_version, wrapped_dek, ciphertext, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      cvv.merchant_id,
      cvv.mode,
      cvv.token,
      cvv.kek_version,
      cvv.wrapped_dek,
      cvv.ciphertext,
      new Date(now + CVV_LIFE_MS),
    ],
  );
}

/** Records which requests used up their value and removes the values, in one statement. */
export async function recordUses(db: Db, uses: readonly CvvUse[], now: number): Promise<void> {
  await db.query(
    `with used as (
       select distinct on (merchant_id, mode, token) *
       from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as use (merchant_id, mode, token, request_id)
     ), gone as (
       delete from vault.cvvs using used
       where cvvs.merchant_id = used.merchant_id and cvvs.mode = used.mode and cvvs.token = used.token
       returning used.*
     )
     insert into vault.cvv_uses (merchant_id, mode, token, request_id, used_at)
     select merchant_id, mode, token, request_id, $5 from gone on conflict do nothing`,
    [
      uses.map((use) => use.merchant_id),
      uses.map((use) => use.mode),
      uses.map((use) => use.token),
      uses.map((use) => use.request_id),
      new Date(now),
    ],
    'record-cvv-uses',
  );
}

/** Removes values past their life and uses past remembering; returns how many values went. */
export async function sweepCvvs(db: Db, now: number): Promise<number> {
  await db.query('delete from vault.cvv_uses where used_at <= $1', [new Date(now - USE_KEPT_MS)]);
  const gone = await db.query(
    `delete from vault.cvvs where (merchant_id, mode, token) in (
       select merchant_id, mode, token from vault.cvvs
       where expires_at <= $1 order by expires_at limit ${SWEEP_ROWS_MAX} for update skip locked
     ) returning token`,
    [new Date(now)],
  );
  return gone.length;
}
