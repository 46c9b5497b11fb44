import { type CopySession, copyRows } from '../../platform/database/wire/copy.ts';
import { microsOf } from '../../platform/time/clock.ts';
import { storeStop } from '../cells/sql/stops.ts';
import { moveAccessEpoch } from '../merchants/sql/access-epoch.ts';
import { alignRecords, recordAccountsOf } from '../processor-accounts/sql/merchant-records.ts';
import { verifyMerchantLedger } from '../settlement/verify-ledger.ts';
import { copyRules } from './copy-rules.ts';
import { readUsedAccounts } from './sql/accounts.ts';
import { arrivingRows, storedRows } from './sql/arrival.ts';
import { storeArrival } from './sql/arrivals.ts';
import { beginReading, digestOf, findShift } from './sql/copy.ts';
import { MOVED_SETTLEMENTS, settledTransfers } from './sql/moved-lines.ts';
import { nameMovedMerchant } from './sql/removal.ts';
import type { Arrival, MovedTable } from './tables.ts';

/** Two connections to the cells of a move. */
export interface Cells {
  readonly source: CopySession;
  readonly target: CopySession;
}

export interface CopyInput extends Omit<Arrival, 'stamp_shift'> {
  readonly merchant_id: string;
  readonly move_id: string;
  /** Name of the cell that the merchant leaves. */
  readonly source_name: string;
  readonly tables: readonly MovedTable[];
}

/** Result of a copy. */
export interface Copied {
  readonly rows: number;
  readonly tables: number;
}

/**
 * Copies all rows of a merchant into the target in one transaction. The transaction commits only if both cells have the same
 * rows and the ledger of the copy is right. A crash before leaves nothing there.
 */
export async function copyMerchant(cells: Cells, input: CopyInput): Promise<Copied> {
  const { source, target } = cells;
  const { merchant_id, tables } = input;
  await beginReading(source);
  await target.query('begin', []);
  try {
    await requireMatched(source, merchant_id, input.accounts);
    await storeStop(target, {
      merchant_id,
      move_id: input.move_id,
      state: 'arriving',
      other_cell: input.source_name,
      at: input.arrives_at,
    });
    await storeArrival(target, merchant_id, input.move_id);
    await nameMovedMerchant(target, merchant_id);
    const arrival = { ...input, stamp_shift: await findShift(source, target, merchant_id) };
    const rows = await copyTables(cells, tables, merchant_id, arrival);
    await copyRules(source, target, merchant_id, input.accounts);
    await alignRecords(target, merchant_id, microsOf(input.arrives_at));
    await recordAccountsOf(target, merchant_id, microsOf(input.arrives_at));
    await copyRows(source, settledTransfers(merchant_id), target, MOVED_SETTLEMENTS);
    const differences = await verifyMerchantLedger(target, merchant_id);
    if (differences.length > 0)
      throw new Error(`the ledger of the copy is not right:\n${differences.join('\n')}`);
    // Processes of the target may have cached that they do not know the merchant's keys.
    await moveAccessEpoch(target);
    await target.query('commit', []);
    return { rows, tables: tables.length };
  } catch (error) {
    await target.query('rollback', []).catch(() => {});
    throw error;
  } finally {
    await source.query('rollback', []).catch(() => {});
  }
}

/** An account that was connected since the command looked has none in the target that could take its place. */
async function requireMatched(
  source: CopySession,
  merchant_id: string,
  accounts: Arrival['accounts'],
): Promise<void> {
  const used = await readUsedAccounts(source, merchant_id);
  const added = used.filter(({ id }) => !Object.hasOwn(accounts, id as string));
  if (added.length === 0) return;
  const names = added.map(({ id, name }) => `${name} (${id})`).join(', ');
  throw new Error(
    `the merchant uses other accounts than when the command began: ${names}. Repeat the command`,
  );
}

async function copyTables(
  { source, target }: Cells,
  tables: readonly MovedTable[],
  merchant_id: string,
  arrival: Arrival,
): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    const columns = table.columns.map(({ name }) => name).join(', ');
    const sent = arrivingRows(table, merchant_id, arrival);
    rows += await copyRows(source, sent, target, `${table.name} (${columns})`);
    const [expected, found] = await Promise.all([
      digestOf(source, sent),
      digestOf(target, storedRows(table, merchant_id)),
    ]);
    if (found !== expected)
      throw new Error(
        `the copy of ${table.name} differs: ${expected} in the source, ${found} in the target`,
      );
  }
  return rows;
}
