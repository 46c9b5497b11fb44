import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import type { NotificationFact } from '../../src/processors/port/notifications.ts';
import { type Client, createClient } from './client.ts';
import type { createClockAhead } from './clock-ahead.ts';
import { eventually, makeDemand, makeParties, waitForOutcome } from './make.ts';
import { notifyingAdapter } from './network-adapter.ts';
import { type Operator, operatorOf } from './operator.ts';

/** The network approves this amount and loses its response. */
const LOST_ANSWER_CENTS = 19_701;
const SIGNING_KEY = 'signing-key-of-the-tests';

/** Time of the facts at the processor. */
export const notified_at = '2026-11-24T12:00:00Z';
const checks = {
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
} as const;
export const approved = {
  result: 'approved',
  authorisation_code: 'A1',
  network_transaction_id: '12345',
  ...checks,
} as const;
export const declined = { result: 'declined', code: 'insufficient_funds', ...checks } as const;

let keyCount = 0;
/** A fact about an authorisation, with a key of its own. */
export const authorisation = (
  attempt_id: string,
  result: Extract<NotificationFact, { kind: 'authorisation' }>['result'],
): NotificationFact => ({
  kind: 'authorisation',
  key: `authorisation ${++keyCount}`,
  at: notified_at,
  attempt_id,
  result,
});

/** Account and key of a notification; by default those of the first account. */
interface Sent {
  readonly to?: string;
  readonly key?: string;
}

interface Paid {
  readonly id: string;
  readonly attempt_id: string;
}

/** A Florin whose sandbox payments go to a processor that the test notifies from. */
export interface NotifyingStack {
  readonly clock: ReturnType<typeof createClockAhead>;
  stack: Stack;
  db: Database;
  client: Client;
  operator: Operator;
  /** Ids of two accounts; the first one takes the payments. */
  account: string;
  otherAccount: string;
  networkUrl: string;
  /** Creates and enables an account. Returns its id. */
  connect(name: string, origin: string): Promise<string>;
  notify(facts: readonly object[], sent?: Sent): Promise<{ status: number; text: string }>;
  /** Sends a fact and waits until it was applied once. Returns the notification. */
  apply(fact: NotificationFact, sent?: Sent): Promise<Record<string, unknown>>;
  pay(attributes?: object): Promise<Paid>;
  /** Pays, and loses the answer. */
  payUnanswered(): Promise<Paid>;
  attemptOf(payment: string): Promise<string>;
  statusOf(payment: string): Promise<string>;
}

/** Starts Florin and a simulated network for a test file. */
export function useNotifyingStack(clock: NotifyingStack['clock']): NotifyingStack {
  const cleanup = new AsyncDisposableStack();
  const context = { clock } as NotifyingStack;
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'florin-notifying-'));
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
    const { url } = cleanup.use(await startSimulator(dataDir, 0));
    const stack = cleanup.use(
      await startStack({
        adapters: { notifying: notifyingAdapter },
        egress: [url],
        config: { clock },
        now: () => new Date(clock.now() / 1000),
      }),
    );
    Object.assign(context, {
      stack,
      db: cleanup.use(openDatabase({ url: stack.databaseUrl, connections_max: 1 })),
      client: createClient(stack.baseUrl, stack.credentials.sandbox.secret_key),
      operator: operatorOf({ stack }),
      networkUrl: url,
    });
    context.account = await context.connect('Notifying', url);
    context.otherAccount = await context.connect('Another', url);
    const rules = [{ name: 'All', accounts: [context.account] }];
    expect((await context.operator.send('PUT', '/routing/sandbox', { rules })).status).toBe(204);
  });
  afterAll(() => cleanup.disposeAsync());
  return Object.assign(context, {
    connect: (name: string, origin: string) => connectAt(context, name, origin),
    notify: (facts: readonly object[], sent?: Sent) => notifyFrom(context, facts, sent),
    apply: (fact: NotificationFact, sent?: Sent) => applyOne(context, fact, sent),
    pay: (attributes?: object) => payAt(context, attributes),
    payUnanswered: () => payUnansweredAt(context),
    attemptOf: (payment: string) => authorisationOf(context, payment),
    statusOf: async (payment: string) =>
      (await context.client.fetch('payment_demands', payment)).attributes.status,
  });
}

async function connectAt(
  { operator }: NotifyingStack,
  name: string,
  origin: string,
): Promise<string> {
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

async function notifyFrom(
  { stack, account }: NotifyingStack,
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

async function applyOne(
  { notify, operator }: NotifyingStack,
  fact: NotificationFact,
  sent?: Sent,
): Promise<Record<string, unknown>> {
  expect(await notify([fact], sent)).toEqual({ status: 200, text: '[accepted]' });
  const { body } = await eventually(
    () => operator.get('/processor_notifications'),
    (answer) => answer.body.data[0].outcomes[0]?.key === fact.key,
  );
  return body.data[0];
}

async function payAt(florin: NotifyingStack, attributes: object = {}): Promise<Paid> {
  const parties = await makeParties(florin.client);
  const { id } = await makeDemand(florin.client, { confirmed: true, ...attributes }, parties);
  expect((await waitForOutcome(florin.client, id)).attributes.status).toBe('succeeded');
  return { id, attempt_id: await florin.attemptOf(id) };
}

async function payUnansweredAt(florin: NotifyingStack): Promise<Paid> {
  const attributes = { confirmed: true, amount_cents: LOST_ANSWER_CENTS };
  const { id } = await makeDemand(florin.client, attributes, await makeParties(florin.client));
  await eventually(
    () => florin.client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
  return { id, attempt_id: await florin.attemptOf(id) };
}

async function authorisationOf({ db }: NotifyingStack, payment: string): Promise<string> {
  const [attempt] = await db.query(
    `select id from attempts where payment_demand_id = $1 and operation = 'authorise' order by id desc limit 1`,
    [payment],
  );
  return attempt?.id as string;
}
