import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeDemand,
  makeParties,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import { advisingAdapter } from '../support/network-adapter.ts';
import { type Operator, operatorOf } from '../support/operator.ts';
import { type SwitchableNetwork, startSwitchableNetwork } from '../support/switchable-network.ts';

const API_KEY = 'sk_example_5d0c9c1b7a52';
const SIGNING_KEY = 'signing-key-of-the-tests';
/** Proof of the payer, so that a second message needs no verification value. */
const threeds = {
  threeds_version: '2.2.0',
  threeds_status: 'Y',
  eci: '05',
  directory_transaction_eid: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  acs_transaction_eid: 'd7c1ee99-9478-44a6-b1f2-391e29c6b340',
};

const clock = createClockAhead();
const cleanup = new AsyncDisposableStack();
const networks = {} as Record<'a' | 'b', SwitchableNetwork>;
const books = {} as Record<'a' | 'b', string>;
const accounts = {} as Record<'a' | 'b', string>;
let stack: Stack;
let client: Client;
let operator: Operator;
let db: Database;

beforeAll(async () => {
  for (const name of ['a', 'b'] as const) {
    const dataDir = await mkdtemp(join(tmpdir(), `florin-fallback-${name}-`));
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
    books[name] = cleanup.use(await startSimulator(dataDir, 0)).url;
    networks[name] = cleanup.use(await startSwitchableNetwork(books[name]));
  }
  stack = cleanup.use(
    await startStack({
      adapters: { advising: advisingAdapter },
      egress: Object.values(networks).map(({ url }) => url),
      config: { clock },
      now: () => new Date(clock.now() / 1000),
    }),
  );
  db = cleanup.use(openDatabase({ url: stack.databaseUrl, connections_max: 1 }));
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  operator = operatorOf({ stack });
  for (const name of ['a', 'b'] as const) accounts[name] = await connect(name, networks[name].url);
});
afterAll(() => cleanup.disposeAsync());
beforeEach(async () => {
  for (const network of Object.values(networks))
    Object.assign(network, { mode: 'approve', lostAnswers: 0 });
  await setFallback('declined');
});

async function connect(name: string, origin: string): Promise<string> {
  const { body } = await operator.send('POST', '/processor_accounts', {
    processor: 'advising',
    mode: 'sandbox',
    name: `Account ${name}`,
    settings: { origin },
    secrets: { api_key: API_KEY, signing_key: SIGNING_KEY },
  });
  const { id } = body.data;
  expect((await operator.send('POST', `/processor_accounts/${id}/enable`, {})).status).toBe(204);
  return id;
}

async function setFallback(fallback: string): Promise<void> {
  const rules = [{ name: 'Both', accounts: [accounts.a, accounts.b], fallback }];
  expect((await operator.send('PUT', '/routing/sandbox', { rules })).status).toBe(204);
}

const makeDue = async (attributes: object = {}): Promise<string> => {
  const parties = await makeParties(client);
  return (await makeDemand(client, { confirmed: true, ...attributes }, parties)).id;
};
const pay = async (attributes: object = {}): Promise<ResourceObject> =>
  waitForOutcome(client, await makeDue(attributes));

/** Attempts of a payment, oldest first, as the interface shows them: account, status, and the attempt before. */
async function stepsOf({ id }: { readonly id: string }) {
  const path = `/v2/payment_attempts?filter[payment_demand]=${id}&sort=created_at`;
  const { data } = (await client.get(path)).body;
  return data.map(({ attributes: { route, status } }: ResourceObject) => [
    route.account,
    status,
    route.after ? `${route.after.name}: ${route.after.result}, ${route.after.why}` : null,
  ]);
}

const A_DECLINED = ['Account a', 'declined', null];
const B_APPROVED = ['Account b', 'approved', 'Account a: declined, insufficient_funds'];

const countsOf = async (name: 'a' | 'b'): Promise<Record<string, number>> =>
  (await fetch(`${books[name]}/v1/books`)).json() as Promise<Record<string, number>>;

/** Counts approvals in the books of both networks, less reversed ones, since the call of this function. */
async function createApprovalCount() {
  const count = async () => {
    const all = await Promise.all([countsOf('a'), countsOf('b')]);
    return all.reduce((sum, { approved = 0 }) => sum + approved, 0);
  };
  const before = await count();
  return async () => (await count()) - before;
}

