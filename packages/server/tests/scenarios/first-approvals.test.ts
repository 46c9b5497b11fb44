import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import {
  findFirstApprovals,
  firstApprovalKey,
} from '../../src/features/attempts/sql/first-approvals.ts';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import type { Db } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import { useApi } from '../support/api.ts';
import { makeDemand, makeParties, waitForOutcome } from '../support/make.ts';

const api = useApi();
const COPIES = 40;
const PAYMENTS_MAX = 3;

/** The first payment with its card. Copies follow, with approvals of their own. */
let payment: Row;
beforeAll(async () => {
  const { db } = api.fixtures;
  const { id } = await makeDemand(api.client, { confirmed: true }, await makeParties(api.client));
  await waitForOutcome(api.client, id);
  const findRow = async (table: string, column: string) =>
    (await db.query(`select * from ${table} where ${column} = $1`, [id]))[0] as Row;
  payment = await findRow('payment_demands', 'id');
  const attempt = await findRow('attempts', 'payment_demand_id');
  await db.query(`update attempts set network_transaction_id = 'first' where id = $1`, [
    attempt.id,
  ]);
  const first_ms = Date.parse(attempt.created_at as string);
  const payments = Array.from({ length: COPIES }, () => ({ ...payment, id: randomUUID() }));
  const attempts = payments.map((copy, at) => ({
    ...attempt,
    id: randomUUID(),
    payment_demand_id: copy.id,
    created_at: new Date(first_ms + 1_000 + at).toISOString(),
    network_transaction_id: `later ${at}`,
  }));
  const catalog = await loadCatalog(db);
  await insertRows(db, catalog, 'payment_demands', payments);
  await insertRows(db, catalog, 'attempts', attempts);
});

/** Number of attempts that this connection has read lately. */
async function countAttemptsRead(tx: Db): Promise<number> {
  const sql = `select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables
    where relname = 'attempts'`;
  const [row] = await tx.query(sql, []);
  return Number(row?.count);
}

const find = (other: Row = {}, payments_max?: number) =>
  api.fixtures.db.transaction(async (tx) => {
    const wanted = { ...payment, ...other };
    const readBefore = await countAttemptsRead(tx);
    const approvals = await findFirstApprovals(tx, [wanted], payments_max);
    const readCount = (await countAttemptsRead(tx)) - readBefore;
    return { found: approvals.get(firstApprovalKey(wanted)), readCount };
  });

it('the first approval of a card with few payments is the oldest of all', async () => {
  expect((await find()).found).toBe('first');
});

it('a card with many payments is looked up in the order of attempts, which ends with the first match', async () => {
  const { found, readCount } = await find({}, PAYMENTS_MAX);
  expect(found).toBe('first');
  expect(readCount).toBeLessThan(2 * (PAYMENTS_MAX + 1) + 2);
});

it.each([undefined, PAYMENTS_MAX])(
  'another payer has no approval (at most %s payments)',
  async (max) => {
    expect((await find({ payer_id: randomUUID() }, max)).found).toBe(undefined);
  },
);
