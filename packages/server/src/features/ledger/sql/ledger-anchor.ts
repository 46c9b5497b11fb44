import type { Database, Db } from '../../../platform/database/db.ts';

/**
 * Timeout of the search for the newest stamp. Long, since no transfer can be written without an
 * anchor.
 */
const SEARCH_MS = 60_000;

/**
 * Condition for the row of `ledger_anchor` written in this cluster. The row is never updated, so
 * its `xmin` is the transaction that it names; a restored dump or a replicated copy has another.
 */
export const IS_ANCHOR = 'ledger_anchor.xmin::text::bigint = anchored_in % 4294967296';

async function isAnchored(db: Db): Promise<boolean> {
  const rows = await db.query(
    `select from ledger_anchor where ${IS_ANCHOR}`,
    [],
    'ledger_anchored',
  );
  return rows.length > 0;
}

/**
 * Binds the stamps of transfers to this cluster's transaction counter. Returns whether that was
 * necessary, since the database was restored from another cluster. No transfer is rewritten: new
 * stamps continue after the stored ones.
 */
export async function ensureAnchor(db: Database): Promise<boolean> {
  if (await isAnchored(db)) return false;
  return db.transaction(anchor, { statement_timeout_ms: SEARCH_MS });
}

/**
 * The table lock waits for writers whose stamps are invisible yet. The horizon is locked first, as
 * everywhere.
 */
async function anchor(tx: Db): Promise<boolean> {
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
