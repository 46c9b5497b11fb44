import { describeHolder, HOLDER_COLUMNS } from '@florin/contract/migrations/locks.ts';
import type { Db } from '../../../platform/database/db.ts';

/** SQL: key of the advisory lock on the move of the merchant `$1` in this cell. Two cells may be schemas of one database. */
const MERCHANT = `hashtextextended('move of ' || $1::text || ' in ' || current_schema(), 0)`;

/** Locks the move of a merchant in this cell until the connection ends. Returns false while another command has the lock. */
export async function tryHoldMerchant(cell: Db, merchant_id: string): Promise<boolean> {
  const [row] = await cell.query(`select pg_try_advisory_lock(${MERCHANT}) as is_held`, [
    merchant_id,
  ]);
  return row?.is_held === 't';
}

const HOLDER = `from pg_locks l join pg_stat_activity a on a.pid = l.pid cross join (select ${MERCHANT} as key) k
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid::bigint = (k.key >> 32) & 4294967295 and l.objid::bigint = k.key & 4294967295`;

/** Ends the connection of the command that holds the lock. Returns its description; undefined if there is none. */
export async function endHolder(cell: Db, merchant_id: string): Promise<string | undefined> {
  const [row] = await cell.query(`select ${HOLDER_COLUMNS} ${HOLDER}`, [merchant_id]);
  // Another login may be refused: the caller then names the process.
  await cell.query(`select pg_terminate_backend(l.pid) ${HOLDER}`, [merchant_id]).catch(() => {});
  return row && describeHolder(row);
}
