import type { Db } from '../../../platform/database/db.ts';
import { keyColumns, type RowKey } from '../../../platform/database/row-key.ts';

/**
 * Deletes locked attempts whose messages the vault did not accept, since an attempt is a message
 * that was sent.
 */
export async function deleteUnaccepted(tx: Db, keys: readonly RowKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(
    `delete from attempts where (merchant_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))
       and status = 'not_sent'`,
    keyColumns(keys),
    'delete_unaccepted_attempts',
  );
}
