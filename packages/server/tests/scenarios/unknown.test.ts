import { withClient } from '@florin/cli/database/client.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { instantText, type Micros, seconds } from '@florin/server/platform/time/clock.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNSENT_WAIT_MAX_SECONDS } from '../../src/features/attempts/decide-outcome.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  waitForOutcome,
} from '../support/make.ts';

const clock = createClockAhead();
/** How far the monotonic clock is ahead, which expires cached counts. */
let monotonicOffset_ms = 0;
const monotonic_ms = (): number => performance.now() + monotonicOffset_ms;

/** Last four digits of amounts that select a simulated fault. */
const amounts = { answer_lost: 19_701, reset: 19_702, garbage: 19_703 };

let stack: Stack;
let client: Client;
let db: Database;
beforeAll(async () => {
  stack = await startStack({ config: { clock, monotonic_ms } });
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  db = openDatabase({ url: stack.databaseUrl, connections_max: 2 });
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await stack[Symbol.asyncDispose]();
});

const makePayment = async (amount_cents: number): Promise<ResourceObject> =>
  makeDemand(client, { confirmed: true, amount_cents }, await makeParties(client));

const waitUntilUnknown = (id: string): Promise<ResourceObject> =>
  eventually(
    () => client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );

/** Stores a heartbeat of another machine's process, whose vault works, at some time. */
const storeOtherHeartbeat = (seen_at: Micros): Promise<void> =>
  withClient(stack.databaseUrl, async (database) => {
    await database.query(
      `insert into heartbeats (process_id, loop, host, pid, poll_ms, started_at, seen_at, stepped_at)
       values (gen_random_uuid(), 'authorise', 'another', 1, 1, now(), $1, $1)`,
      [instantText(seen_at)],
    );
  });

const PAYMENTS = 6;

/** Waits until `/readyz` reports this vault state. Returns the response. */
const waitForVaultState = (vault: string) =>
  eventually(
    async () => {
      const answer = await fetch(`${stack.baseUrl}/readyz`);
      const body = (await answer.json()) as { ready: boolean; vault: string; notes?: string[] };
      return { status: answer.status, ...body };
    },
    (body) => body.vault === vault,
  );

async function readVaultGauges(): Promise<Record<string, number>> {
  const text = await (await fetch(`${stack.baseUrl}/metrics`)).text();
  const lines = text.matchAll(/^florin_vault_(up|down_seconds) (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]));
}

/** Moves the clock in two halves. Waits after each until the loop that sends payments has checked all due rows. */
async function advanceAndWait(duration_s: number): Promise<void> {
  const countIdle = async (): Promise<number> => {
    const text = await (await fetch(`${stack.baseUrl}/metrics`)).text();
    return Number(/^florin_work_loop_idle_seconds\{loop="authorise"\} (\S+)$/m.exec(text)?.[1]);
  };
  for (const half_s of [duration_s / 2, duration_s / 2]) {
    clock.advance(half_s);
    await eventually(countIdle, (idle_s) => idle_s < half_s);
  }
}

/** States of the payments' attempts. */
const listAttemptStates = (payments: readonly ResourceObject[]): Promise<string[]> =>
  withClient(stack.databaseUrl, async (database) => {
    const sql = 'select status from attempts where payment_demand_id = any ($1)';
    const { rows } = await database.query(sql, [payments.map(({ id }) => id)]);
    return rows.map(({ status }) => status);
  });

const countApprovals = async (): Promise<number> =>
  ((await (await fetch(`${stack.simulatorUrl}/v1/books`)).json()) as { approved: number }).approved;

