import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startResolveLoop } from '../../src/features/attempts/workers/resolve.ts';
import { createChargingLimiter } from '../../src/features/subscriptions/billing/charge.ts';
import { OverloadedError } from '../../src/platform/concurrency/overloaded.ts';
import { type Catalog, loadCatalog } from '../../src/platform/database/catalog.ts';
import { type Database, type Db, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { instantText, seconds, systemClock } from '../../src/platform/time/clock.ts';
import { type Allowance, lockDue } from '../../src/platform/workers/claim.ts';
import { createSignal } from '../../src/platform/workers/signal.ts';
import { duePayment, unknownAttempt } from '../support/due.ts';
import { eventually } from '../support/make.ts';

const clock = systemClock();
const cleanup = new AsyncDisposableStack();
let db: Database;
let catalog: Catalog;
beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 4 }));
  catalog = await loadCatalog(db);
});
afterAll(() => cleanup.disposeAsync());

describe('due work', () => {
  /** One merchant with much old work, and one with little new work. */
  let busyMerchantId: string;
  let quietMerchantId: string;
  beforeEach(async () => {
    await db.query('delete from payment_demands', []);
    const now = clock.now();
    [busyMerchantId, quietMerchantId] = [uuidv7(now), uuidv7(now)];
    const oldPayments = Array.from({ length: 50 }, () =>
      duePayment(busyMerchantId, now - seconds(60)),
    );
    await insertRows(db, catalog, 'payment_demands', [
      ...oldPayments,
      duePayment(quietMerchantId, now),
    ]);
  });

  const lockDuePayments = async (tx: Db, change: Partial<Allowance>): Promise<Row[]> => {
    const allowance = { limit: 10, per_merchant: 100, in_flight: new Map(), ...change };
    const now = instantText(clock.now());
    return lockDue(tx, { table: 'payment_demands', now, ...allowance });
  };
  const countOfMerchant = (rows: readonly Row[], merchantId: string): number =>
    rows.filter(({ merchant_id }) => merchant_id === merchantId).length;
  const countsOf = (rows: readonly Row[]) => [
    countOfMerchant(rows, busyMerchantId),
    countOfMerchant(rows, quietMerchantId),
  ];

  it('of one merchant does not delay that of another', async () => {
    const rows = await db.transaction((tx) => lockDuePayments(tx, {}));
    expect(countsOf(rows)).toEqual([5, 1]);
  });

  it('is claimed up to the limits of merchant and claim', async () => {
    const lockAndCount = async (change: Partial<Allowance>) =>
      countsOf(await db.transaction((tx) => lockDuePayments(tx, change)));
    expect(await lockAndCount({ limit: 80, per_merchant: 8 })).toEqual([8, 1]);
    expect(
      await lockAndCount({ per_merchant: 8, in_flight: new Map([[busyMerchantId, 6]]) }),
    ).toEqual([2, 1]);
    expect(
      await lockAndCount({ per_merchant: 8, in_flight: new Map([[busyMerchantId, 9]]) }),
    ).toEqual([0, 1]);
    expect(await lockAndCount({ limit: 100 })).toEqual([50, 1]);
    expect((await lockAndCount({ limit: 1 })).reduce((sum, count) => sum + count)).toBe(1);
  });

  it('claimed by one worker is skipped by another, which claims the next', async () => {
    await db.transaction(async (tx) => {
      const firstRows = await lockDuePayments(tx, {});
      const secondRows = await db.transaction((otherTx) => lockDuePayments(otherTx, {}));
      const ids = new Set([...firstRows, ...secondRows].map(({ id }) => id));
      expect([countsOf(firstRows), countsOf(secondRows), ids.size]).toEqual([[5, 1], [5, 0], 11]);
    });
  });
});

/** Starts a loop that resolves attempts with `authorise`. */
function startResolving(authorise: (attempt: Row) => Promise<void>): AsyncDisposable {
  const config = { attempt_lease_ms: 60_000, work_poll_ms: 10 };
  const wake = { resolve: createSignal() };
  const services = { db, clock, logger: createLogger('silent'), config, wake };
  return startResolveLoop(services, { authorise, refund: authorise, capture: authorise });
}

