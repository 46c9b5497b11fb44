import type { ChangeKind } from '@florin/contract/member-notifications.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { uuidv7 } from '../../platform/ids.ts';
import { instantText, type Micros, seconds } from '../../platform/time/clock.ts';
import { insertNotifiableChanges } from './sql/notifiable-changes.ts';

/** Seconds of failures after which members are notified of a webhook. */
export const FAILING_S = 24 * 3_600;
/** Seconds before the deadline for evidence at which members are reminded. */
export const EVIDENCE_REMINDER_S = 3 * 24 * 3_600;

/** A change that the members of a merchant are notified of. */
export interface NotifiableChange {
  readonly kind: ChangeKind;
  /** Merchant, mode and id of the record. */
  readonly record: Row;
  /** Seconds until the notification. Without a value it is due at once. */
  readonly wait_s?: number;
}

/**
 * Stores changes in the caller's transaction, due by the system clock. A pending change of the same kind and record
 * stays: `member-notifications` reads the record when the change is due.
 */
export async function writeNotifiableChanges(
  tx: Db,
  now: Micros,
  changes: readonly NotifiableChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const values = changes.map(({ kind, record, wait_s = 0 }) => ({
    merchant_id: record.merchant_id,
    mode: record.mode,
    id: uuidv7(now),
    kind,
    record_id: record.id,
    due_at: instantText(now + seconds(wait_s)),
    created_at: instantText(now),
  }));
  await insertNotifiableChanges(tx, JSON.stringify(values));
}
