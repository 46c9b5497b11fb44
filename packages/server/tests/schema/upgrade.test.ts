import { cloneDatabase } from '@florin/dev-env/databases.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyEarlierMigrations } from './earlier-database.ts';

const MERCHANT_ID = '01935f00-0000-7000-8000-00000000b0b0';

/** Runs of all migrations: with the current files, and with the original of a file that was edited later. */
const MIGRATION_RUNS = { current: [], edited: ['0033-unpaid'] };

type RowWriter = (client: pg.Client) => Promise<unknown>;

/** Rows that the database had when the migration of this number was applied. */
const fillsByMigration: Readonly<Record<string, RowWriter>> = {
  '0018': fillWithEvent,
  '0033': fillWithUnpaid,
  '0035': fillWithDisputed,
  '0036': fillWithLedger,
  '0045': fillWithMembers,
};

let stack: AsyncDisposableStack;
const clients = new Map<string, pg.Client>();
beforeAll(async () => {
  stack = new AsyncDisposableStack();
  for (const [name, editedNames] of Object.entries(MIGRATION_RUNS)) {
    const database = stack.use(await cloneDatabase());
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    stack.defer(() => client.end());
    await client.query('create schema earlier; set search_path = earlier');
    await applyEarlierMigrations(
      client,
      { firstUnapplied: '9999', editedNames: editedNames },
      async (migration) => {
        await fillsByMigration[migration.slice(0, 4)]?.(client);
      },
    );
    clients.set(name, client);
  }
}, 240_000);
afterAll(() => stack?.disposeAsync());

const queryRun = async (
  sql: string,
  run: keyof typeof MIGRATION_RUNS = 'current',
): Promise<unknown[]> => (await clients.get(run)!.query(sql)).rows;

it('a database with events is upgraded to the current schema', async () => {
  const rows = await queryRun(
    'select e.recorded_at = e.created_at as kept, m.missed_periods from events e, merchants m',
  );
  expect(rows).toEqual([{ kept: true, missed_periods: 'latest' }]);
});

async function fillWithEvent(client: pg.Client): Promise<void> {
  await client.query(
    `insert into merchants (id, created_at, updated_at) values ($1, now(), now())`,
    [MERCHANT_ID],
  );
  await client.query(
    `insert into events (merchant_id, mode, id, resource_type, resource_id, sequence, slug, data, created_at)
     values ($1, 'sandbox', $1, 'consumer.customers', $1, 1, 'created', '{}', '2026-01-01Z')`,
    [MERCHANT_ID],
  );
}

it.each([
  ['before', 'current'],
  ['before, in a version that gave them days by the system clock', 'edited'],
] as const)(
  'a subscription whose first charge failed %s has its deadlines by its own clock',
  async (_when, run) => {
    expect(await queryRun(DAYS_LEFT, run)).toEqual([
      { reason: 'none: it waits', days: null },
      { reason: 'of live', days: 14 },
      { reason: 'of the merchant 5 days ahead', days: 19 },
      { reason: 'of a customer 40 days ahead', days: 54 },
    ]);
  },
);

const DAYS_LEFT = `select coalesce(failure_reason, 'none: it waits') as reason,
  round(extract(epoch from dunning_ends_at - now()) / 86400)::int as days
  from payment_subscriptions order by days nulls first`;

/** The merchant's clock is five days ahead, one customer's clock forty. */
async function fillWithUnpaid(client: pg.Client): Promise<void> {
  await client.query(
    `insert into customers (merchant_id, mode, id, email, created_at, updated_at)
     values ($1, 'sandbox', $1, 'a@b.example', now(), now())`,
    [MERCHANT_ID],
  );
  await client.query(
    `insert into sandbox_clocks
       (merchant_id, mode, id, status, ahead_seconds, customer_id, created_at, updated_at)
     values ($1, 'sandbox', gen_random_uuid(), 'ready', 5 * 86400, null, now(), now()),
       ($1, 'sandbox', gen_random_uuid(), 'ready', 40 * 86400, $1, now(), now())`,
    [MERCHANT_ID],
  );
  await client.query(
    `insert into payment_subscriptions (merchant_id, mode, id, payer_id, failure_reason, status, confirmed,
       amount_cents, amount_currency, fee_cents, email_receipt, alert_receipt, canceled_at_period_end,
       address_line1_verification, postal_code_verification, cvc2_check, proration_behavior, billing_scheme,
       created_at, updated_at)
     select $1, mode, gen_random_uuid(), payer_id, reason, 'pending', true, 3000, 'USD', 0, false, false, false,
       'unavailable', 'unavailable', 'unavailable', 'none', 'per_unit', now(), now()
     from (values ('sandbox', $1::uuid, 'of a customer 40 days ahead'), ('sandbox', null, 'of the merchant 5 days ahead'),
       ('live', null, 'of live'), ('sandbox', null, null)) as given (mode, payer_id, reason)`,
    [MERCHANT_ID],
  );
}

