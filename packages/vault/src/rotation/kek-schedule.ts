import type { Scope } from '../kernel/scope.ts';
import type { Database, Db } from '../store/db.ts';

/** Merchants that are taken up at a time; the others are due the next time. */
const SCOPES_MAX = 1_000;

const NEWEST = `destroyed_at is null and not exists (
  select from vault.keks newer
  where newer.merchant_id = kek.merchant_id and newer.mode = kek.mode and newer.version > kek.version)`;

/** Whose newest key has reached the end of its time. */
export const scopesDue = (db: Db, now: number): Promise<Scope[]> =>
  db.query(
    `select merchant_id, mode from vault.keks kek
     where rotate_at <= $1 and ${NEWEST} order by rotate_at limit ${SCOPES_MAX}`,
    [new Date(now)],
  );

/** Whose records are not all under the newest key yet. */
export const scopesUnfinished = (db: Db): Promise<Scope[]> =>
  db.query(
    `select merchant_id, mode from vault.keks kek
     where rewrap_cursor is not null and ${NEWEST} limit ${SCOPES_MAX}`,
  );

/** Every merchant and mode that has a key, or those of one merchant. */
export const scopesOf = (db: Db, merchantId?: string, mode?: string): Promise<Scope[]> =>
  db.query(
    `select merchant_id, mode from vault.keks kek
     where ($1::text is null or merchant_id = $1) and ($2::text is null or mode = $2) and ${NEWEST}
     order by merchant_id, mode`,
    [merchantId ?? null, mode ?? null],
  );

/**
 * Deletes replaced keys that no record needs any more; returns how many. One that a record was stored under meanwhile
 * stays, and its merchant's records are gone through once more.
 */
export const deleteReplacedKeks = (database: Database, now: number): Promise<number> =>
  database.transaction(
    async (tx) => {
      const gone = await tx.query(
        `delete from vault.keks kek where ${DUE} and not exists (
         select from vault.cards where cards.merchant_id = kek.merchant_id and cards.mode = kek.mode
           and cards.kek_version = kek.version)
       returning version`,
        [new Date(now)],
      );
      await tx.query(
        `update vault.keks newest set rewrap_cursor = '' from vault.keks kek
       where ${DUE} and newest.merchant_id = kek.merchant_id and newest.mode = kek.mode
         and newest.rewrap_cursor is null and newest.destroyed_at is null
         and not exists (select from vault.keks newer where newer.merchant_id = newest.merchant_id
           and newer.mode = newest.mode and newer.version > newest.version)`,
        [new Date(now)],
      );
      return gone.length;
    },
    { statement_timeout_ms: LOOK_THROUGH_MS },
  );

const DUE = `kek.destroy_at <= $1 and kek.destroyed_at is null`;
/** No index says which cards a key has, so all of its merchant's are looked through, once a rotation. */
const LOOK_THROUGH_MS = 120_000;
