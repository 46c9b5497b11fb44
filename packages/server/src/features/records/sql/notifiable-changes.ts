import type { Db } from '../../../platform/database/db.ts';

/**
 * Stores changes, given as JSON rows. A pending change of the same kind and record stays, locked until the commit: the
 * worker reads its record only then. The update waits for a worker that deletes the row, and then inserts the change.
 */
export const insertNotifiableChanges = (tx: Db, rows: string): Promise<unknown> =>
  tx.query(
    `insert into notifiable_changes (merchant_id, mode, id, kind, record_id, due_at, created_at)
     select distinct on (merchant_id, mode, kind, record_id)
       merchant_id, mode, id, kind, record_id, due_at, created_at
     from json_populate_recordset(null::notifiable_changes, $1::json)
     order by merchant_id, mode, kind, record_id, due_at
     on conflict (merchant_id, mode, kind, record_id) do update set kind = excluded.kind`,
    [rows],
    'insert_notifiable_changes',
  );
