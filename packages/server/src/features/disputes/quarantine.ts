import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import type {
  DisputeNotification,
  UnreadableNotification,
} from '../../processors/port/disputes.ts';
import type { Services } from '../../services.ts';
import type { DisputeProblem } from './decide.ts';
import type { NotificationSource } from './sql/disputes.ts';
import { findProblem, storeWaiting, unreadableReference } from './sql/waiting-disputes.ts';

/** Wait before a quarantined dispute is retried: one hour. */
export const RETRY_SECONDS = 60 * 60;

/** Log message about a quarantined dispute, by its problem. */
const adviceByProblem: Readonly<Record<DisputeProblem, string>> = {
  unreadable:
    'dispute notification not readable: ask the processor for the dispute by its reference',
  not_stored: 'dispute not stored: see the error before this message; retried every hour',
  unknown_payment:
    'dispute of an unknown payment: ask the processor which payment the dispute belongs to',
  not_approved:
    'dispute of a payment that was not captured: ask the processor which amount was captured',
  other_currency:
    'dispute in another currency than its payment: ask the processor for the disputed amount',
};

/**
 * Quarantines a notification with its problem, so that later notifications continue. Logs each
 * problem of a notification once.
 */
export async function quarantineNotification(
  services: Services,
  tx: Db,
  source: NotificationSource,
  notification: DisputeNotification | UnreadableNotification,
  problem: DisputeProblem,
): Promise<void> {
  const now = services.clock.now();
  const isUnreadable = 'unreadable' in notification;
  const row = isUnreadable ? unreadableRow(notification) : waitingRow(notification);
  const storedProblem = await findProblem(tx, source, row.reference as string);
  const due_at = isUnreadable ? null : instantText(now + seconds(RETRY_SECONDS));
  await storeWaiting(tx, source, { ...row, problem, due_at, created_at: instantText(now) });
  if (storedProblem === problem) return;
  const logFields = {
    ...source,
    dispute: notification.reference,
    attempt: row.attempt_id,
    problem,
  };
  services.logger.error(logFields, adviceByProblem[problem]);
}

const unreadableRow = ({ reference, position }: UnreadableNotification): Row => ({
  reference: unreadableReference(reference, position),
  position: String(position),
});

/** Converts a notification to its row. */
export const waitingRow = ({
  reference,
  position,
  attempt_id,
  reason,
  amount,
  currency,
  status,
}: DisputeNotification): Row => ({
  reference,
  position: String(position),
  attempt_id,
  reason,
  amount_cents: String(amount),
  amount_currency: currency,
  status,
});
