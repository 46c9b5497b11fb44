import type { Clock } from '../kernel/clock.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Kek, Keks, WrappedKek } from '../keys/keks.ts';
import type { Database, Db } from '../store/db.ts';
import {
  type CardKey,
  cursorAt,
  type FreshKey,
  type MerchantKeys,
  readSlice,
  rewrapSlice,
  SLICE_ROWS,
  storeSlice,
} from './rewrap-slice.ts';

/** Slices per transaction. */
const SLICES = 4;
/** Grace period of a replaced key, for records whose encryption with it was already running. */
export const REPLACED_KEK_GRACE_MS = 60 * 60 * 1000;

export interface RewrapDeps {
  readonly db: Database;
  readonly keks: Keks;
  readonly clock: Clock;
}

/** Result of one transaction of a rotation. */
export interface RewrapStep {
  readonly rewrapped: number;
  /** Records whose data key cannot be decrypted, which stay unchanged. */
  readonly unreadable: number;
  readonly done: boolean;
}

interface NewestKek extends WrappedKek {
  readonly rewrap_cursor: string | null;
}

/**
 * Rewraps the data keys of the next records with their merchant's newest key. Commits the cursor with the
 * records: a crash loses no progress, and concurrent vaults wait for each other. Decrypts no card.
 */
export const rewrapCards = (deps: RewrapDeps, scope: Scope): Promise<RewrapStep> =>
  deps.db.transaction(async (tx) => {
    await planByIndex(tx);
    const newest = await lockNewest(tx, scope);
    const cursor = newest?.rewrap_cursor ?? null;
    if (!newest || cursor === null) return { rewrapped: 0, unreadable: 0, done: true };
    const keys = await openKeys(deps, tx, scope, newest);
    const { end, ...step } = await rewrapSlices(tx, keys, cursor);
    await moveCursor(tx, scope, newest.version, step.done ? null : end);
    if (step.done) await replaceOlder(tx, scope, newest.version, deps.clock());
    return step;
  });

interface Slices extends RewrapStep {
  /** Cursor after these records. */
  readonly end: string;
}

/**
 * Rewraps in a pipeline: this process rewraps one slice while the database writes the previous one and reads
 * the next.
 */
async function rewrapSlices(tx: Db, keys: MerchantKeys, begin: string): Promise<Slices> {
  const counts = { rewrapped: 0, unreadable: 0 };
  let [sliceEnd, cards] = [begin, await readSlice(tx, keys, begin)];
  let unstoredKeys: readonly FreshKey[] = [];
  for (let slice = 1; ; slice++) {
    sliceEnd = cursorAt(cards) ?? sliceEnd;
    const isLastPage = cards.length < SLICE_ROWS;
    const isLast = isLastPage || slice === SLICES;
    const [freshKeys, nextCards] = await Promise.all([
      rewrapSlice(keys, cards),
      storeAndRead(tx, keys, unstoredKeys, isLast ? undefined : sliceEnd),
    ]);
    counts.rewrapped += freshKeys.length;
    counts.unreadable += cards.length - freshKeys.length;
    if (isLast) {
      await storeSlice(tx, keys, freshKeys);
      return { ...counts, done: isLastPage, end: sliceEnd };
    }
    [cards, unstoredKeys] = [nextCards, freshKeys];
  }
}

async function storeAndRead(
  tx: Db,
  keys: MerchantKeys,
  fresh: readonly FreshKey[],
  cursor: string | undefined,
): Promise<CardKey[]> {
  await storeSlice(tx, keys, fresh);
  return cursor === undefined ? [] : readSlice(tx, keys, cursor);
}

/**
 * Forces index plans. A rotation outdates the table's statistics, and plans that read or sort the complete
 * table would exceed the statement timeout.
 */
const planByIndex = (tx: Db): Promise<unknown> =>
  tx.query(
    `select set_config('enable_' || name, 'off', true)
     from unnest(array['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin']) name`,
    [],
    'plan-by-index',
  );

/** Locks the newest key. This lock strength still allows new cards under the key. */
async function lockNewest(tx: Db, scope: Scope): Promise<NewestKek | undefined> {
  const [row] = await tx.query<NewestKek>(
    `select version, root_version, wrapped, rewrap_cursor from vault.keks
     where merchant_id = $1 and mode = $2 and destroyed_at is null
     order by version desc limit 1 for no key update`,
    [scope.merchant_id, scope.mode],
  );
  return row;
}

async function openKeys(
  { keks }: RewrapDeps,
  tx: Db,
  scope: Scope,
  newest: NewestKek,
): Promise<MerchantKeys> {
  const older = await olderKeks(tx, keks, scope, newest.version);
  return { scope, newest: await keks.unwrap(scope, newest), older };
}

async function olderKeks(
  tx: Db,
  keks: Keks,
  scope: Scope,
  version: number,
): Promise<ReadonlyMap<number, Kek>> {
  const rows = await tx.query<WrappedKek>(
    `select version, root_version, wrapped from vault.keks
     where merchant_id = $1 and mode = $2 and version < $3 and destroyed_at is null`,
    [scope.merchant_id, scope.mode, version],
  );
  const opened = await Promise.all(rows.map((row) => keks.unwrap(scope, row)));
  return new Map(opened.map((kek) => [kek.version, kek]));
}

const moveCursor = (
  tx: Db,
  { merchant_id, mode }: Scope,
  version: number,
  cursor: string | null,
): Promise<unknown> =>
  tx.query(
    'update vault.keks set rewrap_cursor = $4 where merchant_id = $1 and mode = $2 and version = $3',
    [merchant_id, mode, version, cursor],
  );

const replaceOlder = (
  tx: Db,
  { merchant_id, mode }: Scope,
  version: number,
  now: number,
): Promise<unknown> =>
  tx.query(
    `update vault.keks set destroy_at = $4
     where merchant_id = $1 and mode = $2 and version < $3 and destroyed_at is null`,
    [merchant_id, mode, version, new Date(now + REPLACED_KEK_GRACE_MS)],
  );
