import { isPassingError } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/database/db.ts';
import { instantText } from '../../platform/time/clock.ts';
import type {
  DisputeNotification,
  NotificationsResult,
  UnreadableNotification,
} from '../../processors/port/disputes.ts';
import type { NetworkProcessor } from '../../processors/port/processor.ts';
import { sendPlain } from '../../processors/wire/send-plain.ts';
import type { Services } from '../../services.ts';
import { quarantineNotification } from './quarantine.ts';
import {
  findPosition,
  lockPosition,
  movePosition,
  type NotificationSource,
} from './sql/disputes.ts';
import { findRetriableNotifications } from './sql/waiting-disputes.ts';
import { notificationOf, storeNotification } from './store-notifications.ts';

/**
 * Reads and stores dispute notifications of a mode's processor. Returns whether there were new
 * ones.
 */
export async function readDisputeNotifications(
  services: Services,
  mode: 'live' | 'sandbox',
): Promise<boolean> {
  const processor = services.processorOf(mode);
  if (!processor) return false;
  const source: NotificationSource = { processor: processor.metadata.name, mode };
  const hasStored = [
    await retryDecided(services, source),
    await readNew(services, processor, source),
  ].some(Boolean);
  if (hasStored) services.wake.deliver.raise();
  return hasStored;
}

/**
 * Stores waiting notifications whose payments have an outcome now, and retries quarantined ones.
 */
async function retryDecided(services: Services, source: NotificationSource): Promise<boolean> {
  const now = instantText(services.clock.now());
  const retriableRows = await findRetriableNotifications(services.db, source, now);
  for (const row of retriableRows) {
    const runLocked: RunLocked = (work) =>
      services.db.transaction(async (tx) => {
        if ((await lockPosition(tx, source)) === undefined) return false;
        await work(tx);
        return true;
      });
    if (!(await storeOrQuarantine(services, source, notificationOf(row), runLocked))) return false;
  }
  return retriableRows.length > 0;
}

/**
 * Stores each notification in one transaction with the new read position. None is skipped or stored
 * twice.
 */
async function readNew(
  services: Services,
  processor: NetworkProcessor,
  source: NotificationSource,
): Promise<boolean> {
  const { lastRead, answer } = await queryNotifications(services, processor, source);
  if (answer.result === 'unknown') {
    services.logger.warn(
      { ...source, why: answer.why },
      'dispute notifications not read: the next poll retries',
    );
  }
  if (answer.result !== 'notifications') return false;
  let lastPosition = lastRead;
  for (const notification of answer.notifications) {
    const [expectedPosition, newPosition] = [
      lastPosition,
      Math.max(lastPosition, notification.position),
    ];
    const runLocked: RunLocked = (work) =>
      services.db.transaction(async (tx) => {
        if ((await lockPosition(tx, source)) !== expectedPosition) return false;
        await work(tx);
        await movePosition(tx, source, newPosition);
        return true;
      });
    if (!(await storeOrQuarantine(services, source, notification, runLocked)))
      return lastPosition > lastRead;
    lastPosition = newPosition;
  }
  return lastPosition > lastRead;
}

/**
 * Runs `work` in a transaction that locks the read position. Returns false if another worker has
 * the lock.
 */
type RunLocked = (work: (tx: Db) => Promise<void>) => Promise<boolean>;

/**
 * Stores or quarantines a notification, so that the next one can continue. A temporary error stops
 * the batch for a retry.
 */
async function storeOrQuarantine(
  services: Services,
  source: NotificationSource,
  notification: DisputeNotification | UnreadableNotification,
  runLocked: RunLocked,
): Promise<boolean> {
  try {
    return await runLocked((tx) => storeNotification(services, tx, source, notification));
  } catch (error) {
    if (isPassingError(error)) throw error;
    const logFields = {
      ...source,
      dispute: notification.reference,
      err: { message: (error as Error).message },
    };
    services.logger.error(logFields, 'dispute notification not stored and quarantined');
    return runLocked((tx) =>
      quarantineNotification(services, tx, source, notification, 'not_stored'),
    );
  }
}

/** Queries a processor for notifications after the read position. */
async function queryNotifications(
  { db }: Services,
  { disputes: { list } }: NetworkProcessor,
  source: NotificationSource,
): Promise<{ lastRead: number; answer: NotificationsResult }> {
  const lastRead = await findPosition(db, source);
  return {
    lastRead,
    answer: list.mapAnswer(await sendPlain(list.mapRequest({ after: lastRead }))),
  };
}

/** Whether a mode's processor has notifications that can be stored and are not stored yet. */
export async function hasDisputeNotifications(
  services: Services,
  mode: 'live' | 'sandbox',
): Promise<boolean> {
  const processor = services.processorOf(mode);
  if (!processor) return false;
  const source: NotificationSource = { processor: processor.metadata.name, mode };
  const now = instantText(services.clock.now());
  if ((await findRetriableNotifications(services.db, source, now)).length > 0) return true;
  const { answer } = await queryNotifications(services, processor, source);
  return answer.result === 'notifications' && answer.notifications.length > 0;
}
