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
const [moved, partly, still] = [1, 2, 3].map(() => uuidv7(clock.now())) as [string, string, string];
const [ofMoved, ofPartly, plain] = [1, 2, 3].map(() => uuidv7(clock.now())) as [
  string,
  string,
  string,
];

const payment = (merchant: string, payer_id: string | null, mode = 'sandbox'): Row => ({
  ...duePayment(merchant, clock.now()),
  payer_id,
  mode,
});

/** Due payments by timeline. */
const timelines = {
  ordinary: [
    payment(moved, null, 'live'),
    payment(partly, null),
    payment(partly, plain),
    payment(still, null),
  ],
  'of a merchant': [payment(moved, null)],
  'of a customer of it': [payment(moved, ofMoved)],
  'of a customer alone': [payment(partly, ofPartly)],
};
const customers = [ofMoved, ofPartly];
const within: Readonly<Record<keyof typeof timelines, ClaimScope>> = {
  ordinary: { of: 'default', merchants: [moved], customers },
  'of a merchant': { of: 'merchant', merchant_id: moved, customers },
  'of a customer of it': { of: 'customer', merchant_id: moved, customer_id: ofMoved },
  'of a customer alone': { of: 'customer', merchant_id: partly, customer_id: ofPartly },
};

const customer = (merchant_id: string, id: string): Row => {
  const at = instantText(clock.now());
  const email = 'ada@example.com';
  return { merchant_id, mode: 'sandbox', id, email, created_at: at, updated_at: at };
};

beforeAll(async () => {
  const { url } = cleanup.use(await cloneDatabase());
  db = cleanup.use(openDatabase({ url, connections_max: 2 }));
  const catalog = await loadCatalog(db);
  const people = [customer(moved, ofMoved), customer(partly, ofPartly), customer(partly, plain)];
  const payments = Object.values(timelines).flat();
  await insertRows(db, catalog, 'customers', people);
  await insertRows(db, catalog, 'payment_demands', payments);
  const attempts = payments.map((one) => ({
    ...unknownAttempt(one, clock.now()),
    mode: one.mode as string,
  }));
  await insertRows(db, catalog, 'attempts', attempts);
});
afterAll(() => cleanup.disposeAsync());

const sorted = (rows: readonly Row[], column: string): unknown[] =>
  rows.map((row) => row[column]).toSorted();

describe.each(Object.keys(timelines) as (keyof typeof timelines)[])(
  'rows of a timeline: %s',
  (timeline) => {
    const options = () => ({ now: instantText(clock.now()), limit: 100, within: within[timeline] });
    const expected = sorted(timelines[timeline], 'id');

    it('are locked by no other timeline', async () => {
      const asked = {
        ...options(),
        table: 'payment_demands',
        per_merchant: 100,
        in_flight: new Map(),
      };
      const rows = await db.transaction((tx) => lockDue(tx, asked));
      expect(sorted(rows, 'id')).toEqual(expected);
    });

    it('are claimed by no other timeline, also through their payments', async () => {
      const now = options().now;
      const asked = { ...options(), table: 'attempts', lease_until: now };
      expect(sorted(await claimDue(db, asked), 'payment_demand_id')).toEqual(expected);
    });
  },
);