/** Reads the gauge by age, after its cached count has expired. */
async function readOpenAttempts(): Promise<Record<string, number>> {
  monotonicOffset_ms += 60_000;
  const text = await (await fetch(`${stack.baseUrl}/metrics`)).text();
  const lines = text.matchAll(/^florin_open_attempts\{age="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, age, count]) => [age, Number(count)]));
}

it('attempts without an outcome are counted by their age', async () => {
  expect(await readOpenAttempts()).toEqual({ under_1h: 0, '1h_to_24h': 0, over_24h: 0 });
  const parties = await makeParties(client);
  // The network's own clock does not advance, so it reports nothing during the test.
  const metadata = { simulate: 'late_approval' };
  const { id } = await makeDemand(client, { confirmed: true, metadata }, parties);
  await eventually(
    () => client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
  expect(await readOpenAttempts()).toEqual({ under_1h: 1, '1h_to_24h': 0, over_24h: 0 });
  clock.advance(3_601);
  expect(await readOpenAttempts()).toEqual({ under_1h: 0, '1h_to_24h': 1, over_24h: 0 });
  clock.advance(24 * 3_600);
  expect(await readOpenAttempts()).toEqual({ under_1h: 0, '1h_to_24h': 0, over_24h: 1 });
});

describe('a payment without a response', () => {
  it.each(['answer_lost', 'garbage'] as const)(
    '(%s) stays processing until an inquiry finds its outcome, and cannot be confirmed again meanwhile',
    async (fault) => {
      const approvalsBefore = await countApprovals();
      const { id } = await makePayment(amounts[fault]);
      const unknownPayment = await waitUntilUnknown(id);
      expect(unknownPayment.attributes).toMatchObject({
        status: 'processing',
        failure_reason: null,
      });
      expect(unknownPayment.meta).toEqual({
        allowed_actions: [],
        outcome: 'unknown',
        since: expect.stringMatching(/^20.*Z$/),
      });
      const answer = await client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
      expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([405, 'invalid_state']);
      clock.advance(5);
      const payment = await waitForOutcome(client, id);
      expect([payment.attributes.status, payment.meta]).toEqual([
        'succeeded',
        { allowed_actions: ['refund'] },
      ]);
      expect((await countApprovals()) - approvalsBefore).toBe(1);
    },
  );

  it('that never reached the network fails after its reversal there, and nothing is charged', async () => {
    const approvalsBefore = await countApprovals();
    const { id } = await makePayment(amounts.reset);
    await waitUntilUnknown(id);
    clock.advance(3);
    expect((await waitUntilUnknown(id)).attributes.status).toBe('processing');
    const { attributes } = await eventually(
      () => {
        clock.advance(10);
        return client.fetch('payment_demands', id);
      },
      ({ attributes }) => attributes.status === 'failed',
    );
    expect(attributes.failure_reason).toBe('processor_unreachable');
    expect((await countApprovals()) - approvalsBefore).toBe(0);
  });
});

describe('while the vault is away', () => {
  it('confirmed payments wait, readyz and the metrics report it, and each has one attempt and one approval in the end', async () => {
    const approvalsBefore = await countApprovals();
    const parties = await makeParties(client);
    expect(await waitForVaultState('ok')).toEqual({ status: 200, ready: true, vault: 'ok' });
    expect(await readVaultGauges()).toEqual({ up: 1, down_seconds: 0 });
    await stack.stop('vault');
    const payments = await Promise.all(
      Array.from({ length: PAYMENTS }, () => makeDemand(client, { confirmed: true }, parties)),
    );
    expect(await waitForVaultState('unreachable')).toEqual({
      status: 503,
      ready: false,
      vault: 'unreachable',
      notes: [
        expect.stringMatching(
          /^The vault of this server accepts no messages since 20.*Z( \(\w+\))?: see/,
        ),
      ],
    });
    // Messages that were claimed before the breaker opened return, and leave no attempt.
    await eventually(
      () => listAttemptStates(payments),
      ({ length }) => length === 0,
    );
    // At each of these times, unsent messages would be retried.
    for (let time = 0; time < 5; time++) await advanceAndWait(62);
    const gauges = await readVaultGauges();
    expect([gauges.up, (gauges.down_seconds ?? 0) >= 310]).toEqual([0, true]);
    expect(await listAttemptStates(payments)).toEqual([]);
    const [waitingPayment] = payments as [ResourceObject];
    expect((await client.fetch('payment_demands', waitingPayment.id)).attributes).toMatchObject({
      status: 'pending',
      failure_reason: null,
    });
    await stack.start('vault');
    const outcomes = await Promise.all(payments.map(({ id }) => waitForOutcome(client, id)));
    expect(outcomes.map(({ attributes }) => attributes.status)).toEqual(
      payments.map(() => 'succeeded'),
    );
    expect(await listAttemptStates(payments)).toEqual(payments.map(() => 'approved'));
    expect((await countApprovals()) - approvalsBefore).toBe(PAYMENTS);
    expect(await waitForVaultState('ok')).toEqual({ status: 200, ready: true, vault: 'ok' });
    expect(await readVaultGauges()).toEqual({ up: 1, down_seconds: 0 });
  });

  it('payments fail without an attempt after the longest wait', async () => {
    const parties = await makeParties(client);
    await stack.stop('vault');
    await waitForVaultState('unreachable');
    const payment = await makeDemand(client, { confirmed: true }, parties);
    await advanceAndWait(14 * 60);
    expect((await client.fetch('payment_demands', payment.id)).attributes.status).toBe('pending');
    await storeOtherHeartbeat(clock.now() + seconds(2 * 60));
    await advanceAndWait(2 * 60);
    expect((await client.fetch('payment_demands', payment.id)).attributes.status).toBe('pending');
    clock.advance(2 * 60);
    expect((await waitForOutcome(client, payment.id)).attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'processor_unreachable',
    });
    expect(await listAttemptStates([payment])).toEqual([]);
    await stack.start('vault');
    await waitForVaultState('ok');
  });
});

describe('a new card while the card network is away', () => {
  /** State of the card and of the payment. */
  const readStates = async (method: ResourceObject | undefined, { id }: ResourceObject) => {
    const card = await client.fetch('payment_methods', method?.id as string);
    const { status, failure_reason } = (await client.fetch('payment_demands', id)).attributes;
    return [card.attributes.external_state, status, failure_reason];
  };

  async function payWhileAway() {
    await stack.stop('simulator');
    const parties = await makeParties(client, 'threeds_challenge');
    const payment = await makeDemand(client, { confirmed: true }, parties);
    const method = parties.payment_method as ResourceObject;
    return { method, payment };
  }

  /**
   * Waits until the payment is final. Returns its status. The card is verified beside the loop, so each round makes
   * the payment due and leaves time for the verification.
   */
  const waitUntilPaid = async ({ id }: ResourceObject): Promise<unknown> => {
    const { attributes } = await eventually(
      async () => {
        const payment = await client.fetch('payment_demands', id);
        // A message in flight would lose its lease.
        const isWaiting = payment.attributes.status === 'pending';
        if (isWaiting) clock.advance(UNSENT_WAIT_MAX_SECONDS + 1);
        return payment;
      },
      ({ attributes: { status } }) => status === 'succeeded' || status === 'failed',
      { max_wait_ms: 30_000, pause_ms: 250 },
    );
    return attributes.status;
  };

  it('is verified once the network is back, and its payment waits for that', async () => {
    const { method, payment } = await payWhileAway();
    for (let time = 0; time < 3; time++) await advanceAndWait(40);
    expect(await readStates(method, payment)).toEqual(['pending', 'pending', null]);
    await stack.start('simulator');
    expect(await waitUntilPaid(payment)).toBe('succeeded');
    expect(await readStates(method, payment)).toEqual(['confirmed', 'succeeded', null]);
  });

  it('can pay later, after its payment failed for an unreachable processor', async () => {
    const { method, payment } = await payWhileAway();
    const states = await eventually(
      () => {
        clock.advance(62);
        return readStates(method, payment);
      },
      ([, status]) => status === 'failed',
    );
    expect(states).toEqual(['pending', 'failed', 'processor_unreachable']);
    await stack.start('simulator');
    await client.send('PATCH', `/v2/payment_demands/${payment.id}/confirm`);
    expect(await waitUntilPaid(payment)).toBe('succeeded');
  });

  it('pays for no blocked customer, whose payment does not wait', async () => {
    await stack.stop('simulator');
    const parties = await makeParties(client, 'threeds_challenge');
    await client.send('PATCH', `/v2/customers/${(parties.payer as ResourceObject).id}/block`);
    const payment = await makeDemand(client, { confirmed: true }, parties);
    expect((await waitForOutcome(client, payment.id)).attributes.failure_reason).toBe(
      'customer_blocked',
    );
    await stack.start('simulator');
  });
});

it('the metrics and a log message show how far the balances are behind the ledger', async () => {
  const readLag = async (): Promise<number[]> => {
    monotonicOffset_ms += 60_000;
    const text = await (await fetch(`${stack.baseUrl}/metrics`)).text();
    const [, seconds] = /^florin_balances_behind_seconds (\S+)$/m.exec(text) ?? [];
    const answer = await fetch(`${stack.baseUrl}/healthz`);
    const health = (await answer.json()) as { balances_behind_seconds: number };
    return [Number(seconds), health.balances_behind_seconds];
  };
  const waitUntilCaughtUp = () => eventually(readLag, ([seconds]) => seconds === 0);
  expect(await waitUntilCaughtUp()).toEqual([0, 0]);
  await db.transaction(async (tx) => {
    // An open transaction that writes keeps all later transfers out of the balances.
    await tx.query('select pg_current_xact_id()', []);
    await makeCapturedPayment(client);
    clock.advance(600);
    const [metric, health] = await readLag();
    expect(metric).toBeGreaterThanOrEqual(600);
    expect(health).toBe(metric);
  });
  expect(await waitUntilCaughtUp()).toEqual([0, 0]);
});
