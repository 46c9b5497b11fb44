import type { Database, Db } from '../../../platform/database/db.ts';

/**
 * Timeout of the search for the newest stamp. Long, since no transfer can be written until it ends.
 */
const SEARCH_MS = 60_000;

/**
 * SQL: a row of `ledger_anchor` was written in this cluster. The row is never updated, so `xmin`
 * equals its transaction. In a restored dump or a replica, `xmin` differs.
 */
export const IS_ANCHOR = 'ledger_anchor.xmin::text::bigint = anchored_in % 4294967296';

async function isAnchored(db: Db): Promise<boolean> {
  const rows = await db.query(
    `select from ledger_anchor where ${IS_ANCHOR}`,
    [],
    'ledger_anchored',
    'kept',
  );
  return rows.length > 0;
}

/**
 * Binds the stamps of transfers to this cluster's transaction counter. New stamps continue after the stored ones.
 * Returns true if the database was restored from another cluster, and so needed a new anchor.
 */
export async function ensureAnchor(db: Database): Promise<boolean> {
  if (await isAnchored(db)) return false;
  return db.transaction(anchorLedger, { statement_timeout_ms: SEARCH_MS });
}

/**
 * Locks the horizon first, as all code does. The table lock waits for transactions whose stamps are
 * not visible yet.
 */
async function anchorLedger(tx: Db): Promise<boolean> {
  await tx.query('select from balance_horizon for update', []);
  await tx.query('lock table ledger_transfers in share row exclusive mode', []);
  if (await isAnchored(tx)) return false;
  await tx.query('delete from ledger_anchor', []);
  await tx.query(
    `insert into ledger_anchor (stamp_offset)
     select greatest(posted_before, newest.stamp + 1) - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
     from balance_horizon, (select max(posted_in) as stamp from ledger_transfers
       where posted_in >= (select posted_before from balance_horizon)) newest`,
    [],
  );
  return true;
}
