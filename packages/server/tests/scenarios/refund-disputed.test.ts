import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import {
  findLedgerDifferences,
  findPaymentDifferences,
} from '@florin/server/features/ledger/sql/ledger-check.ts';
import { type Database, openDatabase } from '@florin/server/platform/database/db.ts';
import { seconds } from '@florin/server/platform/time/clock.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { disputeNow } from '../support/dispute-now.ts';
import {
  eventually,
  makeCapturedPayment,
  makeRefund,
  waitForDispute,
  waitForOutcome,
} from '../support/make.ts';
import { type SlowNetwork, startSlowNetwork } from '../support/slow-network.ts';

const PAID_CENTS = 5_000;
const REFUND_CENTS = 3_000;
/** Long enough for another inquiry, and for no message to be in flight. */
const NEXT_INQUIRY_S = 60;

const clock = createClockAhead();
/** Lag of the database's clock behind the server's. */
const database = { behind_s: 0 };
let network: SlowNetwork;
let client: Client;
let db: Database;
/** Counts refund messages, and how many of the first ones are to be lost. */
const refundMessages = { sentCount: 0, lostCount: 0 };
/** Runs during an inquiry about a refund. */
let onInquiry = (): void => {};
beforeAll(async () => {
  const clocks = {
    vaultClock: () => clock.now() / 1_000,
    databaseTime: async () => clock.now() - seconds(database.behind_s),
  };
  network = await startSlowNetwork({ clock }, clocks);
  client = createClient(network.baseUrl, network.credentials.sandbox.secret_key);
  db = openDatabase({ url: network.databaseUrl, connections_max: 2 });
  network.onMessage = async ({ method, path }) => {
    if (method === 'GET' && path.startsWith('/v1/refunds/')) onInquiry();
    if (method !== 'POST' || !path.endsWith('/refunds')) return;
    refundMessages.sentCount += 1;
    if (refundMessages.sentCount <= refundMessages.lostCount) throw new Error('lost on its way');
  };
});
afterAll(async () => {
  await db?.[Symbol.asyncDispose]();
  await network?.[Symbol.asyncDispose]();
});
afterEach(async () => {
  expect([await findLedgerDifferences(db), await findPaymentDifferences(db)]).toEqual([[], []]);
});

const readCounts = async (): Promise<NetworkCounts> =>
  (await (await fetch(`${network.simulatorUrl}/v1/books`)).json()) as NetworkCounts;

const statusOf = async ({ id }: ResourceObject): Promise<string> =>
  (await client.fetch('payment_demands', id)).attributes.status;

const outcomeOf = async ({ id }: ResourceObject): Promise<unknown[]> => {
  const { attributes } = await waitForOutcome(client, id, 'refund_demands');
  return [attributes.state, attributes.failure_reason];
};