describe('a payment that the first account declines', () => {
  it('is approved by the second, and refunded there', async () => {
    networks.a.mode = 'decline';
    const payment = await pay(threeds);
    expect(payment.attributes).toMatchObject({ status: 'succeeded', failure_reason: null });
    expect(await stepsOf(payment)).toEqual([A_DECLINED, B_APPROVED]);
    const refund = await makeRefund(client, payment);
    const refunded = await eventually(
      () => client.fetch('refund_demands', refund.id),
      ({ attributes: { status } }) => !['pending', 'processing'].includes(status),
    );
    expect(refunded.attributes.status).toBe('succeeded');
  });

  it('fails after two accounts', async () => {
    networks.a.mode = 'decline';
    networks.b.mode = 'decline';
    const payment = await pay(threeds);
    expect(payment.attributes.failure_reason).toBe('insufficient_funds');
    expect((await stepsOf(payment)).map(([account]: string[]) => account)).toEqual([
      'Account a',
      'Account b',
    ]);
  });

  it('begins with the first account again when the merchant retries', async () => {
    networks.a.mode = 'decline';
    networks.b.mode = 'decline';
    const { id } = await pay(threeds);
    networks.a.mode = 'approve';
    await client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
    expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
    expect((await stepsOf({ id })).at(-1)).toEqual(['Account a', 'approved', null]);
  });

  it('by a card whose verification value is used up, without another proof, fails', async () => {
    networks.a.mode = 'decline';
    const payment = await pay();
    expect(payment.attributes.status).toBe('failed');
    expect(await stepsOf(payment)).toEqual([A_DECLINED]);
  });

  it('fails where the rule allows unsent messages only', async () => {
    await setFallback('not_sent');
    networks.a.mode = 'decline';
    expect(await stepsOf(await pay(threeds))).toEqual([A_DECLINED]);
  });

  it('is charged by the second account without the payer', async () => {
    const parties = await makeParties(client);
    // The second network must know the payer's first approval.
    await networks.a.stop();
    const first = await makeDemand(client, { confirmed: true }, parties);
    expect((await waitForOutcome(client, first.id)).attributes.status).toBe('succeeded');
    await networks.a.start();
    networks.a.mode = 'decline';
    const attributes = { confirmed: true, initiator: 'merchant' };
    const { id } = await makeDemand(client, attributes, parties);
    expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
    // The first network does not know the payer's first approval.
    const after = 'Account a: declined, generic_decline';
    expect(await stepsOf({ id })).toEqual([A_DECLINED, ['Account b', 'approved', after]]);
  });
});

describe('a payment whose first account cannot be reached', () => {
  const B_INSTEAD = ['Account b', 'approved', 'Account a: not_sent, connection_failed'];

  it('is taken by the second, with the verification value', async () => {
    await networks.a.stop();
    const payment = await pay();
    await networks.a.start();
    expect(payment.attributes).toMatchObject({ status: 'succeeded', cvc2_check: 'match' });
    expect(await stepsOf(payment)).toEqual([['Account a', 'not_sent', null], B_INSTEAD]);
  });

  it('waits for the first where the rule has no fallback', async () => {
    await setFallback('none');
    await networks.a.stop();
    const id = await makeDue();
    await eventually(
      () => stepsOf({ id }),
      (steps) => steps.length > 0,
    );
    await networks.a.start();
    clock.advance(20);
    expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
    for (const [account] of await stepsOf({ id })) expect(account).toBe('Account a');
  });
});

describe('lost answers', () => {
  it('of both accounts are found, and the payer is charged once', async () => {
    const countApprovals = await createApprovalCount();
    Object.assign(networks.a, { mode: 'decline', lostAnswers: 1 });
    networks.b.lostAnswers = 1;
    const id = await makeDue(threeds);
    const isUnknown = ({ meta }: ResourceObject) => meta?.outcome === 'unknown';
    await eventually(() => client.fetch('payment_demands', id), isUnknown);
    expect(await stepsOf({ id })).toEqual([['Account a', 'unknown', null]]);
    clock.advance(3);
    await eventually(
      () => stepsOf({ id }),
      (steps) => steps.length === 2,
    );
    await eventually(() => client.fetch('payment_demands', id), isUnknown);
    clock.advance(3);
    expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
    expect(await stepsOf({ id })).toEqual([A_DECLINED, B_APPROVED]);
    expect(await countApprovals()).toBe(1);
  });
});

/** Lets no attempt of an account be stored, as if each process died before the commit. */
const preventAttempts = (account: string) =>
  withClient(stack.adminDatabaseUrl, async (admin) => {
    await admin.query(
      `create function die() returns trigger language plpgsql as $$ begin raise 'died'; end $$`,
    );
    await admin.query(
      `create trigger die before insert on attempts for each row
       when (new.processor_account_id = '${account}') execute function die()`,
    );
  });
