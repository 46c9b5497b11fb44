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

/** Newest keys whose merchants and modes have records that an older key wraps. */
export const findUnfinished = (db: Db): Promise<NewestKek[]> =>
  db.query(
    `select merchant_id, mode, version from vault.keks kek
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
        `delete from vault.keks kek where ${IS_DUE} and not ${HAS_CARDS} returning version`,
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

/** Replaced keys past their grace period. */
export interface ReplacedKeks {
  /** Keys that no record needs. */
  readonly unused: number;
  /** Keys that received a new record. */
  readonly needed: number;
}

/** Counts replaced keys: those that `deleteReplacedKeks` would delete, and those that stay. */
export async function countReplacedKeks(db: Db, now: number): Promise<ReplacedKeks> {
  const [row] = await db.query<ReplacedKeks>(
    `select count(*) filter (where not ${HAS_CARDS})::int as unused,
       count(*) filter (where ${HAS_CARDS})::int as needed
     from vault.keks kek where ${IS_DUE}`,
    [new Date(now)],
  );
  return row ?? { unused: 0, needed: 0 };
}

/** A merchant and mode, and how many cards it has under keys before the version. */
export interface CardsBelow extends NewestKek {
  readonly cards: number;
}

/** Counts the cards under keys before the versions. */
export const countCardsBelow = (db: Db, versions: readonly NewestKek[]): Promise<CardsBelow[]> =>
  db.query(
    `select merchant_id, mode, version, (select count(*)::int from vault.cards card
       where card.merchant_id = newest.merchant_id and card.mode = newest.mode
         and card.kek_version < newest.version) as cards
     from unnest($1::text[], $2::text[], $3::int[]) newest (merchant_id, mode, version)
     order by merchant_id, mode`,
    [
      versions.map(({ merchant_id }) => merchant_id),
      versions.map(({ mode }) => mode),
      versions.map(({ version }) => version),
    ],
  );

const HAS_CARDS = `exists (select from vault.cards where cards.merchant_id = kek.merchant_id
  and cards.mode = kek.mode and cards.kek_version = kek.version)`;
const IS_DUE = `kek.destroy_at <= $1 and kek.destroyed_at is null`;
/** Timeout of a scan. No index finds the cards of a key, so each rotation reads all cards of a merchant once. */
export const SCAN_TIMEOUT_MS = 120_000;
