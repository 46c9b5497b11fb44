import { type ChangeKind, notificationKinds } from '@florin/contract/member-notifications.ts';
import type { Db } from '../../../platform/database/db.ts';
import { notStopped } from '../../../platform/database/installation/stopped.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { RowKey } from '../../../platform/database/row-key.ts';

/** Locks the change that has been due for longest; another worker takes the next one. */
export async function lockDueChange(tx: Db, now: string): Promise<Row | undefined> {
  const [change] = await tx.query(
    `select t.* from notifiable_changes t where t.due_at <= $1 and ${notStopped('t.merchant_id')}
     order by t.due_at limit 1 for update skip locked`,
    [now],
    'lock_due_notifiable_change',
  );
  return change;
}

export const deleteChange = (tx: Db, { merchant_id, id }: RowKey): Promise<unknown> =>
  tx.query(
    'delete from notifiable_changes where merchant_id = $1 and id = $2',
    [merchant_id, id],
    'delete_notifiable_change',
  );

export const deferChange = (
  db: Db,
  { merchant_id, id }: RowKey,
  due_at: string,
): Promise<unknown> =>
  db.query(
    'update notifiable_changes set due_at = $3 where merchant_id = $1 and id = $2',
    [merchant_id, id, due_at],
    'defer_notifiable_change',
  );

/** Record of a change; undefined if it is removed. */
export async function findRecord(
  db: Db,
  { merchant_id, mode, record_id }: Row,
  kind: ChangeKind,
): Promise<Row | undefined> {
  const table = notificationKinds[kind];
  const [record] = await db.query(
    `select t.* from ${table} t where t.merchant_id = $1 and t.mode = $2 and t.id = $3`,
    [merchant_id, mode, record_id],
    `notified_${table}`,
  );
  return record;
}
