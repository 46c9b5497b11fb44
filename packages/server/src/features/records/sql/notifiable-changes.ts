import type { Db } from '../../../platform/database/db.ts';

/** Stores changes, given as JSON rows. A pending change of the same kind and record stays as it is. */
export const insertNotifiableChanges = (tx: Db, rows: string): Promise<unknown> =>
  tx.query(
    `insert into notifiable_changes (merchant_id, mode, id, kind, record_id, due_at, created_at)
     select merchant_id, mode, id, kind, record_id, due_at, created_at
     from json_populate_recordset(null::notifiable_changes, $1::json)
     order by merchant_id, mode, kind, record_id
     on conflict (merchant_id, mode, kind, record_id) do nothing`,
    [rows],
    'insert_notifiable_changes',
  );
