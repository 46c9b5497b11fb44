import type { Db } from '../../src/platform/database/db.ts';

/** Payments that one statement copies. */
const SLICE = 1_000;

/** Table, column with the payment, and columns of each copy besides it. */
const ROWS: readonly (readonly [table: string, payment: string, columns: string])[] = [
  ['payment_demands', 'id', `jsonb_build_object('id', c.id, 'idempotency_key', null)`],
  [
    'attempts',
    'payment_demand_id',
    `jsonb_build_object('id', uuid7(now()), 'payment_demand_id', c.id)`,
  ],
  ['events', 'resource_id', `jsonb_build_object('id', uuid7(now()), 'resource_id', c.id)`],
  [
    'ledger_transfers',
    'payment_demand_id',
    `jsonb_build_object('id', uuid7(now()), 'payment_demand_id', c.id, 'source_id', c.id, 'posted_in', ledger_stamp())`,
  ],
];

/** Copies a payment that was captured at once, with its attempt, events and transfers. Returns the number of rows. */
export async function copyPayment(db: Db, id: string, count: number): Promise<number> {
  let rows = 0;
  for (let copied = 0; copied < count; copied += SLICE) {
    await db.query(
      `create temporary table copies as select uuid7(now()) as id from generate_series(1, $1::int)`.replace(
        '$1',
        String(Math.min(SLICE, count - copied)),
      ),
      [],
    );
    for (const [table, payment, columns] of ROWS) {
      const stored = await db.query(
        `insert into ${table} select r.* from ${table} t cross join copies c
           cross join lateral jsonb_populate_record(t, ${columns}) r where t.${payment} = $1 returning 1`,
        [id],
      );
      rows += stored.length;
    }
    await db.query('drop table copies', []);
  }
  return rows;
}