it('a ledger restored into a cluster with lower counters keeps the entries from before the upgrade', async () => {
  const rows = await queryRun(
    `select count(*) as all, count(*) filter (where posted_in >= posted_before) as lacking,
       bool_and(posted_in < ledger_stamp()) as ended from ledger_transfers, balance_horizon`,
  );
  expect(rows).toEqual([{ all: '9', lacking: '3', ended: true }]);
});

async function fillWithLedger(client: pg.Client): Promise<void> {
  const insertTransfers = (columns: string, stamp: string, count: number): string =>
    `insert into ledger_transfers (merchant_id, mode, id, kind, debit_account, credit_account, amount_cents,
       amount_currency, source_id, created_at${columns})
     select '${MERCHANT_ID}', 'sandbox', gen_random_uuid(), 'captured', 'processor', 'merchant', 7, 'USD',
       gen_random_uuid(), now()${stamp} from generate_series(1, ${count}) n`;
  // One restored stamp is the id of the restoring transaction.
  const restoredStamp = ', case n when 6 then pg_current_xact_id()::text::bigint else n end';
  await client.query('update balance_horizon set posted_before = 1000000010');
  await client.query(insertTransfers(', posted_in', restoredStamp, 6));
  await client.query(insertTransfers('', '', 2));
  await client.query(insertTransfers('', '', 1));
}

it('payments have the state and refundable amount that follow from all their disputes', async () => {
  expect(await queryRun(PAYMENT_STATES)).toEqual([
    { story: 'a part lost', status: 'succeeded', left: 60 },
    { story: 'all lost', status: 'reversed', left: 0 },
    { story: 'one won, one open', status: 'disputed', left: 30 },
    { story: 'refunded, the rest lost', status: 'reversed', left: 0 },
    { story: 'undisputed', status: 'succeeded', left: 100 },
  ]);
});

const PAYMENT_STATES = `select purchase_reference as story, status, amount_refundable_cents::int as left
  from payment_demands order by 1`;

it('members who may read payments, customers or `letters` may read attempts, merges or `emails` too', async () => {
  expect(await queryRun('select permissions from memberships order by email')).toEqual([
    {
      permissions: [
        'transaction.payment_demands.read',
        'transaction.payment_attempts.read',
        'transaction.documents.read',
      ],
    },
    { permissions: ['consumer.customers.read', 'consumer.customer_merges.read'] },
    { permissions: ['consumer.letters.read', 'consumer.emails.read'] },
  ]);
});

async function fillWithMembers(client: pg.Client): Promise<void> {
  await client.query(
    `with people as (
       insert into accounts (id, email, created_at, updated_at)
       select gen_random_uuid(), email, now(), now() from (values ('a'), ('b'), ('c')) as given (email)
       returning id, email)
     insert into memberships (merchant_id, id, account_id, email, permissions, created_at, updated_at)
     select $1, gen_random_uuid(), id, email, jsonb_build_array(case email
       when 'a' then 'transaction.payment_demands.read' when 'b' then 'consumer.customers.read'
       else 'consumer.letters.read' end), now(), now()
     from people`,
    [MERCHANT_ID],
  );
}

/** Payments of 100 from the previous version, with their disputes. */
async function fillWithDisputed(client: pg.Client): Promise<void> {
  await client.query(
    `insert into payment_demands (merchant_id, mode, id, purchase_reference, status, confirmed, amount_cents,
       amount_currency, amount_refunded_cents, amount_authorised_cents, amount_captured_cents,
       amount_refundable_cents, fee_cents, capture_method, email_receipt, cvc2_check,
       address_line1_verification, postal_code_verification, unsent_count, created_at, updated_at)
     select $1, 'sandbox', gen_random_uuid(), story, status, true, 100, 'USD', refunded, 100, 100, 100 - refunded,
       0, 'automatic', false, 'match', 'match', 'match', 0, now(), now()
     from (values ('a part lost', 'reversed', 0), ('all lost', 'reversed', 0), ('one won, one open', 'succeeded', 0),
       ('refunded, the rest lost', 'reversed', 30), ('undisputed', 'succeeded', 0)) as given (story, status, refunded)`,
    [MERCHANT_ID],
  );
  await client.query(
    `insert into refund_demands (merchant_id, mode, id, status, reason, amount_cents, amount_currency,
       payment_demand_id, unsent_count, created_at, updated_at)
     select merchant_id, mode, gen_random_uuid(), 'succeeded', 'custom', amount_refunded_cents, 'USD', id, 0, now(), now()
     from payment_demands where amount_refunded_cents > 0`,
  );
  await client.query(
    `insert into disputes (merchant_id, mode, id, status, reason, amount_cents, amount_currency, processor,
       reference, evidence_due_at, payment_demand_id, created_at, updated_at)
     select p.merchant_id, p.mode, gen_random_uuid(), given.status, 'general', cents, 'USD', 'sandbox',
       story || given.status, now(), p.id, now(), now()
     from payment_demands p join (values ('a part lost', 'lost', 40), ('all lost', 'lost', 100),
       ('one won, one open', 'won', 30), ('one won, one open', 'under_review', 70),
       ('refunded, the rest lost', 'lost', 70)) as given (story, status, cents) on story = purchase_reference`,
  );
}
