import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { ClaimScope } from '../../platform/database/within.ts';
import { type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import { createSignal, type Signal } from '../../platform/workers/signal.ts';
import type { Services, Timeline, Timelines } from '../../services.ts';
import { lastChange, movedClocks } from './sql/sandbox-clocks.ts';
import { newTimeline } from './timeline.ts';

/** All timelines, and the rows that claims of the default timeline may take. */
interface AllTimelines extends Timelines {
  defaultRows(): Promise<ClaimScope | undefined>;
}

/**
 * Poll intervals after which claims read the clocks again. A changed clock waits longer than this
 * for other processes.
 */
const FRESH_POLLS = 1.5;

/**
 * Seconds within which a change of a clock becomes visible: its commit, plus the difference between
 * system clocks.
 */
const CACHE_SECONDS = 30;

/**
 * Creates the list of timelines. `base` returns the services of the default timeline once they
 * exist. `wake` checks timelines, here or in other processes.
 */
export function createTimelines(
  db: Db,
  base: () => Services,
  wake: Signal = createSignal(),
): AllTimelines {
  const rotation = createRotation();
  const onWake = (timeline: Timeline): void => {
    rotation.wokenIds.add(timeline.id);
    wake.raise();
  };
  const list = createList(db, base, (row) =>
    newTimeline(row, {
      base: base(),
      onWake,
      within: async (timeline) => withinOf(timeline, await list.upToDate()),
    }),
  );
  return {
    wake,
    refresh: list.refresh,
    wakeAll() {
      const running = list.known().all.filter((timeline) => timeline.isRunning());
      for (const { services } of running)
        for (const signal of Object.values(services.wake)) signal.raise();
      wake.raise();
    },
    defaultRows: async () => defaultRowsOf(await list.upToDate()),
    of: (scope, customer_id) => timelineOf(scope, customer_id, list.known())?.services ?? base(),
    haveCustomers: ({ merchant_id, mode }) =>
      mode === 'sandbox' && customersIn(list.known().byMerchant.get(merchant_id)).length > 0,
    next: (others_max) => rotation.takeNext(list.known().all, others_max),
    find: (id) => list.known().byId.get(id),
    get size() {
      return list.known().all.length;
    },
  };
}

/** Rows of a timeline: of a customer, or of a merchant except customers with own clocks. */
function withinOf(
  { merchant_id, customer_id }: Timeline,
  { byMerchant }: IndexedClocks,
): ClaimScope {
  if (customer_id) return { of: 'customer', merchant_id, customer_id };
  return { of: 'merchant', merchant_id, customers: customersIn(byMerchant.get(merchant_id)) };
}

/** Rows of the default timeline; undefined if there is no other timeline. */
function defaultRowsOf({ all }: IndexedClocks): ClaimScope | undefined {
  if (all.length === 0) return undefined;
  const merchants = all.flatMap((clock) => (clock.customer_id ? [] : clock.merchant_id));
  return { of: 'default', merchants, customers: customersIn(all) };
}

function timelineOf(
  { merchant_id, mode }: Scope,
  customer_id: string | null | undefined,
  { byOwner }: IndexedClocks,
): Timeline | undefined {
  if (mode === 'live') return undefined;
  return (customer_id ? byOwner.get(customer_id) : undefined) ?? byOwner.get(merchant_id);
}

const customersIn = (timelines: readonly Timeline[] = []): string[] =>
  timelines.flatMap(({ customer_id }) => customer_id ?? []);

/** Selects timelines in turn. Advancing and woken timelines are in every selection. */
function createRotation() {
  const wokenIds = new Set<string>();
  let nextIndex = 0;
  return {
    wokenIds,
    takeNext(timelines: readonly Timeline[], others_max: number): Timeline[] {
      const from = nextIndex < timelines.length ? nextIndex : 0;
      nextIndex = from + others_max;
      const isNext = ({ id, target_at }: Timeline, at: number): boolean =>
        (at >= from && at < nextIndex) || target_at !== null || wokenIds.has(id);
      const nextTimelines = timelines.filter(isNext);
      wokenIds.clear();
      return nextTimelines;
    },
  };
}

/**
 * Timelines as last read. A timeline keeps its services across reads, because other code uses them.
 */
function createList(db: Db, base: () => Services, createTimeline: (row: Row) => Timeline) {
  let cachedClocks = indexTimelines([]);
  let readAt = Number.NEGATIVE_INFINITY;
  let pendingRead: Promise<void> | undefined;
  const ifChanged = createChangeCheck(db, () => base().system_clock.now());

  async function read(): Promise<void> {
    const readStart = base().config.monotonic_ms();
    await ifChanged(async () => {
      const rows = await movedClocks(db);
      cachedClocks = indexTimelines(
        rows.map((row) =>
          currentTimeline(row, cachedClocks.byId.get(row.id as string), createTimeline),
        ),
      );
    });
    readAt = readStart;
  }

  const refresh = (): Promise<void> => {
    pendingRead ??= read().finally(() => {
      pendingRead = undefined;
    });
    return pendingRead;
  };

  return {
    refresh,
    known: () => cachedClocks,
    async upToDate(): Promise<IndexedClocks> {
      const { monotonic_ms, timelines_poll_ms } = base().config;
      if (monotonic_ms() - readAt > FRESH_POLLS * timelines_poll_ms) await refresh();
      return cachedClocks;
    },
  };
}

/** Timeline with its current row. A known timeline keeps its services. */
function currentTimeline(
  row: Row,
  knownTimeline: Timeline | undefined,
  createTimeline: (row: Row) => Timeline,
): Timeline {
  if (!knownTimeline) return createTimeline(row);
  knownTimeline.move(Number(row.ahead_seconds));
  return { ...knownTimeline, target_at: row.target_at ?? null };
}

/** Reads all timelines again when a clock may have changed. */
function createChangeCheck(db: Db, now: () => Micros) {
  let lastSeenChange: string | undefined;
  /** Whether a change is so old that all earlier changes are visible. */
  const isOld = (change: string): boolean => now() - microsOf(change) > seconds(CACHE_SECONDS);
  return async (readAll: () => Promise<void>): Promise<void> => {
    const change = await lastChange(db);
    if (change !== lastSeenChange || (change !== undefined && !isOld(change))) await readAll();
    lastSeenChange = change;
  };
}

type IndexedClocks = ReturnType<typeof indexTimelines>;

/** Timelines with indexes by id, customer and merchant. */
const indexTimelines = (timelines: readonly Timeline[]) => ({
  all: timelines,
  byId: new Map(timelines.map((timeline) => [timeline.id, timeline])),
  byOwner: new Map(
    timelines.map((timeline) => [timeline.customer_id ?? timeline.merchant_id, timeline]),
  ),
  byMerchant: Map.groupBy(timelines, ({ merchant_id }) => merchant_id),
});
