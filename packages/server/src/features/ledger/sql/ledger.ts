import { type Catalog, recordsetOf } from '../../../platform/database/catalog.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';

/** Columns that the database sets. */
const OWN_COLUMNS: readonly string[] = ['posted_in'];

/** Appends transfers, in the transaction of the changes that cause them. The caller has locked their payments. */
export async function appendTransfers(
  tx: Db,
  catalog: Catalog,
  transfers: readonly Row[],
): Promise<void> {
  if (transfers.length === 0) return;
  const table = catalog('ledger_transfers');
  const columns = table.columns.filter((column) => !OWN_COLUMNS.includes(column)).join(', ');
  await tx.query(
    `insert into ledger_transfers (${columns})
     select ${columns} from json_populate_recordset(null::ledger_transfers, $1::json)`,
    [recordsetOf(table, transfers)],
    'append_transfers',
  );
}
