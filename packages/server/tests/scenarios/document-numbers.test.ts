import { randomUUID } from 'node:crypto';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { insertUnchecked } from '@florin/dev-env/insert-unchecked.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueDocuments } from '../../src/features/documents/issue.ts';
import { issueNextSlice, retryFailures } from '../../src/features/documents/workers/issue.ts';
import { addNextSlice } from '../../src/features/ledger/workers/balance.ts';
import { resetStep, startReset } from '../../src/features/sandbox/reset.ts';
import { type Catalog, loadCatalog } from '../../src/platform/database/catalog.ts';
import { type Database, type Db, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { keyOf, type RowKey } from '../../src/platform/database/row-key.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { instantText, seconds, systemClock } from '../../src/platform/time/clock.ts';
import type { Services } from '../../src/services.ts';
import { duePayment } from '../support/due.ts';

const PAYMENTS = 60;
const SERIALIZATION_FAILURE = '40001';
const clock = systemClock();
let database: ClonedDatabase;
let db: Database;
let catalog: Catalog;

beforeAll(async () => {
  database = await cloneDatabase();
  db = openDatabase({ url: database.url, connections_max: 8 });
  catalog = await loadCatalog(db);
});
afterAll(async () => {
  await db?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const timelines = { of: () => ({ clock }) } as unknown as Services['timelines'];

/** A merchant with succeeded payments. */
async function makePayments(change: Row = {}, count = PAYMENTS): Promise<Row[]> {
  const merchant_id = randomUUID();
  const at = instantText(clock.now());
  await db.query(
    'insert into merchants (id, business_name, created_at, updated_at) values ($1, $2, $3, $3)',
    [merchant_id, 'Roses', at],
  );
  const payments = Array.from({ length: count }, () => ({
    ...duePayment(merchant_id, clock.now()),
    due_at: null,
    status: 'succeeded',
    amount_authorised_cents: '2500',
    amount_captured_cents: '2500',
    succeeded_at: at,
    ...change,
  }));
  // The subscription of the charges does not exist.
  await insertUnchecked(database.adminUrl, 'payment_demands', ...payments);
  return payments;
}

/** Issues documents of payments. `then` runs before the commit. */
const issue = (payments: readonly RowKey[], then?: (tx: Db) => Promise<unknown>): Promise<void> =>
  db.transaction(async (tx) => {
    await issueDocuments({ catalog, timelines }, tx, { payments, refunds: [] });
    await then?.(tx);
  });

const numbersOf = async ([payment]: readonly Row[]): Promise<string[]> => {
  const rows = await db.query(
    'select number from documents where merchant_id = $1 order by number',
    [payment?.merchant_id],
  );
  return rows.map(({ number }) => number as string);
};

const sequence = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}-${String(at + 1).padStart(6, '0')}`);

it('numbers have no gap and no duplicate while issuers overlap, fail and die', async () => {
  const payments = await makePayments();
  const keys = payments.map(keyOf);
  const from = (start: number) => keys.slice(start, start + 20);
  const fail = async () => {
    throw new Error('stopped');
  };
  const die = (tx: Db) => tx.query('select pg_terminate_backend(pg_backend_pid())', []);
  const outcomes = await Promise.allSettled([
    issue(from(0)),
    issue(from(10), fail),
    issue(from(10)),
    issue(from(5).toReversed()),
    issue(from(20), die),
    issue(from(25)),
    issue(from(0)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  const issuedAtFirst = await numbersOf(payments);
  expect(issuedAtFirst).toEqual(sequence('REC', issuedAtFirst.length));
  expect(issuedAtFirst).toHaveLength(45);
  await Promise.all([issue(keys), issue(keys.toReversed())]);
  expect(await numbersOf(payments)).toEqual(sequence('REC', PAYMENTS));
});

it('two workers issue the documents of a slice once, and a slice that fails is issued later', async () => {
  const payments = await makePayments({ payment_subscription_id: randomUUID() });
  await postTransfers(payments);
  const services = { db, catalog, timelines, clock, logger: createLogger('silent') };
  while (await addNextSlice({ db, clock, logger: createLogger('silent') }));
  const stop = () => {
    throw Object.assign(new Error('stopped'), { code: SERIALIZATION_FAILURE });
  };
  await expect(
    issueNextSlice({ ...services, timelines: { ...timelines, of: stop } }),
  ).rejects.toThrow('stopped');
  const work = async () => {
    while (await issueNextSlice(services, 25));
  };
  await Promise.all([work(), work()]);
  while (await issueNextSlice(services));
  expect(await numbersOf(payments)).toEqual(sequence('INV', PAYMENTS));
  expect(await issueNextSlice(services)).toBe(false);
});

it('charges that cannot be documented stop no others, and are tried again', async () => {
  const broken = await makePayments({ payment_subscription_id: randomUUID() }, 3);
  const sound = await makePayments({ payment_subscription_id: randomUUID() });
  await issue(broken.slice(0, 1).map(keyOf));
  const setCounter = (number: number) =>
    db.query('update document_counters set last_number = $2 where merchant_id = $1', [
      broken[0]?.merchant_id,
      number,
    ]);
  // The next number is taken, so that each further document of this merchant is refused.
  await setCounter(0);
  await postTransfers([...broken, ...sound]);
  let now = clock.now();
  const services = {
    ...{ db, catalog, timelines, logger: createLogger('silent') },
    clock: { ...clock, now: () => now },
  };
  // Open transactions of any database of the cluster hold back the horizon.
  const isIssued = async () =>
    (await numbersOf(sound)).length === PAYMENTS &&
    (await db.query('select from document_failures', [])).length === broken.length - 1;
  while (!(await isIssued())) {
    while (await addNextSlice({ db, clock, logger: services.logger }));
    while (await issueNextSlice(services));
  }
  expect(await numbersOf(sound)).toEqual(sequence('INV', PAYMENTS));
  expect(await numbersOf(broken)).toEqual(sequence('INV', 1));
  const failures = 'select subject_id as id, attempts from document_failures order by 1';
  const ids = broken
    .slice(1)
    .map(({ id }) => id as string)
    .toSorted();
  expect(await db.query(failures, [])).toEqual(ids.map((id) => ({ id, attempts: '1' })));
  now += seconds(60);
  await retryFailures(services);
  expect(await db.query(failures, [])).toEqual(ids.map((id) => ({ id, attempts: '2' })));
  await setCounter(1);
  await retryFailures(services);
  expect(await numbersOf(broken)).toEqual(sequence('INV', 1));
  now += seconds(120);
  await retryFailures(services);
  expect(await numbersOf(broken)).toEqual(sequence('INV', 3));
  expect(await db.query(failures, [])).toEqual([]);
});

it('a reset keeps the numbers of a sandbox going until all its documents are removed', async () => {
  const payments = await makePayments({}, 120);
  const keys = payments.map(keyOf);
  await issue(keys.slice(0, 110));
  const merchant_id = payments[0]?.merchant_id as string;
  const services = { db, catalog, timelines, system_clock: clock } as unknown as Services;
  await startReset(services, merchant_id);
  await resetStep(services);
  expect(await numbersOf(payments)).not.toEqual([]);
  await issue(keys);
  expect((await numbersOf(payments)).at(-1)).toBe('REC-000120');
  while (await resetStep(services));
  expect(await numbersOf(payments)).toEqual([]);
  const counters = 'select from document_counters where merchant_id = $1';
  expect(await db.query(counters, [merchant_id])).toEqual([]);
});

/** Posts each payment in a transaction of its own, as payments do. */
async function postTransfers(payments: readonly Row[]): Promise<void> {
  for (const { merchant_id, mode, id, created_at } of payments)
    await db.query(
      `insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account, amount_cents,
         amount_currency, source_id, payment_demand_id, created_at)
       values ($1, $2, gen_random_uuid(), 'captured', 'processor', 'merchant', 2500, 'USD', $3, $3, $4)`,
      [merchant_id, mode, id, created_at],
    );
}
