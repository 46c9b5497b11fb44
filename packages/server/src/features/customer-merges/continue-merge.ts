import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { findRow } from '../../platform/database/rows.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { lockRows, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { claimEach } from '../records/claim-each.ts';
import { nextStepAt } from './behaviour.ts';
import { untilNextLook } from './decide.ts';
import { type Moved, moveRecords } from './move-records.ts';

/** Merges that one step continues at once. */
const MERGES_MAX = 4;
/** Slices of a merge in one step, which must end within the lease. */
const SLICES_MAX = 10;
const LEASE_SECONDS = 60;
/** Seconds until the next look for records that others had locked. */
const LOCKED_WAIT_S = 1;

/** Moves the next records of merges that are due. Returns whether there may be more. */
export async function continueMerges(services: Services): Promise<boolean> {
  const claimedCount = await claimEach(
    { ...services, within: undefined },
    {
      table: 'customer_merges',
      limit: MERGES_MAX,
      lease_s: LEASE_SECONDS,
      failed: 'merge of customers not continued: retried after its lease',
      work: (row) => continueMerge(services, row),
    },
  );
  return claimedCount > 0;
}

async function continueMerge(services: Services, claimed: Row): Promise<void> {
  for (let slice = 0; slice < SLICES_MAX; slice++) {
    const hasMore = await services.db.transaction((tx) => moveSlice(services, tx, claimed));
    if (!hasMore) return;
  }
}

/** Moves one slice and stores the progress with it. Returns whether the next slice can follow at once. */
async function moveSlice(services: Services, tx: Db, claimed: Row): Promise<boolean> {
  const key = keyOf(claimed);
  const before = (await lockRows(tx, 'customer_merges', [key])).get(keyText(key));
  const scope = scopeOf(claimed);
  const source = await findRow(tx, 'customers', scope, claimed.source_id as string);
  // A sandbox reset removes both.
  if (!before || !source?.merged_into_id) return false;
  const now = services.timelines.of(scope).clock.now();
  const pair = {
    merchant_id: scope.merchant_id,
    source_id: source.id as string,
    // A later merge of the target has moved the pointer.
    target_id: source.merged_into_id,
  };
  const moved = await moveRecords(services, tx, pair, now);
  const count = Object.values(moved.counts).reduce((sum, of) => sum + of, 0);
  const set = {
    ...progressOf(before, moved, now),
    due_at: nextStepAt(services, waitOf(before, moved, count, now)),
  };
  const isSeen = count > 0 || 'completed_at' in set;
  const options = { table: 'customer_merges', at: instantText(now) };
  await transition(tx, services.catalog, options, [{ before, set, internal: !isSeen }]);
  return !moved.is_done && count > 0;
}

/** Columns after a slice. `now` is the time of the merchant's clock. */
function progressOf(before: Row, { counts, is_done }: Moved, now: Micros): Row {
  const added = Object.entries(counts).map(([name, more]) => [
    name,
    String(Number(before[name]) + more),
  ]);
  return {
    ...Object.fromEntries(added),
    ...(is_done && !before.completed_at && { completed_at: instantText(now) }),
  };
}

/** Wait before the next slice; undefined after the last look. */
function waitOf(before: Row, { is_done }: Moved, count: number, now: Micros): Micros | undefined {
  if (!is_done) return count > 0 ? 0 : seconds(LOCKED_WAIT_S);
  return untilNextLook(before.completed_at ?? instantText(now), now);
}
