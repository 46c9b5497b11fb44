import type { Clock } from '../kernel/clock.ts';
import type { Scope } from '../kernel/scope.ts';
import type { Kek, Keks, WrappedKek } from '../keys/keks.ts';
import type { Database, Db } from '../store/db.ts';
import {
  type CardKey,
  cursorAfter,
  type MerchantKeys,
  type RewrappedKey,
  readSlice,
  rewrapSlice,
  SLICE_ROWS,
  storeSlice,
} from './rewrap-slice.ts';

/** Slices per transaction. */
const SLICES_PER_TRANSACTION = 4;
/** Grace period of a replaced key, for records whose encryption with it was already running. */
export const REPLACED_KEK_GRACE_MS = 60 * 60 * 1000;

export interface RewrapDeps {
  readonly db: Database;
  readonly keks: Keks;
  readonly clock: Clock;
}

/** Result of one transaction of a rotation. */
export interface RewrapStep {
  readonly rewrappedCount: number;
  /** Records whose data key cannot be decrypted, which stay unchanged. */
  readonly unreadableCount: number;
  readonly isDone: boolean;
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
    await forceIndexPlans(tx);
    const newestKek = await lockNewest(tx, scope);
    const cursor = newestKek?.rewrap_cursor ?? null;
    if (!newestKek || cursor === null)
      return { rewrappedCount: 0, unreadableCount: 0, isDone: true };
    const keys = await openKeys(deps, tx, scope, newestKek);
    const { endCursor, ...step } = await rewrapSlices(tx, keys, cursor);
    await moveCursor(tx, scope, newestKek.version, step.isDone ? null : endCursor);
    if (step.isDone) await scheduleDestructionOfOlder(tx, scope, newestKek.version, deps.clock());
    return step;
  });

interface SlicesResult extends RewrapStep {
  /** Cursor after these records. */
  readonly endCursor: string;
}

/**
 * Rewraps in a pipeline: this process rewraps one slice while the database writes the previous one and reads
 * the next.
 */
async function rewrapSlices(
  tx: Db,
  keys: MerchantKeys,
  startCursor: string,
): Promise<SlicesResult> {
  const counts = { rewrappedCount: 0, unreadableCount: 0 };
  let [sliceEnd, cards] = [startCursor, await readSlice(tx, keys, startCursor)];
  let unstoredKeys: readonly RewrappedKey[] = [];
  for (let slice = 1; ; slice++) {
    sliceEnd = cursorAfter(cards) ?? sliceEnd;
    const isLastPage = cards.length < SLICE_ROWS;
    const isLast = isLastPage || slice === SLICES_PER_TRANSACTION;
    const [rewrappedKeys, nextCards] = await Promise.all([
      rewrapSlice(keys, cards),
      storeAndRead(tx, keys, unstoredKeys, isLast ? undefined : sliceEnd),
    ]);
    counts.rewrappedCount += rewrappedKeys.length;
    counts.unreadableCount += cards.length - rewrappedKeys.length;
    if (isLast) {
      await storeSlice(tx, keys, rewrappedKeys);
      return { ...counts, isDone: isLastPage, endCursor: sliceEnd };
    }
    [cards, unstoredKeys] = [nextCards, rewrappedKeys];
  }
}

async function storeAndRead(
  tx: Db,
  keys: MerchantKeys,
  rewrappedKeys: readonly RewrappedKey[],
  cursor: string | undefined,
): Promise<CardKey[]> {
  await storeSlice(tx, keys, rewrappedKeys);
  return cursor === undefined ? [] : readSlice(tx, keys, cursor);
}

/**
 * Forces index plans. A rotation outdates the table's statistics, and plans that read or sort the complete
 * table would exceed the statement timeout.
 */
const forceIndexPlans = (tx: Db): Promise<unknown> =>
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
  newestKek: NewestKek,
): Promise<MerchantKeys> {
  const olderKeks = await loadOlderKeks(tx, keks, scope, newestKek.version);
  return { scope, newest: await keks.unwrap(scope, newestKek), older: olderKeks };
}

async function loadOlderKeks(
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
  const olderKeks = await Promise.all(rows.map((row) => keks.unwrap(scope, row)));
  return new Map(olderKeks.map((kek) => [kek.version, kek]));
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

const scheduleDestructionOfOlder = (
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
