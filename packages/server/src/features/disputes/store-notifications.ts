import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { insertRows } from '../../platform/database/rows.ts';
import { writeEvents } from '../../platform/outbox/events.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type {
  DisputeNotification,
  UnreadableNotification,
} from '../../processors/port/disputes.ts';
import type { Services } from '../../services.ts';
import { eventAbout } from '../records/emit.ts';
import { timelineOfRow } from '../timelines/timeline-of.ts';
import { changeDispute, emitReactions } from './change.ts';
import { createDisputeRow, decideOutcome, findDisputeProblem } from './decide.ts';
import { notifyOfOpening } from './notify-members.ts';
import { quarantineNotification, waitingRow } from './quarantine.ts';
import { findAuthorisation, findDispute, type NotificationSource } from './sql/disputes.ts';
import { deleteWaiting, storeWaiting } from './sql/waiting-disputes.ts';

/**
 * Stores a notification in the transaction that has locked the read position.
 * Defers notifications of payments without an outcome and quarantines unusable ones.
 * `findRetriableNotifications` returns both for a retry.
 */
export async function storeNotification(
  services: Services,
  tx: Db,
  source: NotificationSource,
  notification: DisputeNotification | UnreadableNotification,
): Promise<void> {
  if ('unreadable' in notification)
    return quarantineNotification(services, tx, source, notification, 'unreadable');
  const storedDispute = await findDispute(tx, source, notification.reference);
  const attempt = storedDispute ?? (await findAuthorisation(tx, source, notification.attempt_id));
  const problem = storedDispute ? undefined : findDisputeProblem(attempt, notification);
  if (problem) return quarantineNotification(services, tx, source, notification, problem);
  const timeline = await timelineOfPayment(services, source, attempt);
  const now = timeline.clock.now();
  const dispute =
    storedDispute ?? (await openDispute(timeline, tx, { source, notification, attempt, now }));
  if (!dispute) {
    return storeWaiting(tx, source, { ...waitingRow(notification), created_at: instantText(now) });
  }
  await deleteWaiting(tx, source, notification.reference, notification.position);
  const { status, is_second_round = false } = notification;
  if (status === 'open') return;
  const outcome = { status, is_second_round };
  await changeDispute(timeline, tx, keyOf(dispute), (row) => decideOutcome(row, outcome, now), now);
}

/** Timeline of the disputed payment. The dispute uses its clock. */
async function timelineOfPayment(
  services: Services,
  { mode }: NotificationSource,
  attempt: Row | undefined,
): Promise<Services> {
  if (!attempt) return services;
  const scope = { merchant_id: attempt.merchant_id as string, mode };
  return timelineOfRow(services, scope, 'disputes', attempt);
}

interface NewDispute {
  readonly source: NotificationSource;
  readonly notification: DisputeNotification;
  /** The disputed authorisation, if stored. */
  readonly attempt: Row | undefined;
  readonly now: Micros;
}

/** Stores a new dispute with its event. Undefined while the outcome of its payment is unknown. */
async function openDispute(
  services: Services,
  tx: Db,
  { source, notification, attempt = {}, now }: NewDispute,
): Promise<Row | undefined> {
  if (attempt.is_undecided === 't') {
    const logFields = { ...source, attempt: notification.attempt_id };
    services.logger.warn(logFields, 'dispute deferred: the outcome of its payment is unknown');
    return undefined;
  }
  const processor_now = services.system_clock.now();
  const dispute = createDisputeRow(source, notification, attempt, { now, processor_now });
  await insertRows(tx, services.catalog, 'disputes', [dispute]);
  const model = services.models.get('disputes');
  await writeEvents(tx, services.catalog, [eventAbout(model, dispute, 'created', now)]);
  await emitReactions(services, tx, dispute, now);
  await notifyOfOpening(services, tx, dispute, now);
  return dispute;
}

/** Converts a row to its notification. */
export const notificationOf = (row: Row): DisputeNotification => ({
  reference: row.reference as string,
  position: Number(row.position),
  attempt_id: row.attempt_id as string,
  reason: row.reason as DisputeNotification['reason'],
  amount: Number(row.amount_cents),
  currency: row.amount_currency as string,
  status: row.status as DisputeNotification['status'],
});
