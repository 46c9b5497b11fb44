import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duePayment, unknownAttempt } from '../../../tests/support/due.ts';
import { uuidv7 } from '../ids.ts';
import { instantText, systemClock } from '../time/clock.ts';
import { claimDue, lockDue } from '../workers/claim.ts';
import { loadCatalog } from './catalog.ts';
import { type Database, openDatabase } from './db.ts';
import type { Row } from './row.ts';
import { insertRows } from './rows.ts';
import type { ClaimScope } from './within.ts';

const clock = systemClock();
const cleanup = new AsyncDisposableStack();
let db: Database;

/** Merchants: one with a sandbox clock, one with a customer's sandbox clock, one without. */
const [movedMerchant, partlyMovedMerchant, unmovedMerchant] = [1, 2, 3].map(() =>
  uuidv7(clock.now()),
) as [string, string, string];
const [customerOfMoved, movedCustomer, plainCustomer] = [1, 2, 3].map(() =>
  uuidv7(clock.now()),
) as [string, string, string];

const paymentRow = (merchant: string, payer_id: string | null, mode = 'sandbox'): Row => ({
  ...duePayment(merchant, clock.now()),
  payer_id,
  mode,
});

/** Due payments by timeline. */
const timelines = {
  ordinary: [
    paymentRow(movedMerchant, null, 'live'),
    paymentRow(partlyMovedMerchant, null),
    paymentRow(partlyMovedMerchant, plainCustomer),
    paymentRow(unmovedMerchant, null),
  ],
  'of a merchant': [paymentRow(movedMerchant, null)],
  'of a customer of it': [paymentRow(movedMerchant, customerOfMoved)],
  'of a customer alone': [paymentRow(partlyMovedMerchant, movedCustomer)],
};
const customers = [customerOfMoved, movedCustomer];
const within: Readonly<Record<keyof typeof timelines, ClaimScope>> = {
  ordinary: { of: 'default', merchants: [movedMerchant], customers },
  'of a merchant': { of: 'merchant', merchant_id: movedMerchant, customers },
  'of a customer of it': {
    of: 'customer',
    merchant_id: movedMerchant,
    customer_id: customerOfMoved,
  },
  'of a customer alone': {
    of: 'customer',
    merchant_id: partlyMovedMerchant,
    customer_id: movedCustomer,
  },
};

const customerRow = (merchant_id: string, id: string): Row => {
  const at = instantText(clock.now());
  const email = 'ada@example.com';
  return { merchant_id, mode: 'sandbox', id, email, created_at: at, updated_at: at };
};

beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 2 }));
  const catalog = await loadCatalog(db);
  const people = [
    customerRow(movedMerchant, customerOfMoved),
    customerRow(partlyMovedMerchant, movedCustomer),
    customerRow(partlyMovedMerchant, plainCustomer),
  ];
  const payments = Object.values(timelines).flat();
  await insertRows(db, catalog, 'customers', people);
  await insertRows(db, catalog, 'payment_demands', payments);
  const attempts = payments.map((payment) => ({
    ...unknownAttempt(payment, clock.now()),
    mode: payment.mode as string,
  }));
  await insertRows(db, catalog, 'attempts', attempts);
});
afterAll(() => cleanup.disposeAsync());

const sortedValues = (rows: readonly Row[], column: string): unknown[] =>
  rows.map((row) => row[column]).toSorted();

describe.each(Object.keys(timelines) as (keyof typeof timelines)[])(
  'rows of a timeline: %s',
  (timeline) => {
    const options = () => ({ now: instantText(clock.now()), limit: 100, within: within[timeline] });
    const expected = sortedValues(timelines[timeline], 'id');

    it('are locked by no other timeline', async () => {
      const lockOptions = {
        ...options(),
        table: 'payment_demands',
        per_merchant: 100,
        in_flight: new Map(),
      };
      const rows = await db.transaction((tx) => lockDue(tx, lockOptions));
      expect(sortedValues(rows, 'id')).toEqual(expected);
    });

    it('are claimed by no other timeline, also through their payments', async () => {
      const now = options().now;
      const claimOptions = { ...options(), table: 'attempts', lease_until: now };
      expect(sortedValues(await claimDue(db, claimOptions), 'payment_demand_id')).toEqual(expected);
    });
  },
);
