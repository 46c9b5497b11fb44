import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import {
  EVIDENCE_REMINDER_S,
  type NotifiableChange,
  writeNotifiableChanges,
} from '../records/notifiable-changes.ts';

type ClockServices = Pick<Services, 'system_clock'>;

/** Notifies members of a new dispute, and again before its deadline. `now` is the time of the dispute's clock. */
export function notifyOfOpening(
  { system_clock }: ClockServices,
  tx: Db,
  dispute: Row,
  now: Micros,
): Promise<void> {
  const opened: NotifiableChange = { kind: 'dispute_opened', record: dispute };
  const reminder = reminderOf(dispute, now);
  return writeNotifiableChanges(tx, system_clock.now(), reminder ? [opened, reminder] : [opened]);
}

/** The bank's decision. A second chargeback is another decision about the same dispute. */
export async function notifyOfDecision(
  { system_clock }: ClockServices,
  tx: Db,
  dispute: Row,
): Promise<void> {
  if (dispute.status !== 'won' && dispute.status !== 'lost') return;
  await writeNotifiableChanges(tx, system_clock.now(), [
    { kind: 'dispute_decided', record: dispute },
  ]);
}

/** Undefined if the deadline is so near that the first notification is the reminder. */
function reminderOf(dispute: Row, now: Micros): NotifiableChange | undefined {
  if (!dispute.evidence_due_at) return undefined;
  const wait = microsOf(dispute.evidence_due_at) - now - seconds(EVIDENCE_REMINDER_S);
  if (wait <= 0) return undefined;
  return { kind: 'evidence_due', record: dispute, wait_s: Math.floor(wait / seconds(1)) };
}
