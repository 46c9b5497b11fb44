import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { LoadResult } from './load.ts';
import { intentBody } from './payments.ts';
import { meterProcessors } from './processor-time.ts';
import { type Measurement, measurementOf } from './row.ts';
import type { Testbed } from './testbed.ts';

/** Due subscriptions per second of the run: a run of 40 s bills 100,000. */
const DUE_PER_SECOND_OF_RUN = 2_500;
/** Subscriptions that are not due, for the benchmark with a large table. */
const MANY_SUBSCRIPTIONS = 1_000_000;
const BATCH_ROWS = 50_000;
/** Creates per second during a billing day. */
const CREATES_PER_SECOND = 50;
const CREATE_CONNECTIONS = 8;
/** Shortest run whose p99 has a thousand creates, also beside a billing day of as many seconds of the run. */
const P99_SECONDS_MIN = 20;
const BUSY_P99_SECONDS_MIN = 8;
const POLL_MS = 250;
/** Timeout of a billing day. */
const DAY_MAX_SECONDS = 3_600;

/** Subscriptions per second, from the time when all are due until the last charge has its outcome. */
export const measureBilling = (testbed: Testbed, seconds: number): Promise<Measurement> =>
  billDay(testbed, seconds);

/** Bills the due subscriptions, optionally under a load that ends with the billing. */
async function billDay(
  testbed: Testbed,
  seconds: number,
  runBeside?: (billing: Promise<unknown>) => Promise<void>,
): Promise<Measurement> {
  const count = DUE_PER_SECOND_OF_RUN * seconds;
  await using subscriptions = await openSubscriptions(testbed);
  const startedAt = await subscriptions.store(count, 'now()');
  const { result: duration_ms, used } = await meterProcessors(testbed, async () => {
    const billing = subscriptions.waitUntilBilled().then(() => performance.now());
    await runBeside?.(billing);
    return (await billing) - startedAt;
  });
  return measurementOf(count / (duration_ms / 1000), count, used);
}

/** Same as `measureBilling`, with a million further subscriptions that are due on another day. */
export async function measureBillingAmongMany(
  testbed: Testbed,
  seconds: number,
): Promise<Measurement> {
  await using subscriptions = await openSubscriptions(testbed);
  await subscriptions.storeMany();
  await subscriptions[Symbol.asyncDispose]();
  return measureBilling(testbed, seconds);
}

/** The p99 in milliseconds of at least a thousand creates while nothing is billed. */
export async function measureCreateP99(testbed: Testbed, seconds: number): Promise<number> {
  return (await measureCreates(testbed, Math.max(seconds, P99_SECONDS_MIN))).p99_ms;
}

/** Results of a billing day under concurrent creates. */
export interface BusyDay {
  /** Subscriptions per second, as in `measureBilling`. */
  readonly day: Measurement;
  /** The p99 of the creates, in milliseconds. */
  readonly p99_ms: number;
}

/** The p99 in milliseconds of creates beside a billing day of at least 20,000 subscriptions. */
export const measureBusyP99 = async (testbed: Testbed, seconds: number): Promise<number> =>
  (await measureBusyDay(testbed, Math.max(seconds, BUSY_P99_SECONDS_MIN))).p99_ms;

export async function measureBusyDay(testbed: Testbed, seconds: number): Promise<BusyDay> {
  let p99_ms = Number.NaN;
  const day = await billDay(testbed, seconds, async (billing) => {
    ({ p99_ms } = await measureCreates(testbed, DAY_MAX_SECONDS, billing));
  });
  return { day, p99_ms };
}

async function measureCreates(
  testbed: Testbed,
  seconds: number,
  until?: Promise<unknown>,
): Promise<LoadResult> {
  const result = await testbed.load({
    next: () => ({ method: 'POST', path: '/v2/payment_demands', body: intentBody }),
    seconds,
    connections: CREATE_CONNECTIONS,
    per_second_max: CREATES_PER_SECOND,
    ...(until && { until }),
  });
  if (result.refused > 0) throw new Error(`${result.refused} creates were refused`);
  return result;
}

/** The subscriptions of the bench's merchant. */
interface Subscriptions extends AsyncDisposable {
  /** Stores due subscriptions, each with a customer and a card. Returns the due time of the last one. */
  store(count: number, due: string): Promise<number>;
  storeMany(): Promise<void>;
  /** Waits until no subscription is due and every charge has its outcome. */
  waitUntilBilled(): Promise<void>;
}

