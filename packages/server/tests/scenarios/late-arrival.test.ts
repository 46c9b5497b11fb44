import { withClient } from '@florin/cli/database/client.ts';
import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import { createGate, type SlowNetwork, startSlowNetwork } from '../support/slow-network.ts';

const clock = createClockAhead();

let network: SlowNetwork;
let client: Client;
beforeAll(async () => {
  network = await startSlowNetwork({ clock });
  client = createClient(network.baseUrl, network.credentials.sandbox.secret_key);
});
afterAll(() => network[Symbol.asyncDispose]());

const readCounts = async (): Promise<NetworkCounts> =>
  (await (await fetch(`${network.simulatorUrl}/v1/books`)).json()) as NetworkCounts;

const LATE_CENTS = 4_200;
// Longer than the 7 s after which an authorisation can no longer arrive.
const INQUIRY_SECONDS = 10;
// Polls for disputes must not use up those 7 s before the first inquiry.
const POLL_SECONDS = 2;
let inquiries: number;

/** Delays the authorisation of a payment, and the reversal after inquiries that did not find it. */
function delayMessages() {
  const authorisation = createGate();
  const reversal = createGate();
  network.onMessage = async ({ method, path, body }) => {
    if (path.endsWith('/reverse')) await reversal.pass();
    else if (method === 'POST' && body.includes(`"amount":${LATE_CENTS},`)) {
      await authorisation.pass();
    } else if (method === 'GET') {
      const isInquiry = path.includes('/authorisations/');
      if (isInquiry) inquiries += 1;
      clock.advanceSilently(isInquiry ? INQUIRY_SECONDS : POLL_SECONDS);
    }
  };
  inquiries = 0;
  return { authorisation, reversal };
}

interface LateOptions {
  readonly card?: string;
  /** Runs while the authorisation is delayed. */
  readonly duringDelay?: (latePayment: ResourceObject) => Promise<void>;
}

/** A payment whose authorisation is delayed until just before its reversal. */
async function makeLatePayment(
  { authorisation, reversal }: ReturnType<typeof delayMessages>,
  { card = 'visa', duringDelay = async () => {} }: LateOptions = {},
): Promise<ResourceObject> {
  const parties = await makeParties(client, card);
  const latePayment = await makeDemand(
    client,
    { confirmed: true, amount_cents: LATE_CENTS },
    parties,
  );
  await authorisation.reached;
  await duringDelay(latePayment);
  clock.advance(30);
  await reversal.reached;
  return latePayment;
}

/** Completes a new payment, after which all earlier messages have passed. */
async function waitUntilPassed(): Promise<void> {
  const payment = await makeDemand(client, { confirmed: true }, await makeParties(client));
  expect((await waitForOutcome(client, payment.id)).attributes.status).toBe('succeeded');
}

it('an authorisation that arrives between the last inquiry and the reversal is reversed, and the payment shows it', async () => {
  const gates = delayMessages();
  const latePayment = await makeLatePayment(gates);

  gates.authorisation.open();
  await waitUntilPassed();
  expect((await client.fetch('payment_demands', latePayment.id)).attributes.status).toBe(
    'processing',
  );
  expect((await readCounts()).approved).toBe(2);

  gates.reversal.open();
  const { attributes } = await waitForOutcome(client, latePayment.id);
  expect([attributes.status, attributes.failure_reason]).toEqual([
    'failed',
    'processor_unreachable',
  ]);
  expect(await readCounts()).toMatchObject({ approved: 1, reversed: 1 });
});

it('an authorisation that the bank declines meanwhile is not sent again, and the payment has the reason', async () => {
  const countsBefore = await readCounts();
  const gates = delayMessages();
  const latePayment = await makeLatePayment(gates, { card: 'generic_decline' });
  gates.authorisation.open();
  await waitUntilPassed();

  gates.reversal.open();
  const { attributes } = await waitForOutcome(client, latePayment.id);
  expect([attributes.status, attributes.failure_reason]).toEqual(['failed', 'generic_decline']);
  expect((await readCounts()).declined).toBe(countsBefore.declined + 1);
});

