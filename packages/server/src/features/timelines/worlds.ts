import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Within } from '../../platform/database/within.ts';
import { type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import { createSignal } from '../../platform/workers/signal.ts';
import type { Services, World, Worlds } from '../../services.ts';
import { lastChange, movedClocks } from './sql/sandbox-clocks.ts';
import { newWorld } from './world.ts';

/** The worlds, and what the claims of the ordinary one take. */
interface AllWorlds extends Worlds {
  ordinary(): Promise<Within | undefined>;
}

/** For so many polls claims believe what was read; where a process could not read in time they do. Fewer than a clock waits to be known. */
const BELIEVED_POLLS = 1.5;

/** Longer than a change of a clock may take to be committed, with the difference of machines' clocks. */
const SETTLED_S = 30;

/** `base` gives the services of the ordinary world, once there are any. */
export function createWorlds(db: Db, base: () => Services): AllWorlds {
  const wake = createSignal();
  const turns = createTurns();
  const woken = (world: World): void => {
    turns.first.add(world.id);
    wake.raise();
  };
  const list = createList(db, base, (row) =>
    newWorld(row, {
      base: base(),
      woken,
      within: async (world) => withinOf(world, await list.believed()),
    }),
  );
  return {
    wake,
    refresh: list.refresh,
    ordinary: async () => ordinaryOf(await list.believed()),
    of: (scope, customer_id) => worldOf(scope, customer_id, list.known())?.services ?? base(),
    haveCustomers: ({ merchant_id, mode }) =>
      mode === 'sandbox' && customersIn(list.known().byMerchant.get(merchant_id)).length > 0,
    next: (others_max) => turns.next(list.known().all, others_max),
    find: (id) => list.known().byId.get(id),
    get size() {
      return list.known().all.length;
    },
  };
}

/** What is in a world: a customer, or a merchant without its customers that have their own. */
function withinOf({ merchant_id, customer_id }: World, { byMerchant }: Known): Within {
  if (customer_id) return { of: 'customer', merchant_id, customer_id };
  return { of: 'merchant', merchant_id, customers: customersIn(byMerchant.get(merchant_id)) };
}

/** What is in no world; undefined where there are none. */
function ordinaryOf({ all }: Known): Within | undefined {
  if (all.length === 0) return undefined;
  const merchants = all.flatMap((one) => (one.customer_id ? [] : one.merchant_id));
  return { of: 'ordinary', merchants, customers: customersIn(all) };
}

function worldOf(
  { merchant_id, mode }: Scope,
  customer_id: string | null | undefined,
  { byOwner }: Known,
): World | undefined {
  if (mode === 'live') return undefined;
  return (customer_id ? byOwner.get(customer_id) : undefined) ?? byOwner.get(merchant_id);
}

const customersIn = (worlds: readonly World[] = []): string[] =>
  worlds.flatMap(({ customer_id }) => customer_id ?? []);

/** Whose turn it is to be looked at. */
function createTurns() {
  const first = new Set<string>();
  let passed = 0;
  return {
    first,
    next(all: readonly World[], others_max: number): World[] {
      const from = passed < all.length ? passed : 0;
      passed = from + others_max;
      const isNext = ({ id, target_at }: World, at: number): boolean =>
        (at >= from && at < passed) || target_at !== null || first.has(id);
      const next = all.filter(isNext);
      first.clear();
      return next;
    },
  };
}

/** The worlds as they were last read. One that is known keeps its services, which others hold. */
function createList(db: Db, base: () => Services, make: (row: Row) => World) {
  let known = indexed([]);
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const whereChanged = createLookout(db, () => base().machine.now());

  async function read(): Promise<void> {
    const began = base().config.monotonic_ms();
    await whereChanged(async () => {
      const rows = await movedClocks(db);
      known = indexed(rows.map((row) => current(row, known.byId.get(row.id as string), make)));
    });
    readAt = began;
  }

  const refresh = (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  return {
    refresh,
    known: () => known,
    async believed(): Promise<Known> {
      const { monotonic_ms, work_poll_ms } = base().config;
      if (monotonic_ms() - readAt > BELIEVED_POLLS * work_poll_ms) await refresh();
      return known;
    },
  };
}

/** A world as its row has it now; one that was known before keeps its services. */
function current(row: Row, before: World | undefined, make: (row: Row) => World): World {
  if (!before) return make(row);
  before.move(Number(row.ahead_seconds));
  return { ...before, target_at: row.target_at ?? null };
}

/** Has all read anew where something may have changed since it last was. */
function createLookout(db: Db, now: () => Micros) {
  let seen: string | undefined;
  /** Changes that are younger may become visible after this one. */
  const isOld = (change: string): boolean => now() - microsOf(change) > seconds(SETTLED_S);
  return async (readAll: () => Promise<void>): Promise<void> => {
    const change = await lastChange(db);
    if (change !== seen || (change !== undefined && !isOld(change))) await readAll();
    seen = change;
  };
}

type Known = ReturnType<typeof indexed>;

/** The worlds, also by their owners: customers, or merchants. */
const indexed = (all: readonly World[]) => ({
  all,
  byId: new Map(all.map((world) => [world.id, world])),
  byOwner: new Map(all.map((world) => [world.customer_id ?? world.merchant_id, world])),
  byMerchant: Map.groupBy(all, ({ merchant_id }) => merchant_id),
});
