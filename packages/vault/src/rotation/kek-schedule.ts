import type { Scope } from '../kernel/scope.ts';
import type { Database, Db } from '../store/db.ts';

/** Merchants per run. Further merchants stay due. */
const SCOPES_MAX = 1_000;

const IS_NEWEST = `destroyed_at is null and not exists (
  select from vault.keks newer
  where newer.merchant_id = kek.merchant_id and newer.mode = kek.mode and newer.version > kek.version)`;

/** A merchant and mode, and the version of its newest key. */
export interface NewestKek extends Scope {
  readonly version: number;
}

/** Newest keys past their cryptoperiod. */
export const findDueKeks = (db: Db, now: number): Promise<NewestKek[]> =>
  db.query(
    `select merchant_id, mode, version from vault.keks kek
     where rotate_at <= $1 and ${IS_NEWEST} order by rotate_at limit ${SCOPES_MAX}`,
    [new Date(now)],
  );

/** Merchants and modes with records that an older key wraps. */
export const findUnfinishedScopes = (db: Db): Promise<Scope[]> =>
  db.query(
    `select merchant_id, mode from vault.keks kek
     where rewrap_cursor is not null and ${IS_NEWEST} limit ${SCOPES_MAX}`,
  );

/** Newest keys of all merchants and modes; with `merchantId`, only this merchant's. */
export const findNewestKeks = (db: Db, merchantId?: string, mode?: string): Promise<NewestKek[]> =>
  db.query(
    `select merchant_id, mode, version from vault.keks kek
     where ($1::text is null or merchant_id = $1) and ($2::text is null or mode = $2) and ${IS_NEWEST}
     order by merchant_id, mode`,
    [merchantId ?? null, mode ?? null],
  );

/**
 * Deletes replaced keys that no record needs. Returns the number deleted. A key that received a new record
 * stays, and its merchant's records are rewrapped again.
 */
export const deleteReplacedKeks = (database: Database, now: number): Promise<number> =>
  database.transaction(
    async (tx) => {
      const deletedRows = await tx.query(
        `delete from vault.keks kek where ${IS_DUE} and not exists (
         select from vault.cards where cards.merchant_id = kek.merchant_id and cards.mode = kek.mode
           and cards.kek_version = kek.version)
       returning version`,
        [new Date(now)],
      );
      await tx.query(
        `update vault.keks newest set rewrap_cursor = '' from vault.keks kek
       where ${IS_DUE} and newest.merchant_id = kek.merchant_id and newest.mode = kek.mode
         and newest.rewrap_cursor is null and newest.destroyed_at is null
         and not exists (select from vault.keks newer where newer.merchant_id = newest.merchant_id
           and newer.mode = newest.mode and newer.version > newest.version)`,
        [new Date(now)],
      );
      return deletedRows.length;
    },
    { statement_timeout_ms: SCAN_TIMEOUT_MS },
  );

const IS_DUE = `kek.destroy_at <= $1 and kek.destroyed_at is null`;
/** Timeout of a scan. No index finds the cards of a key, so each rotation reads all cards of a merchant once. */
const SCAN_TIMEOUT_MS = 120_000;