it('a refused reversal of an existing authorisation is repeated, and no authorisation is sent again', async () => {
  const countsBefore = await readCounts();
  let refusals = 0;
  network.answerTo = ({ path }) => {
    const [, reference] = /([^/]+)\/reverse$/.exec(path) ?? [];
    if (!reference) return undefined;
    refusals += 1;
    clock.advanceSilently(300);
    const body = JSON.stringify({ reference, result: 'declined', response_code: '12' });
    return { status: 200, body };
  };
  const gates = delayMessages();
  const latePayment = await makeLatePayment(gates);
  gates.authorisation.open();
  await waitUntilPassed();

  gates.reversal.open();
  await eventually(
    async () => refusals,
    (count) => count > 2,
  );
  const { attributes, meta } = await client.fetch('payment_demands', latePayment.id);
  expect([attributes.status, meta?.outcome]).toEqual(['processing', 'unknown']);
  expect((await readCounts()).approved).toBe(countsBefore.approved + 2);

  network.answerTo = () => undefined;
  clock.advance(300);
  const { failure_reason } = (await waitForOutcome(client, latePayment.id)).attributes;
  expect(failure_reason).toBe('processor_unreachable');
  const countsAfter = await readCounts();
  expect([
    countsAfter.authorisations - countsBefore.authorisations,
    countsAfter.reversed - countsBefore.reversed,
  ]).toEqual([2, 1]);
});

it.each(['0 s', '1 year'])(
  'an attempt of a version without deadlines waits after a missing response, and is not sent again: clock offset %s',
  async (clockOffset) => {
    const gates = delayMessages();
    const removeDeadline = ({ id }: ResourceObject) =>
      withClient(network.adminDatabaseUrl, async (admin) => {
        await admin.query(
          `update attempts set not_after = null, created_at = created_at + $2::interval
           where payment_demand_id = $1`,
          [id, clockOffset],
        );
      });
    const { id } = await makeLatePayment(gates, { duringDelay: removeDeadline });
    expect(inquiries).toBeGreaterThan(1);
    gates.reversal.open();
    expect((await waitForOutcome(client, id)).attributes.failure_reason).toBe(
      'processor_unreachable',
    );
    const attempts = await withClient(network.adminDatabaseUrl, async (admin) => {
      const query = 'select status from attempts where payment_demand_id = $1';
      return (await admin.query(query, [id])).rows;
    });
    expect(attempts).toEqual([{ status: 'reversed' }]);
    gates.authorisation.open();
  },
);

it('a refund whose first message arrives after the second one is refunded once', async () => {
  const payment = await makeCapturedPayment(client, { amount_cents: 5_000 });
  const countsBefore = await readCounts();
  const firstMessage = createGate();
  const firstArrival = Promise.withResolvers<void>();
  let messages = 0;
  network.onMessage = async ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/refunds')) return;
    messages++;
    if (messages === 1) await firstMessage.pass().finally(() => setImmediate(firstArrival.resolve));
  };
  const refund = await makeRefund(client, payment, { amount_cents: 3_000 });
  await firstMessage.reached;
  // The lease expires, as if its process had died before sending.
  clock.advance(30);
  expect((await waitForOutcome(client, refund.id, 'refund_demands')).attributes.state).toBe(
    'succeeded',
  );
  expect(messages).toBe(2);

  firstMessage.open();
  await firstArrival.promise;
  // Once a new refund is complete, the late message has arrived.
  const secondRefund = await makeRefund(client, payment);
  expect((await waitForOutcome(client, secondRefund.id, 'refund_demands')).attributes.state).toBe(
    'succeeded',
  );
  const countsAfter = await readCounts();
  expect([
    countsAfter.refunds - countsBefore.refunds,
    countsAfter.refunded - countsBefore.refunded,
  ]).toEqual([2, 5_000]);
  const { attributes } = await client.fetch('payment_demands', payment.id);
  expect(attributes.amount_refunded_cents).toBe(5_000);
});

const SLOW_PAYMENTS = 12;

it('slow responses of the network do not delay other messages', async () => {
  const gate = createGate();
  const arrivalCallbacks: (() => void)[] = [];
  network.onMessage = async ({ body }) => {
    if (!body.includes(`"amount":${LATE_CENTS},`)) return;
    arrivalCallbacks.shift()?.();
    await gate.pass();
  };
  const parties = await makeParties(client);
  const slowPayments = [];
  for (let count = 0; count < SLOW_PAYMENTS; count++) {
    // Each is sent in a separate batch.
    const arrival = new Promise<void>((resolve) => arrivalCallbacks.push(resolve));
    slowPayments.push(
      await makeDemand(client, { confirmed: true, amount_cents: LATE_CENTS }, parties),
    );
    await arrival;
  }
  const quickPayment = await makeDemand(client, { confirmed: true }, parties);
  expect((await waitForOutcome(client, quickPayment.id)).attributes.status).toBe('succeeded');
  const slowPayment = await client.fetch('payment_demands', slowPayments[0]?.id as string);
  expect([slowPayment.attributes.status, slowPayment.meta]).toEqual([
    'processing',
    { allowed_actions: [] },
  ]);
  gate.open();
  for (const { id } of slowPayments) {
    expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
  }
});
