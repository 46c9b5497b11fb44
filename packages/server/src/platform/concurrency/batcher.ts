import { codeOf, databaseFaultOf } from '@florin/contract/database/fault.ts';
import { createFairQueue } from './fair-queue.ts';
import { OverloadedError } from './overloaded.ts';

export interface BatcherOptions<In, Out> {
  /** Handles the items of a batch; returns one result per index. An `Error` fails only its own item. */
  readonly run: (items: readonly In[]) => Promise<readonly (Out | Error)[]>;
  /** Items with the same key are never in the same batch, nor in flight concurrently. */
  readonly keyOf?: (item: In) => string | undefined;
  /** Owner of an item. Owners take turns. A full queue drops items of the owner with the most items. */
  readonly ownerOf?: (item: In) => string;
  readonly batch_max?: number;
  readonly in_flight_max?: number;
  /** Minimum size of a batch that starts while another runs; default 1. Larger batches cost less per item. */
  readonly second_batch_min?: number;
  /**
   * Wait in milliseconds after which a smaller batch starts too, since the running one may wait for a lock.
   * Default 100.
   */
  readonly second_batch_wait_ms?: number;
  readonly queue_max?: number;
  /** Called with the size of each batch that starts. */
  readonly onBatch?: ((size: number) => void) | undefined;
}

const BATCH_MAX = 256;
const IN_FLIGHT_MAX = 2;
const QUEUE_MAX = 4096;
const SECOND_BATCH_WAIT_MS = 100;

interface WaitingItem<In, Out> {
  readonly item: In;
  readonly key: string | undefined;
  readonly owner: string;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: while one batch runs, further items collect for the next. A single item waits only for its
 * own statement. Only batches below the minimum wait for a timer.
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
    second_batch_min = 1,
    second_batch_wait_ms = SECOND_BATCH_WAIT_MS,
    queue_max = QUEUE_MAX,
    onBatch,
  } = options;
  const queue = createFairQueue<WaitingItem<In, Out>>(queue_max);
  const busyKeys = new Set<string>();
  let inFlight = 0;
  let isScheduled = false;

  let timeout: NodeJS.Timeout | undefined;

  const schedule = (): void => {
    if (isScheduled || inFlight >= in_flight_max || queue.size === 0) return;
    const minimumSize = inFlight === 0 ? 1 : second_batch_min;
    if (queue.size >= minimumSize) start();
    else timeout ??= setTimeout(start, second_batch_wait_ms);
  };

  function start(): void {
    clearTimeout(timeout);
    timeout = undefined;
    isScheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    isScheduled = false;
    const batch = queue.take(batch_max, beginKey);
    if (batch.length === 0) return;
    onBatch?.(batch.length);
    inFlight++;
    void runBatch(batch, run).finally(() => {
      inFlight--;
      for (const { key } of batch) if (key !== undefined) busyKeys.delete(key);
      schedule();
    });
    schedule();
  }

  /** Marks the item's key as in flight; returns false if it already is. */
  function beginKey({ key }: WaitingItem<In, Out>): boolean {
    if (key === undefined) return true;
    if (busyKeys.has(key)) return false;
    busyKeys.add(key);
    return true;
  }

  const overloaded = ({ owner }: WaitingItem<In, Out>): Error =>
    new OverloadedError({
      limit: 'waiting',
      max: queue_max,
      ...(ownerOf && { of_owner: queue.waitingOf(owner) }),
    });

  return (item) =>
    new Promise<Out>((resolve, reject) => {
      const owner = ownerOf?.(item) ?? '';
      const displacedItem = queue.add(owner, { item, key: keyOf?.(item), owner, resolve, reject });
      displacedItem?.reject(overloaded(displacedItem));
      schedule();
    });
}

async function runBatch<In, Out>(
  batch: readonly WaitingItem<In, Out>[],
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
    await runSeparately(batch, run, error);
  }
}

/**
 * Isolates a bad item by halving the batch, so that its neighbours succeed. The halves run in sequence, so
 * that a foreign lock delays only one of them.
 */
async function runSeparately<In, Out>(
  batch: readonly WaitingItem<In, Out>[],
  run: BatcherOptions<In, Out>['run'],
  error: unknown,
): Promise<void> {
  if (batch.length === 1 || !mayConcernOneItem(error)) {
    for (const { reject } of batch) reject(error);
    return;
  }
  const middle = Math.ceil(batch.length / 2);
  const firstHalf = runBatch(batch.slice(0, middle), run);
  if (codeOf(error) !== LOCK_NOT_AVAILABLE) await firstHalf;
  await Promise.all([firstHalf, runBatch(batch.slice(middle), run)]);
}

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code);

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Whether a single item may cause the error: data, constraint, trigger or lock errors. After a broken
 * connection the commit is uncertain, so the batch is not repeated.
 */
function mayConcernOneItem(error: unknown): boolean {
  const code = codeOf(error);
  if (databaseFaultOf(error)) return false;
  return !isSqlState(code) || code === LOCK_NOT_AVAILABLE || /^(?:22|23|P0)/.test(code);
}

/**
 * Whether a database error is temporary: unreachable, timeout (57014, 55P03), conflict (class 40), or lack of
 * resources (class 53).
 */
export const isPassingError = (error: unknown): boolean =>
  databaseFaultOf(error) !== undefined ||
  /^(?:57014|55P03|40[0-9A-Z]{3}|53[0-9A-Z]{3})$/.test(codeOf(error));
