import { createBatcher } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/database/db.ts';
import { isTrue, type Row } from '../../platform/database/row.ts';
import { keyText, type RowKey } from '../../platform/database/row-key.ts';
import { insertRows } from '../../platform/database/rows.ts';
import { type Change, lockRows, transition } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { attemptRow } from './attempts.ts';
import { healthOf } from './breaker.ts';
import { type Attempt, countAttempt, type DeliveryChange, decideDelivery } from './delivery.ts';
import { endpointOf, recordFindings } from './endpoints.ts';
import { type DeliveryLine, unblockDeliveries } from './sql/order.ts';

/** Delivery that was sent. */
interface SentDelivery {
  /** Delivery as claimed; `due_at` is the end of the attempt's lease. */
  readonly delivery: Row;
  readonly attempt: Attempt;
  /** Set for probes: end of the suspension, which was extended for the probe. */
  readonly probe_until?: Micros | undefined;
}

/** Claimed delivery that was not sent. */
interface UnsentDelivery {
  readonly delivery: Row;
  readonly change: DeliveryChange;
}

export type Result = SentDelivery | UnsentDelivery;

/** Records a result. Resolves with whether the endpoint is suspended now. */
export type Recorder = (result: Result) => Promise<boolean>;

export type RecorderServices = Pick<Services, 'db' | 'catalog' | 'clock' | 'logger'> &
  Partial<Pick<Services, 'system_clock' | 'batch_sizes'>> & {
    readonly config: Pick<Services['config'], 'webhook_retry_scale'>;
    readonly wake: Pick<Services['wake'], 'deliver'>;
  };

/** Results that justify a second transaction beside the first: small ones cost up to four times as much per result. */
const SECOND_BATCH_MIN = 64;

/** Records results of deliveries immediately; concurrent results share a transaction. */
export const createRecorder = (services: RecorderServices): Recorder =>
  createBatcher({
    run: (results: readonly Result[]) => recordAll(services, results),
    keyOf: ({ delivery }) => keyText(delivery),
    ownerOf: ({ delivery }) => delivery.merchant_id as string,
    second_batch_min: SECOND_BATCH_MIN,
    onBatch: services.batch_sizes?.observerOf('delivery results'),
  });

async function recordAll(
  services: RecorderServices,
  results: readonly Result[],
): Promise<boolean[]> {
  const { db, wake } = services;
  const { changedDeliveries, suspended, reopened } = await db.transaction(
    (tx) => store(tx, services, results),
    { plans: 'kept' },
  );
  const lines = changedDeliveries.flatMap(lineToMove);
  const unblockedCount = await unblock(services, lines);
  if (unblockedCount > 0 || reopened) wake.deliver.raise();
  return results.map(
    (result) => 'attempt' in result && suspended.has(keyText(endpointOf(result.delivery))),
  );
}

/**
 * Unblocks the next deliveries of lines. The results are stored, so an error must not record them again: blocked
 * deliveries are looked at again anyway.
 */
async function unblock(
  { db, clock, logger }: RecorderServices,
  lines: Parameters<typeof unblockDeliveries>[1],
): Promise<number> {
  try {
    return await unblockDeliveries(db, lines, instantText(clock.now()));
  } catch (err) {
    logger.warn({ err }, 'blocked deliveries wait for their next look');
    return 0;
  }
}

interface StoredChanges {
  readonly changedDeliveries: readonly Row[];
  /** Keys of suspended subscriptions. */
  readonly suspended: ReadonlySet<string>;
  /** Whether a suspension has ended. */
  readonly reopened: boolean;
}

/** Locks deliveries before their subscriptions. */
async function store(
  tx: Db,
  { catalog, clock, system_clock = clock, config }: RecorderServices,
  results: readonly Result[],
): Promise<StoredChanges> {
  const scale = config.webhook_retry_scale;
  const keys = results.map(({ delivery }) => delivery as unknown as RowKey);
  const rows = await lockRows(tx, 'webhook_deliveries', keys);
  const lockedResults = results.flatMap((result) => {
    const rowBefore = rows.get(keyText(result.delivery));
    return rowBefore ? [{ before: rowBefore, result }] : [];
  });
  const now = clock.now();
  const options = { table: 'webhook_deliveries' };
  const changes = lockedResults.flatMap(
    ({ before, result }) => changeOf(before, result, scale) ?? [],
  );
  const changedDeliveries = await transition(
    tx,
    catalog,
    { ...options, at: instantText(now) },
    changes,
  );
  const attemptResults = lockedResults.flatMap(({ before, result }) =>
    'attempt' in result ? [{ before, ...result }] : [],
  );
  const attempts = attemptResults.map(({ before, attempt }) => attemptRow(before, attempt));
  await insertRows(tx, catalog, 'webhook_delivery_attempts', attempts);
  const findings = attemptResults.map(({ before, attempt, probe_until }) => ({
    subscription: endpointOf(before),
    health: healthOf(attempt.answer),
    at: attempt.ended_at,
    probe_until,
  }));
  const system_now = system_clock.now();
  const endpointOptions = { catalog, now, system_now, scale };
  return { changedDeliveries, ...(await recordFindings(tx, endpointOptions, findings)) };
}

/**
 * Change of the locked delivery. If another worker has the lease, a failure changes nothing here,
 * but a success does. Every attempt is counted.
 */
function changeOf(lockedDelivery: Row, result: Result, scale: number): Change | undefined {
  const isCurrent =
    lockedDelivery.status === 'pending' && lockedDelivery.due_at === result.delivery.due_at;
  if ('change' in result)
    return isCurrent ? { before: lockedDelivery, ...result.change } : undefined;
  const change = decideDelivery(lockedDelivery, result.attempt, scale);
  const isApplicable =
    isCurrent || (lockedDelivery.status === 'pending' && change.trigger === 'deliver');
  return {
    before: lockedDelivery,
    ...(isApplicable ? change : { set: countAttempt(lockedDelivery, result.attempt) }),
  };
}

/**
 * Deliveries of the same record, if the end or blocking of this delivery may unblock one of them.
 */
const lineToMove = (row: Row): DeliveryLine[] =>
  row.order_key && (row.status !== 'pending' || isTrue(row.held_back))
    ? [row as unknown as DeliveryLine]
    : [];
