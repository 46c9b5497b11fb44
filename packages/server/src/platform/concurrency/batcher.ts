import { codeOf, databaseFaultOf } from '@florin/contract/database/fault.ts';
import { createFairQueue } from './fair-queue.ts';
import { OverloadedError } from './overloaded.ts';

export interface BatcherOptions<In, Out> {
  /** Handles all waiting items at once and answers each at its own index. An `Error` answers one item alone. */
  readonly run: (items: readonly In[]) => Promise<readonly (Out | Error)[]>;
  /** Two items of one key never share a batch, nor are in flight together. */
  readonly keyOf?: (item: In) => string | undefined;
  /** Whose an item is. Owners take turns, and in a full queue those with the most items give way to others. */
  readonly ownerOf?: (item: In) => string;
  readonly batch_max?: number;
  readonly in_flight_max?: number;
  /** Beside a batch that is under way another one leaves with as many items only, so that batches cost less each; default 1. */
  readonly beside_min?: number;
  /** Fewer leave beside it after this long, milliseconds: it may be a lock that it waits for. Default 100. */
  readonly beside_wait_ms?: number;
  readonly queue_max?: number;
}

const BATCH_MAX = 256;
const IN_FLIGHT_MAX = 2;
const QUEUE_MAX = 4096;
const BESIDE_WAIT_MS = 100;

interface Waiting<In, Out> {
  readonly item: In;
  readonly key: string | undefined;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: while one batch is on its way, callers gather into the next. A caller alone waits for nothing but its
 * own statement; the one timer is for those who are too few to leave beside a batch.
 */
export function createBatcher<In, Out>(
  options: BatcherOptions<In, Out>,
): (item: In) => Promise<Out> {
  const {
    run,
    keyOf,
    ownerOf,
    batch_max = BATCH_MAX,
    in_flight_max = IN_FLIGHT_MAX,
    beside_min = 1,
    beside_wait_ms = BESIDE_WAIT_MS,
    queue_max = QUEUE_MAX,
  } = options;
  const queue = createFairQueue<Waiting<In, Out>>(queue_max);
  const busyKeys = new Set<string>();
  let inFlight = 0;
  let scheduled = false;

  let patience: NodeJS.Timeout | undefined;

  const schedule = (): void => {
    if (scheduled || inFlight >= in_flight_max || queue.size === 0) return;
    const least = inFlight === 0 ? 1 : beside_min;
    if (queue.size >= least) leave();
    else patience ??= setTimeout(leave, beside_wait_ms);
  };

  function leave(): void {
    clearTimeout(patience);
    patience = undefined;
    scheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    const batch = queue.take(batch_max, beginKey);
    if (batch.length === 0) return;
    inFlight++;
    void settle(batch, run).finally(() => {
      inFlight--;
      for (const { key } of batch) if (key !== undefined) busyKeys.delete(key);
      schedule();
    });
    schedule();
  }

  /** Whether nothing of the item's key is in flight; from now on the item is. */
  function beginKey({ key }: Waiting<In, Out>): boolean {
    if (key === undefined) return true;
    if (busyKeys.has(key)) return false;
    busyKeys.add(key);
    return true;
  }

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      const waiting = { item, key: keyOf?.(item), resolve, reject };
      const displaced = queue.add(ownerOf?.(item) ?? '', waiting);
      displaced?.reject(new OverloadedError(`more than ${queue_max} requests are waiting`));
      schedule();
    });
}

async function settle<In, Out>(
  batch: readonly Waiting<In, Out>[],
  run: BatcherOptions<In, Out>['run'],
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    batch.forEach(({ resolve, reject }, at) => {
      const result = results[at];
      if (result instanceof Error) reject(result);
      else resolve(result as Out);
    });
  } catch (error) {
    await settleApart(batch, run, error);
  }
}

/**
 * One bad item must not fail its neighbours: the batch is halved until it stands alone. Where it waits for a lock
 * of somebody else, the halves do not wait for each other as well.
 */
async function settleApart<In, Out>(
  batch: readonly Waiting<In, Out>[],
  run: BatcherOptions<In, Out>['run'],
  error: unknown,
): Promise<void> {
  if (batch.length === 1 || !mayBeOneItem(error)) {
    for (const { reject } of batch) reject(error);
    return;
  }
  const middle = Math.ceil(batch.length / 2);
  const first = settle(batch.slice(0, middle), run);
  if (codeOf(error) !== LOCK_NOT_AVAILABLE) await first;
  await Promise.all([first, settle(batch.slice(middle), run)]);
}

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code);

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Whether one item may be to blame: of the database's errors, for data, constraints, triggers and rows that others
 * lock. After a broken connection nobody knows whether the batch was committed, so it is not run again.
 */
function mayBeOneItem(error: unknown): boolean {
  const code = codeOf(error);
  if (databaseFaultOf(error)) return false;
  return !isSqlState(code) || code === LOCK_NOT_AVAILABLE || /^(?:22|23|P0)/.test(code);
}

/**
 * Whether the database failed for a reason that passes: it cannot be asked, a statement or lock took too long
 * (57014, 55P03), a race was lost (class 40), or it has too few resources (class 53).
 */
export const isPassingError = (error: unknown): boolean =>
  databaseFaultOf(error) !== undefined ||
  /^(?:57014|55P03|40[0-9A-Z]{3}|53[0-9A-Z]{3})$/.test(codeOf(error));
