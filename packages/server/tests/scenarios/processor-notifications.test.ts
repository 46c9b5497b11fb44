import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDisputeCommand } from '../../src/features/disputes/commands.ts';
import { createRefusals } from '../../src/features/processor-notifications/refusals.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { createLogger } from '../../src/platform/logger.ts';
import type { NotificationFact } from '../../src/processors/port/notifications.ts';
import { type Client, createClient } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { answerWith, uploadTo } from '../support/evidence-files.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeDemand,
  makeParties,
  makeRefund,
  waitForDispute,
  waitForOutcome,
} from '../support/make.ts';
import { notifyingAdapter } from '../support/network-adapter.ts';
import { type Operator, operatorOf } from '../support/operator.ts';
import { listBrokenRules } from '../support/reports.ts';

/** The network approves this amount and loses its response. */
const LOST_ANSWER_CENTS = 19_701;
/** The network executes a refund of this amount and loses its response. */
const LOST_REFUND_CENTS = 9_701;
const SIGNING_KEY = 'signing-key-of-the-tests';
const at = '2026-11-24T12:00:00Z';
const checks = {
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
} as const;

const clock = createClockAhead();
const cleanup = new AsyncDisposableStack();
let stack: Stack;
let operator: Operator;
let db: Database;
let client: Client;
let account: string;
let otherAccount: string;
let networkUrl: string;

async function connect(name: string, origin: string): Promise<string> {
  const { body } = await operator.send('POST', '/processor_accounts', {
    processor: 'notifying',
    mode: 'sandbox',
    name,
    settings: { origin },
    secrets: { api_key: 'sk_example_5d0c9c1b7a52', signing_key: SIGNING_KEY },
  });
  const { id } = body.data;
  expect((await operator.send('POST', `/processor_accounts/${id}/enable`, {})).status).toBe(204);
  return id;
}

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'florin-notifying-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { url } = cleanup.use(await startSimulator(dataDir, 0));
  stack = cleanup.use(
    await startStack({
      adapters: { notifying: notifyingAdapter },
      egress: [url],
      config: { clock },
      now: () => new Date(clock.now() / 1000),
    }),
  );
  db = cleanup.use(openDatabase({ url: stack.databaseUrl, connections_max: 1 }));
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  operator = operatorOf({ stack });
  networkUrl = url;
  account = await connect('Notifying', url);
  otherAccount = await connect('Another', url);
  const rules = [{ name: 'All', accounts: [account] }];
  expect((await operator.send('PUT', '/routing/sandbox', { rules })).status).toBe(204);
});
afterAll(() => cleanup.disposeAsync());

interface Sent {
  readonly to?: string;
  readonly key?: string;
}