/** A refund whose only message was lost before it arrived. */
async function makeLostRefund(payment: ResourceObject): Promise<ResourceObject> {
  Object.assign(refundMessages, { sentCount: 0, lostCount: 1 });
  const refund = await makeRefund(client, payment, { amount_cents: REFUND_CENTS });
  return eventually(
    () => client.fetch('refund_demands', refund.id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
}

async function openDispute(payment: ResourceObject): Promise<ResourceObject> {
  await disputeNow(network.simulatorUrl, db, payment.id);
  clock.wake();
  return waitForDispute(client, payment.id);
}

const callAction = ({ id }: ResourceObject, action: string) =>
  client.send('PATCH', `/v2/disputes/${id}/${action}`);

async function winDispute(dispute: ResourceObject): Promise<void> {
  const attributes = { uncategorized_text: 'They signed for it.' };
  await client.send('PATCH', `/v2/disputes/${dispute.id}`, {
    data: { type: 'disputes', id: dispute.id, attributes },
  });
  await callAction(dispute, 'submit');
  clock.wake();
}

const waitForStatus = (payment: ResourceObject, status: string) =>
  eventually(
    () => statusOf(payment),
    (current) => current === status,
  );

/** Inquiries about the attempt of a refund. */
async function countInquiries({ id }: ResourceObject): Promise<number> {
  const [row] = await db.query('select inquiries from attempts where refund_demand_id = $1', [id]);
  return Number(row?.inquiries);
}

it('a lost refund is not sent again once its payment is disputed, and fails when it can no longer arrive', async () => {
  const countsBefore = await readCounts();
  const payment = await makeCapturedPayment(client, { amount_cents: PAID_CENTS });
  const refund = await makeLostRefund(payment);
  const dispute = await openDispute(payment);
  expect(await waitForStatus(payment, 'disputed')).toBe('disputed');

  const sentInquiries = await countInquiries(refund);
  clock.advance(3);
  // The message may still arrive, so nothing is decided.
  expect(
    await eventually(
      () => countInquiries(refund),
      (count) => count > sentInquiries,
    ),
  ).toBeGreaterThan(sentInquiries);
  expect((await client.fetch('refund_demands', refund.id)).attributes.state).toBe('processing');
  clock.advance(NEXT_INQUIRY_S);
  expect(await outcomeOf(refund)).toEqual(['failed', 'payment_disputed']);
  expect(refundMessages.sentCount).toBe(1);
  expect((await readCounts()).refunds).toBe(countsBefore.refunds);

  await callAction(dispute, 'accept');
  expect(await waitForStatus(payment, 'reversed')).toBe('reversed');
  const { attributes } = await client.fetch('payment_demands', payment.id);
  expect([attributes.amount_refunded_cents, attributes.amount_refundable_cents]).toEqual([0, 0]);
});

it('a refund that may still arrive is not given up, however late the response comes; then a won dispute frees its amount', async () => {
  const payment = await makeCapturedPayment(client, { amount_cents: PAID_CENTS });
  const refund = await makeLostRefund(payment);
  const dispute = await openDispute(payment);
  await waitForStatus(payment, 'disputed');
  const sentInquiries = await countInquiries(refund);
  onInquiry = () => {
    onInquiry = () => {};
    clock.advanceSilently(NEXT_INQUIRY_S);
  };
  clock.advance(3);
  const readState = async () => (await client.fetch('refund_demands', refund.id)).attributes.state;
  const progress = await eventually(
    async () => [(await countInquiries(refund)) > sentInquiries, await readState()] as const,
    ([isInquired, state]) => isInquired || state !== 'processing',
  );
  expect(progress).toEqual([true, 'processing']);
  clock.advance(NEXT_INQUIRY_S);
  expect(await outcomeOf(refund)).toEqual(['failed', 'payment_disputed']);
  await winDispute(dispute);
  expect(await waitForStatus(payment, 'succeeded')).toBe('succeeded');
  const fullRefund = await makeRefund(client, payment);
  expect(fullRefund.attributes.amount_cents).toBe(PAID_CENTS);
  expect(await outcomeOf(fullRefund)).toEqual(['succeeded', null]);
});

it('a lost refund whose payment is no longer disputed is sent again', async () => {
  const payment = await makeCapturedPayment(client, { amount_cents: PAID_CENTS });
  const refund = await makeLostRefund(payment);
  const dispute = await openDispute(payment);
  await waitForStatus(payment, 'disputed');
  await winDispute(dispute);
  expect(await waitForStatus(payment, 'succeeded')).toBe('succeeded');
  clock.advance(NEXT_INQUIRY_S);
  expect(await outcomeOf(refund)).toEqual(['succeeded', null]);
  expect(refundMessages.sentCount).toBe(2);
});

it('an inquiry waits for a dispute that is being stored', async () => {
  const payment = await makeCapturedPayment(client, { amount_cents: PAID_CENTS });
  const refund = await makeLostRefund(payment);
  const admin = new pg.Client({ connectionString: network.adminDatabaseUrl });
  await admin.connect();
  try {
    await admin.query('begin');
    await admin.query(`update payment_demands set status = 'disputed' where id = $1`, [payment.id]);
    clock.advance(3);
    const waiterCount = await eventually(
      async () =>
        (
          await db.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            [],
          )
        ).length,
      (count) => count > 0,
    );
    expect(waiterCount).toBeGreaterThan(0);
    const sentInquiries = await countInquiries(refund);
    await admin.query('commit');
    await eventually(
      () => countInquiries(refund),
      (count) => count > sentInquiries,
    );
    expect(refundMessages.sentCount).toBe(1);
  } finally {
    await admin.query('rollback');
    await admin.query(`update payment_demands set status = 'succeeded' where id = $1`, [
      payment.id,
    ]);
    await admin.end();
  }
  clock.advance(NEXT_INQUIRY_S);
  expect(await outcomeOf(refund)).toEqual(['succeeded', null]);
  expect(refundMessages.sentCount).toBe(2);
});

it('a lost refund is not given up while the clock of the database differs', async () => {
  const clocksDiffer = async (): Promise<boolean> => {
    const answer = (await (await fetch(`${network.baseUrl}/readyz`)).json()) as object;
    return 'notes' in answer;
  };
  const payment = await makeCapturedPayment(client, { amount_cents: PAID_CENTS });
  const refund = await makeLostRefund(payment);
  await openDispute(payment);
  await waitForStatus(payment, 'disputed');
  // The last test: the clocks never agree again.
  database.behind_s = 40;
  await eventually(clocksDiffer, (isDifferent) => isDifferent);
  const sentInquiries = await countInquiries(refund);
  clock.advance(NEXT_INQUIRY_S);
  await eventually(
    () => countInquiries(refund),
    (count) => count > sentInquiries,
  );
  expect((await client.fetch('refund_demands', refund.id)).attributes.state).toBe('processing');
});
