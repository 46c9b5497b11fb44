import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { DEFER_SECONDS } from '@florin/server/features/attempts/claim-demands.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLedgerDifferences } from '../../src/features/ledger/sql/ledger-check.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { disputeNow } from '../support/dispute-now.ts';
import {
  eventually,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const clock = createClockAhead();
const cleanup = new AsyncDisposableStack();
let stack: Stack;
let client: Client;
let shop: Receiver;
let admin: pg.Client;
let db: Database;
beforeAll(async () => {
  stack = cleanup.use(await startStack({ config: { clock } }));
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  shop = cleanup.use(await startReceiver({ '/hook': () => 200 }));
  admin = new pg.Client({ connectionString: stack.adminDatabaseUrl });
  await admin.connect();
  cleanup.defer(() => admin.end());
  db = cleanup.use(openDatabase({ url: stack.databaseUrl, connections_max: 1 }));
});
afterAll(() => cleanup.disposeAsync());

/** Last four digits of amounts that select a simulated fault. */
const amounts = {
  answer_lost: 9_701,
  reset: 9_702,
  garbage: 9_703,
  declined: 9_705,
  refused: 9_706,
};
const PAID_CENTS = 40_000;

const readCounts = async (): Promise<NetworkCounts> =>
  (await (await fetch(`${stack.simulatorUrl}/v1/books`)).json()) as NetworkCounts;

const waitForRefund = ({ id }: ResourceObject): Promise<ResourceObject> =>
  waitForOutcome(client, id, 'refund_demands');

const waitUntilUnknown = ({ id }: ResourceObject): Promise<ResourceObject> =>
  eventually(
    () => client.fetch('refund_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );

const readPayment = async ({ id }: ResourceObject) =>
  (await client.fetch('payment_demands', id)).attributes;

/** Slugs of the events about a record, oldest first. */
const eventSlugsOf = async ({ id }: ResourceObject): Promise<string[]> =>
  (await client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`)).body.data.map(
    ({ attributes }: ResourceObject) => attributes.slug,
  );

describe('a refund that the network accepts', () => {
  it('emits an event at each step, which webhooks get', async () => {
    const payment = await makeCapturedPayment(client, { amount_cents: PAID_CENTS });
    const subscription = await client.make('webhook_subscriptions', {
      url: `${shop.origin}/hook`,
      events: [
        ...['created', 'updated', 'succeeded'].map((slug) => `transaction.refund_demands.${slug}`),
        'transaction.payment_demands.refunded',
      ],
    });
    const refund = await makeRefund(client, payment, { amount_cents: 1_500 });
    const { attributes, meta } = await waitForRefund(refund);
    expect(attributes).toMatchObject({ state: 'succeeded', failure_reason: null });
    expect([attributes.succeeded_at, meta]).toEqual([attributes.updated_at, undefined]);
    expect(await eventSlugsOf(refund)).toEqual(['created', 'updated', 'succeeded']);
    expect(await eventSlugsOf(payment)).toEqual(['created', 'succeeded', 'refunded']);
    expect(await readPayment(payment)).toMatchObject({
      status: 'succeeded',
      amount_refunded_cents: 1_500,
    });
    const requests = await eventually(
      async () => shop.requestsTo('/hook'),
      (arrivals) => arrivals.length === 4,
    );
    const bodies = requests.map(({ body }) => JSON.parse(body).data.attributes);
    const states = bodies.map(({ resource_type, slug, data }) => [
      `${resource_type}.${slug}`,
      data.attributes.status,
      data.attributes.amount_refunded_cents ?? data.attributes.amount_cents,
    ]);
    expect(states.toSorted()).toEqual([
      ['transaction.payment_demands.refunded', 'succeeded', 1_500],
      ['transaction.refund_demands.created', 'pending', 1_500],
      ['transaction.refund_demands.succeeded', 'succeeded', 1_500],
      ['transaction.refund_demands.updated', 'processing', 1_500],
    ]);
    const path = `/v2/webhook_subscriptions/${subscription.id}`;
    const hookReference = { type: 'webhook_subscriptions', id: subscription.id };
    await client.send('PATCH', path, {
      data: { ...hookReference, attributes: { status: 'archived' } },
    });
  });
});

describe('a refund that the network declines', () => {
  it('fails with its reason, and its reserved amount can be refunded again', async () => {
    const payment = await makeCapturedPayment(client, { amount_cents: amounts.declined });
    const refund = await makeRefund(client, payment);
    const { attributes } = await waitForRefund(refund);
    expect(attributes).toMatchObject({
      state: 'failed',
      failure_reason: 'refund_declined',
      succeeded_at: null,
    });
    expect(await eventSlugsOf(refund)).toEqual(['created', 'updated', 'failed']);
    expect(await eventSlugsOf(payment)).toEqual(['created', 'succeeded']);
    expect((await readPayment(payment)).amount_refunded_cents).toBe(0);

    const firstRefund = await makeRefund(client, payment, { amount_cents: amounts.declined - 100 });
    const secondRefund = await makeRefund(client, payment);
    expect(secondRefund.attributes.amount_cents).toBe(100);
    const outcomes = [await waitForRefund(firstRefund), await waitForRefund(secondRefund)];
    expect(outcomes.map(({ attributes }) => attributes.state)).toEqual(['succeeded', 'succeeded']);
  });
});

describe('a refund without a readable response', () => {
  it('stays processing and reserved until an inquiry; the money is refunded once', async () => {
    const countsBefore = await readCounts();
    const lostRefunds = await Promise.all(
      (['answer_lost', 'garbage', 'reset'] as const).map(async (fault) => {
        const payment = await makeCapturedPayment(client, { amount_cents: 10_000 });
        const refund = await makeRefund(client, payment, { amount_cents: amounts[fault] });
        const unknownRefund = await waitUntilUnknown(refund);
        expect(unknownRefund.attributes).toMatchObject({
          state: 'processing',
          failure_reason: null,
        });
        expect(unknownRefund.meta).toEqual({
          outcome: 'unknown',
          since: expect.stringMatching(/^20.*Z$/),
        });
        expect((await readPayment(payment)).amount_refunded_cents).toBe(0);
        const secondRefund = await makeRefund(client, payment);
        expect(secondRefund.attributes.amount_cents).toBe(10_000 - amounts[fault]);
        expect((await waitForRefund(secondRefund)).attributes.state).toBe('succeeded');
        return { payment, refund };
      }),
    );
    const otherPayment = await makeCapturedPayment(client, { amount_cents: PAID_CENTS });
    const unknownRefund = await makeRefund(client, otherPayment, { amount_cents: amounts.refused });
    await waitUntilUnknown(unknownRefund);

    clock.advance(10);
    for (const { payment, refund } of lostRefunds) {
      const { attributes, meta } = await waitForRefund(refund);
      expect([attributes.state, meta]).toEqual(['succeeded', undefined]);
      expect(await eventSlugsOf(refund)).toEqual(['created', 'updated', 'succeeded']);
      expect((await readPayment(payment)).amount_refunded_cents).toBe(10_000);
    }
    const countsAfter = await readCounts();
    expect([
      countsAfter.refunds - countsBefore.refunds,
      countsAfter.refunded - countsBefore.refunded,
    ]).toEqual([6, 30_000]);

    // The network does not know this one.
    const { attributes } = await waitForRefund(unknownRefund);
    expect([attributes.state, attributes.failure_reason]).toEqual(['failed', 'refund_declined']);
    expect((await makeRefund(client, otherPayment)).attributes.amount_cents).toBe(PAID_CENTS);
  });
});

describe('while the network is away', () => {
  it('refunds wait, and are sent once when it is back', async () => {
    const payment = await makeCapturedPayment(client, { amount_cents: PAID_CENTS });
    const countsBefore = await readCounts();
    await stack.stop('simulator');
    const refund = await makeRefund(client, payment);
    const eventCount = await eventually(
      async () => (await eventSlugsOf(refund)).length,
      (count) => count >= 2,
    );
    expect(eventCount).toBeGreaterThanOrEqual(2);
    expect((await client.fetch('refund_demands', refund.id)).attributes.failure_reason).toBeNull();
    await stack.start('simulator');
    clock.advance(60);
    expect((await waitForRefund(refund)).attributes.state).toBe('succeeded');
    const countsAfter = await readCounts();
    expect([
      countsAfter.refunds - countsBefore.refunds,
      countsAfter.refunded - countsBefore.refunded,
    ]).toEqual([1, PAID_CENTS]);
  });

  it('for too long, refunds fail and release their reserved amounts', async () => {
    const payment = await makeCapturedPayment(client, { amount_cents: PAID_CENTS });
    await stack.stop('simulator');
    const refund = await makeRefund(client, payment);
    for (let attempt = 0, lastUpdate = refund.attributes.updated_at; attempt < 2; attempt++) {
      const { attributes } = await eventually(
        () => client.fetch('refund_demands', refund.id),
        (current) =>
          current.attributes.state === 'pending' && current.attributes.updated_at !== lastUpdate,
      );
      lastUpdate = attributes.updated_at;
      clock.advance(10 * 60);
    }
    const { attributes } = await waitForRefund(refund);
    await stack.start('simulator');
    expect([attributes.state, attributes.failure_reason]).toEqual([
      'failed',
      'processor_unreachable',
    ]);
    expect(await eventSlugsOf(refund)).toEqual(['created', 'updated', 'failed']);
    expect((await makeRefund(client, payment)).attributes.amount_cents).toBe(PAID_CENTS);
  });
});

describe('a demand that the database refuses to claim', () => {
  const BAD_CENTS = 6_660;

  it.each(['query_canceled', 'check_violation'])(
    'is deferred after %s, if it is a payment, and does not block the others',
    async (errcode) => {
      await admin.query(`create or replace function refuse_attempt() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using errcode = '${errcode}'; end $$`);
      await admin.query(`create trigger refuse before insert on attempts for each row
      when (new.amount_cents = ${BAD_CENTS}) execute function refuse_attempt()`);
      const parties = await makeParties(client);
      const refusedPayment = await makeDemand(
        client,
        { confirmed: true, amount_cents: BAD_CENTS },
        parties,
      );
      const otherPayments = await Promise.all(
        Array.from({ length: 4 }, () => makeDemand(client, { confirmed: true }, parties)),
      );
      for (const { id } of otherPayments) {
        expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
      }
      const deferredSql = `select status from payment_demands
        where id = $1 and due_at > created_at + interval '30 s'`;
      const rows = await eventually(
        () => db.query(deferredSql, [refusedPayment.id]),
        ({ length }) => length > 0,
      );
      expect(rows).toEqual([{ status: 'pending' }]);

      await admin.query('drop trigger refuse on attempts');
      clock.advance(DEFER_SECONDS);
      expect((await waitForOutcome(client, refusedPayment.id)).attributes.status).toBe('succeeded');
    },
  );

  it('and whose payment is disputed meanwhile, is never sent', async () => {
    const payment = await makeCapturedPayment(client);
    await admin.query(`create trigger refuse before insert on attempts for each row
      when (new.operation = 'refund') execute function refuse_attempt()`);
    const refund = await makeRefund(client, payment, { amount_cents: 1_000 });
    await eventually(
      () => db.query('select id from refund_demands where due_at > created_at', []),
      ({ length }) => length > 0,
    );
    await disputeNow(stack.simulatorUrl, db, payment.id);
    clock.wake();
    await eventually(
      () => client.fetch('payment_demands', payment.id),
      ({ attributes }) => attributes.status === 'disputed',
    );
    await admin.query('drop trigger refuse on attempts');
    clock.advance(DEFER_SECONDS);
    expect((await waitForOutcome(client, refund.id, 'refund_demands')).attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'payment_disputed',
    });
    const { attributes } = await client.fetch('payment_demands', payment.id);
    expect([attributes.status, attributes.amount_refunded_cents]).toEqual(['disputed', 0]);
    expect(await findLedgerDifferences(db)).toEqual([]);
  });
});