async function openSubscriptions(testbed: Testbed): Promise<Subscriptions> {
  const client = new pg.Client({ connectionString: testbed.databaseUrl });
  await client.connect();
  const { id } = await testbed.post('payment_methods', {
    card_pan_token: 'pan_test_visa',
    expiry_month: 12,
    expiry_year: 2031,
  });
  const address = await testbed.post('consumer_addresses', {
    line_1: '1 Main Street',
    city: 'New York',
    state: 'NY',
    zip: '10001',
    country: 'USA',
  });
  const store = (count: number, due: string) =>
    client.query(subscriptionsSql(due), [id, address.id, count]);
  let isOpen = true;
  return {
    async store(count, due) {
      await client.query('begin');
      for (let storedCount = 0; storedCount < count; storedCount += BATCH_ROWS) {
        await store(Math.min(BATCH_ROWS, count - storedCount), due);
      }
      await client.query('commit');
      return performance.now();
    },
    async storeMany() {
      const { rows } = await client.query('select count(*) from payment_subscriptions');
      for (
        let storedCount = Number(rows[0].count);
        storedCount < MANY_SUBSCRIPTIONS;
        storedCount += BATCH_ROWS
      ) {
        process.stderr.write(
          `\r\x1b[Kstoring subscriptions: ${storedCount} of ${MANY_SUBSCRIPTIONS}`,
        );
        await store(BATCH_ROWS, `now() + interval '1 year'`);
      }
      process.stderr.write('\r\x1b[K');
      await client.query('vacuum analyze payment_subscriptions, payment_methods, customers');
    },
    async waitUntilBilled() {
      while ((await client.query(openSql)).rows[0].open) await sleep(POLL_MS);
    },
    async [Symbol.asyncDispose]() {
      if (isOpen) await client.end();
      isOpen = false;
    },
  };
}

/**
 * Searches from the latest due time, because those subscriptions are billed last: the search stays fast at
 * any progress.
 */
const openSql = `
  select (select due_at from payment_subscriptions where due_at <= now() order by due_at desc limit 1) is not null
    or exists (select 1 from payment_demands where status in ('pending', 'processing')) as open`;

/** Creates customers with a card each. All cards are copies of the stored one. */
export const subscriptionsSql = (due: string): string => `
  with card as (select * from payment_methods where id = $1),
  people as (
    insert into customers (merchant_id, mode, id, email, name, created_at, updated_at)
    select merchant_id, mode, uuid7(now()), 'customer-' || n || '@example.com', 'Customer ' || n, now(), now()
    from card, generate_series(1, $3::int) n
    returning merchant_id, mode, id),
  cards as (
    insert into payment_methods (merchant_id, mode, id, customer_id, card_pan_token, card_fingerprint, card_bin,
      last_four, kind, external_state, expiry_month, expiry_year, created_at, updated_at)
    select p.merchant_id, p.mode, uuid7(now()), p.id, c.card_pan_token, c.card_fingerprint, c.card_bin, c.last_four,
      c.kind, c.external_state, c.expiry_month, c.expiry_year, now(), now()
    from people p, card c
    returning merchant_id, mode, id, customer_id)
  insert into payment_subscriptions (merchant_id, mode, id, status, confirmed, slug, billing_period,
    billing_cycle_anchor_at, proration_behavior, billing_scheme, amount_cents, amount_currency, fee_cents,
    email_receipt, purchase_reference, purchase_kind, line_items, payer_timezone, cvc2_check,
    address_line1_verification, postal_code_verification, next_billing_at, canceled_at_period_end, alert_receipt,
    payer_id, payment_method_id, billing_address_id, created_at, updated_at)
  select merchant_id, mode, uuid7(now()), 'active', true, 'mugs', 'one_month', ${due}, 'none', 'per_unit', 2500,
    'USD', 0, true, 'order-1', 'order', '[{"name": "A mug", "quantity": 1, "amount_cents": 2500,
    "amount_currency": "USD"}]', 'UTC', 'unprocessed', 'unverified', 'unverified', ${due}, false, true, customer_id,
    id, $2, now(), now()
  from cards`;
