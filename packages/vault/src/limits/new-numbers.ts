import type { Scope } from '../kernel/scope.ts';
import type { Db } from '../store/db.ts';
import { DAYS_KEPT, dayOf } from './counted-number.ts';

/**
 * New numbers a day of one merchant in one mode, without a limit of its own. All vaults of a database count together.
 * An attacker who looks for any of a merchant's 5,000 cards then finds about one in nine days.
 */
export const NEW_NUMBERS_DEFAULT = 10_000;
export const NEW_NUMBERS_MAX = 100_000_000;

/**
 * New numbers a day that may be refused before every number is. A refused number tells that the merchant never entered it,
 * so each of them is a try.
 */
export const REFUSED_NUMBERS_MAX = 1_000;

/** Numbers that operators allow a merchant in one mode. */
export interface NumberLimits {
  /** New numbers a day; null: the default. */
  readonly new_numbers: number | null;
  readonly import_numbers: number;
  readonly import_used: number;
  readonly import_ends_at: Date | null;
}

const NO_LIMITS: NumberLimits = {
  new_numbers: null,
  import_numbers: 0,
  import_used: 0,
  import_ends_at: null,
};

export async function findNumberLimits(
  db: Db,
  { merchant_id, mode }: Scope,
): Promise<NumberLimits> {
  const [row] = await db.query<NumberLimits>(
    `select new_numbers, import_numbers, import_used, import_ends_at from vault.number_limits
     where merchant_id = $1 and mode = $2`,
    [merchant_id, mode],
    'number-limits',
  );
  return row ?? NO_LIMITS;
}

/** Whether the end of an import has not come. */
export const isWindowOpen = (
  { import_ends_at }: Pick<NumberLimits, 'import_ends_at'>,
  now: number,
): boolean => import_ends_at !== null && import_ends_at.getTime() > now;

/** Whether an import has numbers left, and its end has not come. */
export const isImportOpen = (limits: NumberLimits, now: number): boolean =>
  isWindowOpen(limits, now) && limits.import_used < limits.import_numbers;

/** Takes one number of an open import. False if it has ended, or others took the last one. */
export async function takeImportNumber(
  db: Db,
  { merchant_id, mode }: Scope,
  now: number,
): Promise<boolean> {
  const rows = await db.query(
    `update vault.number_limits set import_used = import_used + 1
     where merchant_id = $1 and mode = $2 and import_ends_at > $3 and import_used < import_numbers
     returning mode`,
    [merchant_id, mode, new Date(now)],
    'take-import-number',
  );
  return rows.length > 0;
}

/** New numbers a day of a merchant with these limits. */
export const maxOf = ({ new_numbers }: Pick<NumberLimits, 'new_numbers'>): number =>
  new_numbers ?? NEW_NUMBERS_DEFAULT;

/**
 * Counts a new number in one statement, also if it is refused. Returns how many the merchant entered today: `max + 1` once
 * for the first one above `max`, then undefined. Numbers above that write nothing.
 */
export async function countNewNumber(
  db: Db,
  { merchant_id, mode }: Scope,
  now: number,
  max: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ count: number }>(
    `insert into vault.new_number_counts as kept (merchant_id, mode, day, count) values ($1, $2, $3, 1)
     on conflict (merchant_id, mode, day) do update set count = kept.count + 1 where kept.count <= $4
     returning count`,
    [merchant_id, mode, dayOf(now), max],
    'count-new-number',
  );
  return row?.count;
}

/** Sets the new numbers a day of a merchant; null: the default. */
export const storeNewNumbersLimit = (
  db: Db,
  { merchant_id, mode }: Scope,
  new_numbers: number | null,
): Promise<object[]> =>
  db.query(
    `insert into vault.number_limits (merchant_id, mode, new_numbers) values ($1, $2, $3)
     on conflict (merchant_id, mode) do update set new_numbers = excluded.new_numbers`,
    [merchant_id, mode, new_numbers],
  );

/** An import: how many new numbers, until when. */
interface ImportWindow {
  readonly numbers: number;
  readonly ends_at: Date;
}

/** Opens an import of a merchant, which replaces an earlier one. */
export const openImport = (
  db: Db,
  { merchant_id, mode }: Scope,
  { numbers, ends_at }: ImportWindow,
): Promise<object[]> =>
  db.query(
    `insert into vault.number_limits (merchant_id, mode, import_numbers, import_ends_at) values ($1, $2, $3, $4)
     on conflict (merchant_id, mode) do update
       set import_numbers = excluded.import_numbers, import_used = 0, import_ends_at = excluded.import_ends_at`,
    [merchant_id, mode, numbers, ends_at],
  );

/** Closes an import now. Returns how many numbers it took; undefined without an open one. */
export async function closeImport(
  db: Db,
  { merchant_id, mode }: Scope,
  now: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ import_used: number }>(
    `update vault.number_limits set import_ends_at = $3
     where merchant_id = $1 and mode = $2 and import_ends_at > $3 returning import_used`,
    [merchant_id, mode, new Date(now)],
  );
  return row?.import_used;
}

/** Deletes the counts of former days. */
export const sweepNewNumberCounts = (db: Db, now: number): Promise<object[]> =>
  db.query('delete from vault.new_number_counts where day < $1', [dayOf(now) - DAYS_KEPT]);
