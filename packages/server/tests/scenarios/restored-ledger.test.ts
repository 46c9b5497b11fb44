import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBalanceDifferences } from '../../src/features/ledger/sql/balance-check.ts';
import { ensureAnchor } from '../../src/features/ledger/sql/ledger-anchor.ts';
import { addNextSlice } from '../../src/features/ledger/workers/balance.ts';
import { type Database, type Db, openDatabase } from '../../src/platform/database/db.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { instantText, systemClock } from '../../src/platform/time/clock.ts';
import { useDatabase } from '../support/database.ts';
import { eventually } from '../support/make.ts';

const MERCHANT = '01935f00-0000-7000-8000-00000000b0b0';
const database = useDatabase();
const clock = systemClock();
const logger = createLogger('silent');
let db: Database;

beforeAll(async () => {
  db = openDatabase({ url: database.url, connections_max: 6 });
  await db.query('insert into merchants (id, created_at, updated_at) values ($1, $2, $2)', [
    MERCHANT,
    instantText(clock.now()),
  ]);
});
afterAll(() => db[Symbol.asyncDispose]());

/** Writes transfers of 7 cents each, with the database's own stamps. */
const writeTransfers = (target: Db, count = 1) =>
  target.query(insertTransfers('ledger_stamp()'), [MERCHANT, count]);

const insertTransfers = (stamp: string): string => `
  insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account, amount_cents,
    amount_currency, source_id, posted_in, created_at)
  select $1, 'sandbox', gen_random_uuid(), 'captured', 'processor', 'merchant', 7, 'USD', gen_random_uuid(),
    ${stamp}, now() from generate_series(1, $2::bigint) as n`;

/** Simulates restored rows: stamps of a cluster that is far ahead, with the first ones already in the balances. */
async function restoreLedger(missingCount: number): Promise<void> {
  const [row] = await db.query('select posted_before + 1000000000 as at from balance_horizon', []);
  const at = String(row?.at);
  await bringAllBalancesForward();
  await db.query(insertTransfers(`${at} + n`), [MERCHANT, missingCount]);
  await db.query('update balance_horizon set posted_before = $1', [at]);
  await db.query('update ledger_anchor set stamp_offset = stamp_offset', []);
}

const bringForward = (brought_max?: number): Promise<boolean> =>
  addNextSlice({ db, clock, logger }, brought_max);

/** Waits for the transactions of other databases too: the horizon is that of the whole cluster. */
const bringAllBalancesForward = (): Promise<number> =>
  eventually(
    async () => {
      while (await bringForward());
      const { owed, transferred } = await readSums();
      return transferred - owed;
    },
    (missingCount) => missingCount === 0,
  );

async function readSums(): Promise<{ owed: number; transferred: number }> {
  const [row] = await db.query(
    `select (select sum(owed_cents) from balances) as owed, sum(amount_cents) as transferred from ledger_transfers`,
    [],
  );
  return { owed: Number(row?.owed), transferred: Number(row?.transferred) };
}

const expectBalancesComplete = async (): Promise<void> => {
  const { owed, transferred } = await readSums();
  expect(owed).toBe(transferred);
  expect(await findBalanceDifferences(db)).toEqual([]);
};

const readStamps = async (): Promise<unknown> =>
  (
    await db.query(
      'select max(posted_in) as newest, count(distinct posted_in) from ledger_transfers',
      [],
    )
  )[0];

it('continues its counters in another cluster, and rewrites no transfer', async () => {
  await writeTransfers(db, 3);
  await restoreLedger(3_000);
  const stampsBefore = await readStamps();
  await expect(writeTransfers(db)).rejects.toMatchObject({ code: '40001' });
  expect(await ensureAnchor(db)).toBe(true);
  expect(await ensureAnchor(db)).toBe(false);
  expect(await readStamps()).toEqual(stampsBefore);
  await writeTransfers(db);
  await bringAllBalancesForward();
  await expectBalancesComplete();
});

it('brings balances forward in slices, each correct, beside payments and through a crash', async () => {
  await restoreLedger(3_000);
  let slices = 0;
  while (await bringForward(500)) {
    slices += 1;
    expect(await findBalanceDifferences(db)).toEqual([]);
    await writeTransfers(db, 2);
    if (slices === 2) {
      await db[Symbol.asyncDispose]();
      db = openDatabase({ url: database.url, connections_max: 6 });
    }
  }
  expect(slices).toBeGreaterThanOrEqual(6);
  await bringAllBalancesForward();
  await expectBalancesComplete();
});

it('waits with its new counters for a transaction with the old ones', async () => {
  const started = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const oldTransaction = db.transaction(async (tx) => {
    await tx.query('select pg_current_xact_id()', []);
    await db.transaction(async (writer) => {
      await writeTransfers(writer);
      started.resolve();
      await mayEnd.promise;
    });
  });
  await started.promise;
  await writeTransfers(db, 5);
  await db.query('update ledger_anchor set stamp_offset = stamp_offset', []);
  const anchoring = ensureAnchor(db);
  await Promise.race([
    anchoring.then(bringAllBalancesForward),
    eventually(countLockWaiters, (n) => n === 1),
  ]);
  mayEnd.resolve();
  expect(await anchoring).toBe(true);
  await oldTransaction;
  await bringAllBalancesForward();
  await expectBalancesComplete();
});

const countLockWaiters = async (): Promise<number> => {
  const rows = await db.query(
    `select from pg_locks where not granted and relation = 'ledger_transfers'::regclass
       and database = (select oid from pg_database where datname = current_database())`,
    [],
  );
  return rows.length;
};
