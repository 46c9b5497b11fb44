import type { Db } from '../../../platform/database/db.ts';

/** Begins a transaction that sees one state of the source in all its statements. */
export const beginReading = (source: Db): Promise<unknown> =>
  source.query('begin isolation level repeatable read read only', []);

/** Number of rows, and a sum over their contents. */
export async function digestOf(db: Db, rows: string): Promise<string> {
  const [row] = await db.query(
    `select count(*) || ' rows ' || coalesce(sum(hashtextextended(r::text, 0)), 0) as digest from (${rows}) r`,
    [],
  );
  return row?.digest as string;
}

/**
 * Shift of the ledger's stamps. Moved transfers come before the horizons of the target, whose balances and documents they
 * have already. Stamps keep their order, and those that payouts have seen stay below all new ones.
 */
export async function findShift(source: Db, target: Db, merchant_id: string): Promise<bigint> {
  const [newest] = await source.query(
    `select greatest((select max(posted_in) + 1 from ledger_transfers where merchant_id = $1),
       (select max(paid_below) from payouts where merchant_id = $1), 0) as stamp`,
    [merchant_id],
  );
  const [horizon] = await target.query(
    `select least(d.posted_before, b.posted_before) as stamp from document_horizon d, balance_horizon b`,
    [],
  );
  return BigInt(horizon?.stamp as string) - BigInt(newest?.stamp as string);
}