it('hanging inquiries of one merchant leave slots to another', async () => {
  const now = clock.now();
  const [hangingId, otherId] = [uuidv7(now), uuidv7(now)];
  const owners = [...Array.from({ length: 250 }, () => hangingId), otherId];
  const payments = owners.map((owner, nth) => duePayment(owner, now - seconds(300 - nth)));
  const attempts = payments.map((payment, nth) =>
    unknownAttempt(payment, now - seconds(300 - nth)),
  );
  await insertRows(db, catalog, 'payment_demands', payments);
  await insertRows(db, catalog, 'attempts', attempts);
  const [firstAnswer, laterAnswers] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const inquiredOwners: unknown[] = [];
  await using _loop = startResolving(async ({ merchant_id }) => {
    const isFirst = !inquiredOwners.includes(hangingId);
    inquiredOwners.push(merchant_id);
    if (merchant_id === hangingId) await (isFirst ? firstAnswer : laterAnswers).promise;
  });
  using answers = new DisposableStack();
  answers.defer(laterAnswers.resolve);
  const untilInquired = (count: number) =>
    eventually(
      async () => inquiredOwners,
      ({ length }) => length >= count,
    );
  await untilInquired(145);
  expect(inquiredOwners).toContain(otherId);
  // A slot that becomes free is the only one that the merchant gets.
  firstAnswer.resolve();
  await untilInquired(146);
  expect(inquiredOwners.filter((owner) => owner === hangingId)).toHaveLength(145);
  await db.query('delete from attempts', []);
});

it('a slow inquiry does not delay later ones', async () => {
  const now = clock.now();
  const payments = [1, 2].map(() => duePayment(uuidv7(now), now));
  const [slowAttempt, quickAttempt] = payments.map((payment) => unknownAttempt(payment, now)) as [
    Row,
    Row,
  ];
  await insertRows(db, catalog, 'payment_demands', payments);
  await insertRows(db, catalog, 'attempts', [slowAttempt]);
  const inquiryStarted = Promise.withResolvers<void>();
  const inquiryAnswer = Promise.withResolvers<void>();
  const inquiredIds: unknown[] = [];
  const authorise = async ({ id }: Row): Promise<void> => {
    inquiredIds.push(id);
    if (id === quickAttempt.id) return;
    inquiryStarted.resolve();
    await inquiryAnswer.promise;
  };
  await using _loop = startResolving(authorise);
  cleanup.defer(inquiryAnswer.resolve);
  await inquiryStarted.promise;
  await insertRows(db, catalog, 'attempts', [quickAttempt]);
  await eventually(
    async () => inquiredIds,
    ({ length }) => length > 1,
  );
  expect(inquiredIds).toEqual([slowAttempt.id, quickAttempt.id]);
  inquiryAnswer.resolve();
});

it('a payment has one approved authorisation at most', async () => {
  const now = clock.now();
  const payment = duePayment(uuidv7(now), now);
  await insertRows(db, catalog, 'payment_demands', [payment]);
  const approve = () =>
    insertRows(db, catalog, 'attempts', [
      unknownAttempt(payment, now, { status: 'approved', due_at: null }),
    ]);
  await approve();
  await expect(approve()).rejects.toMatchObject({ constraint: 'attempts_one_approved' });
});

it('concurrent charges are sent a few at a time, and those beyond the queue are refused', async () => {
  const limiter = createChargingLimiter();
  const chargeResult = Promise.withResolvers<void>();
  let inFlightCount = 0;
  const charges = Array.from({ length: 1_500 }, () =>
    limiter.run(() => {
      inFlightCount++;
      return chargeResult.promise;
    }),
  );
  const outcomes = Promise.allSettled(charges);
  await Promise.resolve();
  expect(inFlightCount).toBeLessThanOrEqual(4);
  chargeResult.resolve();
  const refusals = (await outcomes).filter(({ status }) => status === 'rejected');
  expect(refusals.length).toBeGreaterThan(900);
  expect((refusals[0] as PromiseRejectedResult).reason).toBeInstanceOf(OverloadedError);
});
