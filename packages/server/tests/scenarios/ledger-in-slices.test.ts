import { transferKinds } from '@florin/contract/ledger.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBalanceDifferences } from '../../src/features/ledger/sql/balance-check.ts';
import {
  findAccountDifferences,
  findLedgerDifferences,
} from '../../src/features/ledger/sql/ledger-check.ts';
import { addNextSlice } from '../../src/features/ledger/workers/balance.ts';
import { payOut } from '../../src/features/settlement/pay-out.ts';
import { deleteLines, fileProgressOf, totalOf } from '../../src/features/settlement/sql.ts';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { instantText, systemClock } from '../../src/platform/time/clock.ts';
import type { Services } from '../../src/services.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/make.ts';

const MERCHANTS = 5;
const PAYOUTS = 20;
const TRANSFERS = MERCHANTS * PAYOUTS;
const ROWS_MAX = 7;
const DAY = '2026-03-01';
const clock = systemClock();
const logger = createLogger('silent');
const database = useDatabase();
let db: Database;

const merchantId = (number: number): string =>
  `01935f00-0000-7000-8000-${String(number).padStart(12, '0')}`;

beforeAll(async () => {
  db = openDatabase({ url: database.url, connections_max: 2 });
  await db.query(
    `insert into merchants (id, created_at, updated_at)
     select ('01935f00-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), now() from generate_series(1, $1::int) n`,
    [MERCHANTS],
  );
  await db.query(
    `with paid as (
       insert into payouts (merchant_id, mode, id, status, amount_cents, amount_currency, settled_on, paid_at,
         created_at, updated_at)
       select m.id, 'sandbox', gen_random_uuid(), 'paid', n, 'USD', date '2020-01-01' + n, now(), now(), now()
       from merchants m, generate_series(1, $1::int) n returning *)
     insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account, amount_cents,
       amount_currency, source_id, created_at)
     select merchant_id, mode, gen_random_uuid(), 'paid_out', $2, $3, amount_cents, amount_currency, id, now()
     from paid`,
    [PAYOUTS, transferKinds.paid_out.debit, transferKinds.paid_out.credit],
  );
  // The horizon is that of the whole cluster: transactions of other tests may hold it back.
  await eventually(
    async () => {
      while (await addNextSlice({ db, clock, logger }));
      return Number((await db.query('select count(*) from balances', []))[0]?.count);
    },
    (count) => count === MERCHANTS,
  );
});
afterAll(() => db[Symbol.asyncDispose]());

/** Runs without the triggers that protect the ledger. */
const edit = (sql: string): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.query('alter table ledger_transfers disable trigger user', []);
    await tx.query(sql, []);
    await tx.query('alter table ledger_transfers enable trigger user', []);
  });

describe('a check of the ledger in slices', () => {
  it.each<[string, typeof findLedgerDifferences]>([
    ['accounts', (tx, options) => findAccountDifferences(tx, transferKinds, options)],
    ['records', findLedgerDifferences],
  ])('reads every transfer once, no more than a slice in a statement: %s', async (_title, find) => {
    const slices: number[] = [];
    const checked = (rows: number) => void slices.push(rows);
    expect(await find(db, { rows_max: ROWS_MAX, checked })).toEqual([]);
    expect(slices.reduce((sum, rows) => sum + rows, 0)).toBe(TRANSFERS);
    expect(Math.max(...slices)).toBeLessThanOrEqual(ROWS_MAX);
  });

  it('finds the differences of each slice', async () => {
    const options = { rows_max: ROWS_MAX };
    expect(await findBalanceDifferences(db, options)).toEqual([]);
    await edit(`delete from ledger_transfers where amount_cents in (3, 19)`);
    const missing = await findLedgerDifferences(db, options);
    expect(missing).toHaveLength(2 * MERCHANTS);
    expect(missing[0]).toMatchObject({ kind: 'paid_out', found_cents: null });
    const balances = await findBalanceDifferences(db, options);
    expect(balances.map(({ merchant_id }) => merchant_id)).toEqual(
      Array.from({ length: MERCHANTS }, (_, at) => merchantId(at + 1)),
    );
    expect(balances[0]).toMatchObject({
      expected_paid_out_cents: '188',
      found_paid_out_cents: '210',
    });
  });
});

describe('payouts of a day', () => {
  beforeAll(async () => {
    await edit(
      `insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account, amount_cents,
       amount_currency, source_id, created_at)
     select id, 'sandbox', gen_random_uuid(), 'captured', 'processor', 'merchant', 500, 'EUR', gen_random_uuid(), now()
     from merchants`,
    );
    await edit(
      `insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account, amount_cents,
       amount_currency, source_id, created_at)
     select merchant_id, mode, gen_random_uuid(), 'settled', 'bank', 'processor', 500, 'EUR', source_id, now()
     from ledger_transfers where kind = 'captured'`,
    );
  });

  it('leave out a merchant who moves, and go to the others', async () => {
    const services = { catalog: await loadCatalog(db) };
    const stopped = merchantId(3);
    const paid: unknown[] = [];
    const undone = db.transaction(async (tx) => {
      await tx.query(`insert into stopped_merchants values ($1, $1, 'fenced', 'away', now())`, [
        stopped,
      ]);
      const progress = { processor: 'simulator', mode: 'sandbox', day: DAY };
      expect(await payOut(services, tx, progress, clock.now())).toBe(true);
      const rows = await tx.query('select merchant_id from payouts where settled_on = $1', [DAY]);
      paid.push(...rows.map((row) => row.merchant_id));
      throw new Error('undone for the next test');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(paid).toHaveLength(MERCHANTS - 1);
    expect(paid).not.toContain(stopped);
  });

  it('go to some merchants in each step, to each once', async () => {
    const services = { catalog: await loadCatalog(db) } as Services;
    const source = { processor: 'simulator', mode: 'sandbox' } as const;
    const paidMerchants: string[][] = [];
    for (let hasMore = true; hasMore; ) {
      const progress = await fileProgressOf(db, source, {
        today: DAY,
        now: instantText(clock.now()),
      });
      hasMore = await db.transaction((tx) => payOut(services, tx, progress, clock.now(), 2));
      const rows = await db.query(
        `select merchant_id, amount_cents from payouts where settled_on = $1 order by merchant_id`,
        [DAY],
      );
      expect(rows.every(({ amount_cents }) => amount_cents === '500')).toBe(true);
      paidMerchants.push(rows.map(({ merchant_id }) => merchant_id as string));
    }
    expect(paidMerchants.map((ids) => ids.length)).toEqual([2, 4, 5, 5]);
  });
});

it('lines of a file are counted and deleted in slices', async () => {
  const file = { processor: 'simulator', mode: 'sandbox', day: DAY };
  await db.query(
    `insert into settlement_entries (processor, mode, day, line, entry, reference, authorisation, amount_cents,
       amount_currency, outcome)
     select 'simulator', 'sandbox', $1, 2 * n, 'capture', n, n, n, 'USD', case when n % 10 = 0 then 'unknown_merchant' end
     from generate_series(1, 30) n`,
    [DAY],
  );
  for (const limit of [7, 10, 30, 100])
    expect(await totalOf(db, file, limit)).toEqual({ count: 30, sum: '465', unknown_merchants: 3 });
  expect(await deleteLines(db, file, 20)).toBe(20);
  expect(await totalOf(db, file, 7)).toEqual({ count: 10, sum: '255', unknown_merchants: 1 });
  expect([await deleteLines(db, file, 20), await deleteLines(db, file, 20)]).toEqual([10, 0]);
});