const allowAttempts = () =>
  withClient(stack.adminDatabaseUrl, (admin) => admin.query('drop function die() cascade'));

it('a process that dies before the second attempt leaves the payment due, and it is sent once', async () => {
  const countApprovals = await createApprovalCount();
  await preventAttempts(accounts.b);
  networks.a.mode = 'decline';
  const id = await makeDue(threeds);
  const stored = async (): Promise<Row | undefined> =>
    (await db.query('select status, fallback_after from payment_demands where id = $1', [id]))[0];
  const due = await eventually(stored, (row) => !!row?.fallback_after);
  expect(due?.status).toBe('pending');
  expect(await stepsOf({ id })).toEqual([A_DECLINED]);
  await allowAttempts();
  clock.advance(61);
  expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
  expect(await stepsOf({ id })).toEqual([A_DECLINED, B_APPROVED]);
  expect(await countApprovals()).toBe(1);
});

it('a payment whose second account was paused meanwhile fails with the decline', async () => {
  await preventAttempts(accounts.b);
  networks.a.mode = 'decline';
  const id = await makeDue(threeds);
  await eventually(
    () => stepsOf({ id }),
    ([step]) => step?.[1] === 'declined',
  );
  await operator.send('POST', `/processor_accounts/${accounts.b}/pause`, {});
  await allowAttempts();
  clock.advance(61);
  const payment = await waitForOutcome(client, id);
  expect(payment.attributes.failure_reason).toBe('insufficient_funds');
  expect(await stepsOf({ id })).toEqual([A_DECLINED]);
  await operator.send('POST', `/processor_accounts/${accounts.b}/enable`, {});
});

it('a declined attempt that turns out approved is reversed, and the payer is charged once', async () => {
  const countApprovals = await createApprovalCount();
  networks.a.mode = 'hide';
  const { id } = await pay(threeds);
  expect(await countApprovals()).toBe(2);
  const path = `/v2/payment_attempts?filter[payment_demand]=${id}&sort=created_at`;
  const [first] = (await client.get(path)).body.data;
  const result = {
    result: 'approved',
    authorisation_code: 'A1',
    network_transaction_id: 'N1',
    cvc2_check: 'match',
    address_line1_verification: 'match',
    postal_code_verification: 'match',
  };
  const body = JSON.stringify([
    { kind: 'authorisation', key: 'late', attempt_id: first.id, result },
  ]);
  const signature = createHmac('sha256', SIGNING_KEY).update(body).digest('hex');
  const response = await fetch(`${stack.baseUrl}/notifications/${accounts.a}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature': signature },
    body,
  });
  expect(response.status).toBe(200);
  await eventually(
    () => stepsOf({ id }),
    ([step]) => step?.[1] === 'reversed',
  );
  expect(await countApprovals()).toBe(1);
  expect((await client.fetch('payment_demands', id)).attributes.status).toBe('succeeded');
  const [notification] = await db.query('select status from processor_notifications', []);
  expect(notification?.status).toBe('applied');
});

it('metrics count attempts, answers and second accounts by account and rule', async () => {
  const text = await (await fetch(`${stack.baseUrl}/metrics`)).text();
  const readSeries = (series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')
        .at(-1),
    );
  const { a, b } = accounts;
  const attemptsOf = (account: string, status: string) =>
    readSeries(
      `florin_processor_attempts_total{account="${account}",operation="authorise",status="${status}"}`,
    );
  expect(attemptsOf(a, 'declined')).toBeGreaterThan(1);
  expect(attemptsOf(a, 'not_sent')).toBeGreaterThan(0);
  expect(attemptsOf(b, 'approved')).toBeGreaterThan(1);
  const declines = readSeries('florin_processor_fallbacks_total{rule="Both",result="declined"}');
  const unsent = readSeries('florin_processor_fallbacks_total{rule="Both",result="not_sent"}');
  expect([declines > 1, unsent > 0]).toEqual([true, true]);
  expect(readSeries(`florin_processor_answer_seconds_count{account="${b}"}`)).toBeGreaterThan(1);
  const notification = `florin_processor_notifications_total{account="${a}",status="applied"}`;
  expect(readSeries(notification)).toBe(1);
  expect(text).toContain(
    `florin_processor_account_info{account="${b}",name="Account b",mode="sandbox",status="enabled",processor="advising"} 1`,
  );
});