async function notify(
  facts: readonly object[],
  { to = account, key = SIGNING_KEY }: Sent = {},
): Promise<{ status: number; text: string }> {
  const body = JSON.stringify(facts);
  const response = await fetch(`${stack.baseUrl}/notifications/${to}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-signature': createHmac('sha256', key).update(body).digest('hex'),
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

/** Sends a fact and waits until it was applied once. Returns the state of the notification. */
async function apply(fact: NotificationFact, options: Sent = {}): Promise<Record<string, unknown>> {
  expect(await notify([fact], options)).toEqual({ status: 200, text: '[accepted]' });
  const { body } = await eventually(
    () => operator.get('/processor_notifications'),
    (answer) => answer.body.data[0].outcomes[0]?.key === fact.key,
  );
  return body.data[0];
}

async function payUnanswered(): Promise<{ id: string; attempt_id: string }> {
  const attributes = { confirmed: true, amount_cents: LOST_ANSWER_CENTS };
  const { id } = await makeDemand(client, attributes, await makeParties(client));
  await eventually(
    () => client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
  return { id, attempt_id: await attemptOf(id) };
}

const attemptOf = async (payment: string): Promise<string> =>
  (
    await db.query(
      `select id from attempts where payment_demand_id = $1 and operation = 'authorise' order by id desc limit 1`,
      [payment],
    )
  )[0]?.id as string;

async function pay(attributes: object = {}): Promise<{ id: string; attempt_id: string }> {
  const { id } = await makeDemand(
    client,
    { confirmed: true, ...attributes },
    await makeParties(client),
  );
  expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
  return { id, attempt_id: await attemptOf(id) };
}

let keyCount = 0;
const authorisation = (
  attempt_id: string,
  result: Extract<NotificationFact, { kind: 'authorisation' }>['result'],
): NotificationFact => ({
  kind: 'authorisation',
  key: `authorisation ${++keyCount}`,
  at,
  attempt_id,
  result,
});
const approved = {
  result: 'approved',
  authorisation_code: 'A1',
  network_transaction_id: '12345',
  ...checks,
} as const;
const declined = { result: 'declined', code: 'insufficient_funds', ...checks } as const;

const statusOf = async (id: string) =>
  (await client.fetch('payment_demands', id)).attributes.status;

describe('a notification about a payment without an answer', () => {
  it.each([
    ['an approval', approved, 'succeeded'],
    ['a decline', declined, 'failed'],
  ])('of %s tells its outcome, and a repeated one changes nothing', async (_, result, status) => {
    const payment = await payUnanswered();
    const fact = authorisation(payment.attempt_id, result);
    expect((await apply(fact)).status).toBe('applied');
    expect(await statusOf(payment.id)).toBe(status);
    expect((await notify([fact])).status).toBe(200);
    const rows = await db.query(
      `select id from processor_notifications where outcomes::text like '%' || $1 || '"%'`,
      [fact.key],
    );
    expect(rows).toHaveLength(1);
    expect((await apply(authorisation(payment.attempt_id, result))).status).toBe('applied');
  });
});

it('a payment that no notification tells about is cancelled after a quarter of an hour', async () => {
  const payment = await payUnanswered();
  const { attributes } = await eventually(
    async () => {
      clock.advance(60);
      return client.fetch('payment_demands', payment.id);
    },
    (found) => found.attributes.status === 'failed',
  );
  expect(attributes.failure_reason).toBe('processor_unreachable');
  expect((await apply(authorisation(payment.attempt_id, approved))).status).toBe('applied');
});

describe('a notification', () => {
  it('of a decline after an approval is an operator’s item, and can be replayed', async () => {
    const payment = await pay();
    const notification = await apply(authorisation(payment.attempt_id, declined));
    expect(notification.status).toBe('conflict');
    const { amount_cents, amount_currency } = (await client.fetch('payment_demands', payment.id))
      .attributes;
    const paid = { payment_demand_id: payment.id, amount_cents, amount_currency };
    expect(notification.payments).toMatchObject([paid]);
    expect(await statusOf(payment.id)).toBe('succeeded');
    const open = (await operator.get('/processor_notifications?open=true')).body.data;
    expect(open[0].id).toBe(notification.id);
    const path = `/processor_notifications/${notification.id}`;
    expect(JSON.parse((await operator.get(path)).body.data.body)[0].kind).toBe('authorisation');
    clock.advance(60);
    expect((await operator.send('POST', `${path}/replay`, {})).status).toBe(204);
    const { body } = await eventually(
      () => operator.get(path),
      ({ body: { data } }) =>
        data.status === 'conflict' && data.tries === 1 && data.replayed_at !== null,
    );
    expect(body.data).toMatchObject({
      received_at: notification.received_at,
      replayed_by_email: stack.credentials.account.email,
    });
    expect(Date.parse(body.data.replayed_at)).toBeGreaterThan(
      Date.parse(notification.received_at as string),
    );
    const [entry] = (await operator.get(`/processor_accounts/${account}`)).body.data.entries;
    expect(entry).toMatchObject({
      action: 'replayed',
      details: { notification: notification.id },
      account_email: stack.credentials.account.email,
    });
  });

  it('finds a refund by our id, although its receipt was lost', async () => {
    const { id, attempt_id } = await pay({ amount_cents: 40_000 });
    const payment = await client.fetch('payment_demands', id);
    const refund = await makeRefund(client, payment, { amount_cents: LOST_REFUND_CENTS });
    await eventually(
      () => client.fetch('refund_demands', refund.id),
      ({ meta }) => meta?.outcome === 'unknown',
    );
    const effect = await apply({
      kind: 'refund',
      key: `refund ${refund.id}`,
      at,
      demand_id: refund.id,
      processor_reference: 'act-unheard',
      authorisation_reference: `psp-${attempt_id}`,
      result: { result: 'approved', network_transaction_id: null },
    });
    expect(effect.status).toBe('applied');
    const { attributes } = await client.fetch('refund_demands', refund.id);
    expect(attributes.status).toBe('succeeded');
  });

  it('opens and decides a dispute', async () => {
    const payment = await pay();
    const dispute = {
      reference: `dsp-${payment.id}`,
      reason: 'fraudulent',
      amount: 100,
      currency: 'USD',
    } as const;
    const processor_reference = `psp-${payment.attempt_id}`;
    const { amount_currency } = (await client.fetch('payment_demands', payment.id)).attributes;
    for (const status of ['open', 'lost'] as const) {
      const effect = await apply({
        kind: 'dispute',
        key: `${status} ${payment.id}`,
        at,
        processor_reference,
        dispute: { ...dispute, currency: amount_currency, status },
      });
      expect(effect.status).toBe('applied');
      expect(effect.payments).toMatchObject([
        { payment_demand_id: payment.id, amount_cents: 100, amount_currency },
      ]);
    }
    const stored = await waitForDispute(client, payment.id);
    expect(stored.attributes).toMatchObject({ status: 'lost', amount_cents: 100 });
  });

  it('of disputes of a captured part waits until the hold has ended, in any order', async () => {
    const payment = await makeAuthorisedPayment(client, { amount_cents: 5_000 });
    const { id } = payment;
    const { amount_currency } = payment.attributes;
    const capture = await makeCapture(client, payment, { amount_cents: 2_000, final: false });
    await waitForOutcome(client, capture.id, 'capture_demands');
    for (const status of ['lost', 'open'] as const) {
      const waiting = await apply({
        kind: 'dispute',
        key: `${status} of a part of ${id}`,
        at,
        processor_reference: `psp-${await attemptOf(id)}`,
        dispute: {
          reference: `dsp-${id}`,
          reason: 'fraudulent',
          amount: 2_000,
          currency: amount_currency,
          status,
        },
      });
      expect(waiting).toMatchObject({ status: 'received', outcomes: [{ effect: 'waiting' }] });
    }
    await client.send('PATCH', `/v2/payment_demands/${id}/void`);
    clock.advance(60);
    expect((await waitForDispute(client, id)).attributes.amount_cents).toBe(2_000);
    await eventually(
      () => statusOf(id),
      (status) => status === 'reversed',
    );
  });

  it.each([
    ['an unknown payment', () => '0190f3c2-7b4e-7abc-8def-0123456789ab'],
    ['a hostile id', () => "'; drop table attempts; --"],
  ])('about %s waits, and stays listed', async (_, idOf) => {
    const notification = await apply(authorisation(idOf(), approved));
    expect(notification).toMatchObject({
      status: 'received',
      tries: 1,
      outcomes: [{ effect: 'unmatched' }],
    });
    expect(notification.due_at).not.toBeNull();
  });

  it('to another account does not touch the payment', async () => {
    const payment = await payUnanswered();
    const fact = authorisation(payment.attempt_id, declined);
    expect((await apply(fact, { to: otherAccount })).outcomes).toMatchObject([
      { effect: 'unmatched' },
    ]);
    expect((await client.fetch('payment_demands', payment.id)).meta?.outcome).toBe('unknown');
    await apply(authorisation(payment.attempt_id, declined));
  });

  it('that is no list of facts is tried again, and never lost', async () => {
    expect((await notify({ not: 'facts' } as never)).status).toBe(200);
    const { body } = await eventually(
      () => operator.get('/processor_notifications'),
      (answer) => answer.body.data[0].outcomes[0]?.key === 'unreadable',
    );
    expect(body.data[0]).toMatchObject({ status: 'received', tries: 1 });
  });
});

describe('a second chargeback', () => {
  type Step = 'opened' | 'won' | 'charged_back' | 'lost' | 'won_again';
  const steps = {
    opened: { status: 'open' },
    won: { status: 'won' },
    lost: { status: 'lost' },
    charged_back: { status: 'lost', is_second_round: true },
    won_again: { status: 'won', is_second_round: true },
  } as const satisfies Record<Step, object>;
  let payment: { id: string; attempt_id: string };
  let count = 0;
  beforeAll(async () => {
    payment = await pay();
  });

  /** Notifies steps of a new dispute, in order. Returns it with the states of the notifications. */
  async function notifySteps(order: readonly Step[]) {
    const reference = `dsp-${++count}-${payment.id}`;
    const { amount_currency: currency } = (await client.fetch('payment_demands', payment.id))
      .attributes;
    const states: unknown[] = [];
    for (const [index, step] of order.entries()) {
      const { status } = await apply({
        kind: 'dispute',
        key: `${index} ${step} ${reference}`,
        at,
        processor_reference: `psp-${payment.attempt_id}`,
        dispute: { reference, reason: 'fraudulent', amount: 100, currency, ...steps[step] },
      });
      states.push(status);
    }
    const [dispute] = await db.query('select * from disputes where reference = $1', [reference]);
    const transfers = await db.query(
      'select kind from ledger_transfers where source_id = $1 order by kind',
      [dispute?.id],
    );
    return { states, dispute, kinds: transfers.map(({ kind }) => kind) };
  }

  it.each<readonly Step[]>([
    ['opened', 'won', 'charged_back'],
    ['opened', 'charged_back', 'won'],
    ['won', 'charged_back', 'opened'],
    ['charged_back', 'opened', 'won'],
    ['charged_back', 'won', 'opened', 'charged_back'],
  ])('notified as %s, %s, %s takes the money once more', async (...order) => {
    const before = (await client.fetch('payment_demands', payment.id)).attributes;
    const { states, dispute, kinds } = await notifySteps(order);
    expect(new Set(states)).toEqual(new Set(['applied']));
    expect(dispute).toMatchObject({ status: 'lost', second_chargeback_at: dispute?.closed_at });
    expect(kinds).toEqual(['dispute_opened', 'dispute_won', 'second_chargeback']);
    const after = (await client.fetch('payment_demands', payment.id)).attributes;
    expect(before.amount_refundable_cents - after.amount_refundable_cents).toBe(100);
    const { body } = await client.get('/v2/events?filter[slug]=lost&page[size]=1');
    expect(body.data[0].attributes.resource_id).toBe(dispute?.id);
    expect(await listBrokenRules({ db, client })).toEqual([]);
  });

  it('that the merchant wins leaves the dispute won', async () => {
    const { states, dispute, kinds } = await notifySteps(['opened', 'won', 'won_again']);
    expect(states).toEqual(['applied', 'applied', 'applied']);
    expect(dispute).toMatchObject({ status: 'won', second_chargeback_at: null });
    expect(kinds).toEqual(['dispute_opened', 'dispute_won']);
  });

  it.each<readonly Step[]>([
    ['won', 'lost'],
    ['lost', 'won'],
    ['charged_back', 'won_again'],
  ])('does not explain %s, then %s: an operator decides', async (...order) => {
    expect((await notifySteps(order)).states).toEqual(['applied', 'conflict']);
  });
});

describe('an open dispute that no notification will decide', () => {
  let closing: string;

  async function openDispute(): Promise<{ payment: string; dispute: string; reference: string }> {
    const payment = await pay();
    const reference = `dsp-${payment.id}`;
    const { amount_currency } = (await client.fetch('payment_demands', payment.id)).attributes;
    const { status } = await apply(
      disputeFact(payment, { reference, currency: amount_currency, status: 'open' }),
      { to: closing },
    );
    expect(status).toBe('applied');
    return {
      payment: payment.id,
      dispute: (await waitForDispute(client, payment.id)).id,
      reference,
    };
  }

  const disputeFact = (
    { id, attempt_id }: { id: string; attempt_id: string },
    dispute: { reference: string; currency: string; status: 'open' | 'won' | 'lost' },
  ): NotificationFact => ({
    kind: 'dispute',
    key: `${dispute.status} ${id}`,
    at,
    processor_reference: `psp-${attempt_id}`,
    dispute: { reason: 'fraudulent', amount: 100, ...dispute },
  });

  const merchant = async () =>
    (await db.query('select merchant_id from payment_demands limit 1', []))[0]
      ?.merchant_id as string;
  const close = async (id: string, outcome: string) =>
    operator.send('POST', `/merchants/${await merchant()}/sandbox/disputes/${id}/close`, {
      reason: 'The processor shows it',
      outcome,
    });
  const transfersOf = async (id: string) =>
    (
      await db.query('select kind from ledger_transfers where source_id = $1 order by id', [id])
    ).map(({ kind }) => kind);

  /** A merchant is refused each part of an answer through the removed account. */
  async function expectNoAnswer(id: string): Promise<void> {
    const attributes = { refund_policy: 'Within 30 days.' };
    await client.send('PATCH', `/v2/disputes/${id}`, {
      data: { type: 'disputes', id, attributes },
    });
    const refusals = [
      await uploadTo(client, { id }),
      await answerWith(client, { id }, 'submit'),
      await answerWith(client, { id }, 'accept'),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([422, 422, 422]);
    for (const { body } of refusals)
      expect(body.errors?.[0]).toMatchObject({
        code: 'dispute_account_removed',
        detail:
          "The processor account Closing, which has the dispute, is removed. Answer in the processor's dashboard; the operator then closes the dispute.",
      });
  }

  /** An answer from before the removal is not sent, and its dispute needs a response again. */
  async function expectQueuedAnswerEnds(id: string): Promise<void> {
    await db.query(
      `update disputes set status = 'under_review', submitted_at = now(), due_at = now() where id = $1`,
      [id],
    );
    const { attributes } = await eventually(
      () => client.fetch('disputes', id),
      ({ attributes: { status } }) => status === 'needs_response',
    );
    expect([attributes.submitted_at, attributes.response_problem]).toEqual([
      null,
      expect.stringContaining('The processor account Closing was removed before'),
    ]);
  }

  beforeAll(async () => {
    closing = await connect('Closing', networkUrl);
    const rules = [{ name: 'All', accounts: [closing] }];
    expect((await operator.send('PUT', '/routing/sandbox', { rules })).status).toBe(204);
  });

  it('is closed by an operator while the account is silent, by a command too', async () => {
    const { dispute, payment, reference } = await openDispute();
    expect((await close(dispute, 'lost')).body.errors[0].detail).toBe(
      'The account Closing can still tell the outcome. The merchant can still answer it.',
    );
    await db.query(
      `update disputes set status = 'under_review', due_at = null, updated_at = updated_at - interval '31 days'
       where id = $1`,
      [dispute],
    );
    const [listed] = (await operator.get('/disputes')).body.data;
    expect(listed).toMatchObject({ id: dispute, why: 'silent', account: 'Closing', reference });
    const services = { db, system_clock: clock };
    expect((await runDisputeCommand(services, { command: 'disputes' })).text).toContain(dispute);
    const command = { command: 'close_dispute', id: dispute, reason: 'Seen' } as const;
    const { text } = await runDisputeCommand(services, { ...command, outcome: 'lost' });
    expect(text).toBe(
      `Florin closes the dispute ${dispute} as lost within seconds, or at its next start.`,
    );
    await eventually(
      () => client.fetch('disputes', dispute),
      ({ attributes }) => attributes.status === 'lost',
    );
    const [entry] = (await operator.get(`/processor_accounts/${closing}`)).body.data.entries;
    expect(entry).toMatchObject({
      action: 'dispute_closed',
      details: { dispute, outcome: 'lost', reason: 'Seen' },
      account_email: null,
    });
    await expect(runDisputeCommand(services, { ...command, outcome: 'won' })).rejects.toThrow(
      'is lost already',
    );
    const { amount_currency } = (await client.fetch('payment_demands', payment)).attributes;
    const paid = { id: payment, attempt_id: await attemptOf(payment) };
    const contradiction = disputeFact(paid, {
      reference,
      currency: amount_currency,
      status: 'won',
    });
    expect((await apply(contradiction, { to: closing })).status).toBe('conflict');
  });

  it('is closed although twenty earlier closings fail again and again', async () => {
    const { dispute } = await openDispute();
    await db.query(
      `update disputes set status = 'under_review', due_at = null, updated_at = updated_at - interval '31 days'
       where id = $1`,
      [dispute],
    );
    // Disputes of the network have no account, so that a closing of one cannot be audited.
    await db.query(
      `insert into disputes (merchant_id, mode, id, status, reason, amount_cents, amount_currency, processor, reference,
         evidence_due_at, payment_demand_id, created_at, updated_at)
       select merchant_id, mode, gen_random_uuid(), status, reason, amount_cents, amount_currency, 'blocked', n::text,
         evidence_due_at, payment_demand_id, created_at, updated_at
       from disputes, generate_series(1, 20) n where id = $1`,
      [dispute],
    );
    await db.query(
      `insert into dispute_closings (merchant_id, mode, id, outcome, reason, created_at)
       select merchant_id, mode, id, 'won', 'Blocked', '2026-01-01' from disputes where processor = 'blocked'`,
      [],
    );
    await eventually(
      () => db.query(`select id from dispute_closings where tried_at is not null`, []),
      (tried) => tried.length === 20,
    );
    await runDisputeCommand(
      { db, system_clock: clock },
      { command: 'close_dispute', id: dispute, outcome: 'won', reason: 'Seen' },
    );
    await eventually(
      () => client.fetch('disputes', dispute),
      ({ attributes }) => attributes.status === 'won',
    );
    await db.query(`delete from dispute_closings where reason = 'Blocked'`, []);
    await db.query(`delete from disputes where processor = 'blocked'`, []);
  });

  it('is named before the removal of its account, and closed after it, with payment and ledger', async () => {
    const outcomes = ['won', 'lost', 'accepted'] as const;
    const opened = [await openDispute(), await openDispute(), await openDispute()];
    const path = `/processor_accounts/${closing}`;
    expect((await operator.send('POST', `${path}/pause`, {})).status).toBe(204);
    const refused = await operator.send('POST', `${path}/remove`, {});
    expect(refused.body.errors[0].detail).toContain('and 3 open disputes. Keep it paused, or');
    const removed = await operator.send('POST', `${path}/remove`, { give_up_refunds: true });
    expect(removed.status).toBe(204);
    const shown = (await operator.get(path)).body.data;
    expect(shown.obligations.open_disputes).toBe(3);
    expect(shown.entries[0]).toMatchObject({ action: 'removed', details: { open_disputes: 3 } });
    await expectNoAnswer(opened[0]?.dispute as string);
    await expectQueuedAnswerEnds(opened[1]?.dispute as string);
    for (const [index, outcome] of outcomes.entries()) {
      const { dispute, payment } = opened[index] as (typeof opened)[number];
      expect((await operator.get('/disputes')).body.data[0]).toMatchObject({
        id: dispute,
        why: 'removed',
      });
      expect((await close(dispute, outcome)).status).toBe(204);
      const state = outcome === 'won' ? 'won' : 'lost';
      expect((await client.fetch('disputes', dispute)).attributes.status).toBe(state);
      expect(await transfersOf(dispute)).toEqual(['dispute_opened', `dispute_${state}`]);
      expect(await statusOf(payment)).toBe('succeeded');
      expect((await close(dispute, outcome)).status).toBe(405);
    }
    expect((await operator.get('/disputes')).body.data).toEqual([]);
    const { entries } = (await operator.get(`/merchants/${await merchant()}`)).body;
    expect(entries[0]).toMatchObject({ kind: 'close_dispute', reason: 'The processor shows it' });
  });
});

describe('a request without a valid signature', () => {
  const count = async () =>
    (await db.query('select count(*) as n from processor_notifications', []))[0]?.n;

  it.each([
    ['a wrong key', { key: 'another-key' }, 401],
    ['an unknown account', { to: '0190f3c2-7b4e-7abc-8def-0123456789ab' }, 404],
    ['no account id', { to: 'x' }, 404],
  ])('with %s stores nothing', async (_, sent, status) => {
    const before = await count();
    expect((await notify([authorisation('x', approved)], sent)).status).toBe(status);
    const unsigned = await fetch(`${stack.baseUrl}/notifications/${account}`, { method: 'POST' });
    expect(unsigned.status).toBe(401);
    expect(await count()).toBe(before);
  });

  it('is counted for its account if the signature is wrong', async () => {
    const metrics = async () => (await fetch(`${stack.baseUrl}/metrics`)).text();
    const series = `florin_processor_notifications_total{account="${account}",status="refused"}`;
    const refused = async () => Number((await metrics()).split(series)[1]?.split('\n')[0] ?? 0);
    const before = await refused();
    await notify([authorisation('x', approved)], { key: 'another-key' });
    expect(await refused()).toBe(before + 1);
  });

  it('is shown at its account until a later one is accepted', async () => {
    const refusals = async () =>
      (await operator.get(`/processor_accounts/${otherAccount}`)).body.data.refused_notifications;
    const facts = [authorisation('x', approved)];
    for (const key of ['another-key', 'a-third-key'])
      expect((await notify(facts, { to: otherAccount, key })).status).toBe(401);
    const shown = await eventually(refusals, (found) => found?.count === 2);
    expect(shown).toMatchObject({
      last_reason: 'wrong_signature',
      last_hash: createHash('sha256').update(JSON.stringify(facts)).digest('hex'),
    });
    expect((await notify(facts, { to: otherAccount })).status).toBe(200);
    expect(await refusals()).toBeNull();
    expect((await notify(facts, { to: otherAccount, key: 'another-key' })).status).toBe(401);
    expect((await notify(facts, { to: otherAccount })).status).toBe(200);
    expect(await refusals()).toBeNull();
  });

  it('stays away once a later one is accepted, although another server counts it afterwards', async () => {
    const refusals = async () =>
      (await operator.get(`/processor_accounts/${otherAccount}`)).body.data.refused_notifications;
    const facts = [authorisation('x', approved)];
    expect((await notify(facts, { to: otherAccount })).status).toBe(200);
    const otherServer = createRefusals({ db, logger: createLogger('silent') });
    const refuse = async (at: number) => {
      otherServer.add({ account_id: otherAccount, hash: 'f00', why: 'wrong_signature', at });
      await otherServer.close();
    };
    clock.advance(1);
    const refused_at = clock.now();
    clock.advance(1);
    // A repeated notification is stored once.
    expect((await notify(facts, { to: otherAccount })).status).toBe(200);
    await refuse(refused_at);
    expect(await refusals()).toBeNull();
    // The other server has looked just before the acceptance.
    await db.query(
      `insert into processor_account_refusals values ($1, 7, to_timestamp($2), to_timestamp($2), 'wrong_signature', 'f00')`,
      [otherAccount, refused_at / 1_000_000],
    );
    expect(await refusals()).toBeNull();
    clock.advance(1);
    await refuse(clock.now());
    expect(await refusals()).toMatchObject({ count: 1 });
    clock.advance(1);
    expect((await notify(facts, { to: otherAccount })).status).toBe(200);
    expect(await refusals()).toBeNull();
  });

  it('costs one write, however many arrive, and none if a later one was accepted', async () => {
    const queries: unknown[] = [];
    const counting = new Proxy(db, {
      get: (target, name) =>
        name === 'query'
          ? (...given: Parameters<Database['query']>) => queries.push(given) && db.query(...given)
          : Reflect.get(target, name),
    });
    const rowsOf = async () =>
      db.query('select count from processor_account_refusals where processor_account_id = $1', [
        account,
      ]);
    const refusal = { account_id: account, hash: 'f00', why: 'wrong_signature' };
    // Ends what the tests before counted.
    expect((await notify([authorisation('x', approved)])).status).toBe(200);
    const refusals = createRefusals({ db: counting, logger: createLogger('silent') });
    for (let count = 0; count < 1_000; count += 1) refusals.add({ ...refusal, at: clock.now() });
    await refusals.close();
    expect(queries).toHaveLength(1);
    expect((await rowsOf()).map(({ count }) => Number(count))).toEqual([1_000]);
    clock.advance(1);
    expect((await notify([authorisation('x', approved)])).status).toBe(200);
    refusals.add({ ...refusal, at: clock.now() - 60_000_000 });
    await refusals.close();
    expect(await rowsOf()).toEqual([]);
  });
});
