import type { Db } from '../../../platform/database/db.ts';

/**
 * Deletes the counters of a sandbox whose documents are all removed: a counter that restarts beside documents would
 * give their numbers again. Returns the number of deleted rows.
 */
export async function removeDocumentCounters(tx: Db, merchant_id: string): Promise<number> {
  // The lock comes first, so that the delete sees documents of transactions that held the counter.
  const counters = await tx.query(
    `select kind from document_counters where merchant_id = $1 and mode = 'sandbox' for update skip locked`,
    [merchant_id],
    'lock_removable_document_counters',
  );
  if (counters.length === 0) return 0;
  const deletedRows = await tx.query(
    `delete from document_counters t where merchant_id = $1 and mode = 'sandbox' and kind = any ($2::text[])
       and not exists (select from documents d
         where d.merchant_id = t.merchant_id and d.mode = t.mode and d.kind = t.kind) returning 1`,
    [merchant_id, counters.map(({ kind }) => kind)],
    'remove_document_counters',
  );
  return deletedRows.length;
}
