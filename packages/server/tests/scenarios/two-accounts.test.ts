import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fillIdentities } from '../../src/features/processor-accounts/fill-identities.ts';
import { verifyLedger } from '../../src/features/settlement/verify-ledger.ts';
import type { Database, Db } from '../../src/platform/database/db.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { shortReference } from '../../src/processors/adapters/checkout-com/reference.ts';
import { adapters } from '../../src/processors/adapters/index.ts';
import { firstChannel, useCheckoutStack } from '../support/checkout-com.ts';
import type { Relations, ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';

/** Attempts that are open during a switch. `npm run test:processors` opens a thousand. */
const ATTEMPTS = Number(process.env.FLORIN_OPEN_ATTEMPTS ?? 30);
/** Attempts whose answer is on its way during the switch; the answers of the others are lost. */
const LATE = Math.ceil(ATTEMPTS / 10);
const LATE_MS = 3_000;
/** Requests that are sent at the same time. */
const CONCURRENT = 20;
/** Longest wait before an inquiry. */
const INQUIRY_WAIT_SECONDS = 300;
const QUIET_POLLS = 10;

const secondChannel = {
  channel: 'pc_bbbbbbbbbbbbbbbbbbbbbbbbbb',
  secret_key: 'sk_sbox_zyxwvutsrqponmlkjihgfedcba2',
  signature_key: 'another-signature-key-of-the-tests',
};

const clock = createClockAhead();
const florin = useCheckoutStack(clock);
let first: string;
let second: string;
let parties: Relations;

beforeAll(async () => {
  first = florin.account;
  second = await florin.addChannel(secondChannel);
  parties = await makeParties(florin.client);
});
afterEach(async () => {
  await florin.control('DELETE', '/faults');
  await florin.openChannel(firstChannel, first);
  await florin.openChannel(secondChannel, second);
  await florin.route([{ name: 'All', accounts: [first] }]);
});

async function operate(method: string, path: string, body: object = {}): Promise<void> {
  const { status, body: answer } = await florin.operator.send(method, path, body);
  expect([status, answer?.errors]).toEqual([204, undefined]);
}

const start = (attributes: object = {}, of = parties): Promise<ResourceObject> =>
  makeDemand(florin.client, { confirmed: true, ...attributes }, of);

const finish = ({ id }: ResourceObject): Promise<ResourceObject> =>
  waitForOutcome(florin.client, id);

/** Runs a task for each item, a few at the same time. */
async function runEach<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += CONCURRENT)
    results.push(...(await Promise.all(items.slice(at, at + CONCURRENT).map(run))));
  return results;
}

/** Groups of attempts and payments without an outcome. */
const countOpen = (): Promise<Row[]> =>
  florin.db.query(
    `select operation, status, count(*) as count, max(inquiries) as inquiries from attempts
     where status in ('sending', 'unknown', 'reversing') group by 1, 2
     union all select 'payment', status, count(*), null from payment_demands
     where status in ('pending', 'processing') group by 2`,
    [],
  );

/** Waits until all attempts have an outcome. Moves the clock whenever nothing happens for a while. */
async function waitUntilClosed(): Promise<void> {
  let before = '';
  let quietPolls = 0;
  await eventually(
    async () => {
      const open = await countOpen();
      const seen = JSON.stringify(open);
      quietPolls = seen === before ? quietPolls + 1 : 0;
      before = seen;
      if (quietPolls > 0 && quietPolls % QUIET_POLLS === 0) clock.advance(INQUIRY_WAIT_SECONDS);
      return open;
    },
    (open) => open.length === 0,
    { max_wait_ms: 240_000, pause_ms: 100 },
  );
}

/** Authorisations of payments that were sent, each with the account that it belongs to. */
const attemptsOf = (payments: readonly ResourceObject[]): Promise<Row[]> =>
  florin.db.query(
    `select id, status, payment_demand_id, processor_account_id from attempts
     where operation = 'authorise' and status <> 'not_sent' and payment_demand_id = any ($1::uuid[])`,
    [`{${payments.map(({ id }) => id)}}`],
  );

/** Number of payments with the attempt's reference at each channel, and what they captured. */
async function foundAt({ id }: Row) {
  const reference = shortReference(id as string);
  const [here, there] = await Promise.all(
    [firstChannel, secondChannel].map(({ secret_key }) => florin.paymentsOf(reference, secret_key)),
  );
  const payments = [...(here ?? []), ...(there ?? [])];
  const captured = payments.map(({ balances }) => balances?.total_captured ?? 0);
  return { first: here?.length, second: there?.length, captured };
}

describe(`a switch of accounts with ${ATTEMPTS} open attempts`, () => {
  /** Starts payments at the first account, whose outcomes nobody can tell for now. */
  async function openAttempts(): Promise<ResourceObject[]> {
    await florin.openChannel(firstChannel, first, { webhook_url: undefined });
    const authorisations = { method: 'POST', path: '/payments' };
    const lost = ATTEMPTS - LATE;
    await florin.control('POST', '/faults', {
      ...authorisations,
      kind: 'lose_answer',
      times: lost,
    });
    await florin.control('POST', '/faults', {
      ...authorisations,
      kind: 'late_answer',
      delay_ms: LATE_MS,
      times: LATE,
    });
    const silence = { method: 'GET', path: '/payments', kind: 'refuse', status: 503 };
    await florin.control('POST', '/faults', { ...silence, times: 1_000_000 });
    const declined = await makeParties(florin.client, 'insufficient_funds');
    const nths = Array.from({ length: ATTEMPTS }, (_, nth) => nth);
    const payments = await runEach(nths, (nth) => start({}, nth % 4 === 0 ? declined : parties));
    await eventually(
      async () => (await attemptsOf(payments)).map(({ status }) => status),
      (statuses) =>
        statuses.length === ATTEMPTS &&
        statuses.filter((status) => status === 'unknown').length >= lost,
      { max_wait_ms: 240_000, pause_ms: 100 },
    );
    return payments;
  }

  afterEach(() => operate('POST', `/processor_accounts/${first}/enable`));

  it('finds every outcome at the account of its attempt, and charges nothing twice', async () => {
    const payments = await openAttempts();
    await operate('POST', `/processor_accounts/${first}/pause`);
    await florin.route([{ name: 'All', accounts: [second] }]);
    const others = await runEach([1, 2, 3, 4], async () => finish(await start()));
    expect((await attemptsOf(others)).map((attempt) => attempt.processor_account_id)).toEqual(
      others.map(() => second),
    );
    await florin.control('DELETE', '/faults');
    await waitUntilClosed();

    const outcomes = await runEach(payments, finish);
    expect(
      outcomes.map(({ attributes }) => attributes.failure_reason ?? attributes.status),
    ).toEqual(payments.map((_, nth) => (nth % 4 === 0 ? 'insufficient_funds' : 'succeeded')));
    const attempts = await attemptsOf(payments);
    expect(new Set(attempts.map((attempt) => attempt.processor_account_id))).toEqual(
      new Set([first]),
    );
    expect(attempts).toHaveLength(ATTEMPTS);
    const found = await runEach(attempts, foundAt);
    const charged = (sum: number) => ({ first: 1, second: 0, captured: [sum] });
    const count = (sum: number) =>
      found.filter((each) => JSON.stringify(each) === JSON.stringify(charged(sum))).length;
    const declines = Math.ceil(ATTEMPTS / 4);
    expect([count(2_500), count(0)]).toEqual([ATTEMPTS - declines, declines]);
    expect(await runEach(await attemptsOf(others), foundAt)).toEqual(
      others.map(() => ({ first: 0, second: 1, captured: [2_500] })),
    );
    const ledger = (await verifyLedger(florin.db)).flatMap((check) => check.differences);
    expect(ledger).toEqual([]);
  }, 600_000);
});

describe('keys that are replaced while payments run', () => {
  const channel = {
    channel: 'pc_cccccccccccccccccccccccccc',
    secret_key: 'sk_sbox_a2zyxwvutsrqponmlkjihgfedcb',
    signature_key: 'the-signature-key-before',
  };
  const renewed = {
    ...channel,
    secret_key: 'sk_sbox_b2zyxwvutsrqponmlkjihgfedca',
    signature_key: 'the-signature-key-after',
  };
  /** Payers who pay one after the other, all at the same time. */
  const payers = Array.from({ length: Math.ceil(ATTEMPTS / 15) }, (_, nth) => nth);

  it('lose no payment and decline none', async () => {
    const account = await florin.addChannel(channel);
    await florin.route([{ name: 'All', accounts: [account] }]);
    const payments: ResourceObject[] = [await makeCapturedPayment(florin.client)];
    let isOver = false;
    const pay = async () => void payments.push(await finish(await start()));
    const payOneByOne = async () => {
      while (!isOver) await pay();
    };
    /** Lets payments begin and end with the keys of now, besides those that cross a change. */
    const paySome = () => runEach(payers, pay);
    const running = Promise.all(payers.map(payOneByOne));

    await paySome();
    const { secret_key: secret_key_before, signature_key: signature_key_before } = channel;
    await florin.openChannel(renewed, account, {
      secret_key_before,
      webhook_key: signature_key_before,
    });
    await paySome();
    await operate('PUT', `/processor_accounts/${account}`, {
      name: channel.channel,
      settings: { api_url: florin.api_url, processing_channel_id: channel.channel },
      secrets: {
        secret_key: renewed.secret_key,
        signature_key: renewed.signature_key,
        signature_key_before,
      },
    });
    await paySome();
    await florin.openChannel(renewed, account);
    await paySome();
    isOver = true;
    await running;
    // Besides those of each key, some cross a change.
    expect(payments.length).toBeGreaterThan(4 * payers.length + 1);

    expect(payments.map(({ attributes }) => attributes.failure_reason)).toEqual(
      payments.map(() => null),
    );
    const found = await runEach(await attemptsOf(payments), ({ id }) =>
      florin.paymentsOf(shortReference(id as string), renewed.secret_key),
    );
    expect(found.map((all) => all.map(({ status }) => status))).toEqual(
      payments.map(() => ['Captured']),
    );
    const { id } = await makeRefund(florin.client, payments[0] as ResourceObject);
    const refund = await waitForOutcome(florin.client, id, 'refund_demands');
    expect(refund.attributes.status).toBe('succeeded');
    const refused = await florin.paymentsOf('any', channel.secret_key).catch(() => 'refused');
    expect(refused).toBe('refused');
  }, 600_000);
});

it('accounts from before identities get theirs, except one of two that are the same', async () => {
  const identitiesIn = async (db: Db) =>
    (await db.query('select id, identity from processor_accounts order by id', [])).map(
      ({ id, identity }) => [id, identity],
    );
  const before = await identitiesIn(florin.db);
  const logged: object[] = [];
  const logger = { error: (fields: object) => logged.push(fields) } as never;
  const undo = new Error('rolled back');
  const transaction = florin.db.transaction(async (tx) => {
    const services = { db: tx as Database, adapters, logger };
    await tx.query('update processor_accounts set identity = null', []);
    await fillIdentities(services);
    expect(await identitiesIn(tx)).toEqual(before);
    await tx.query(
      `update processor_accounts set identity = null, settings =
         (select settings from processor_accounts where id = $1) where id in ($1, $2)`,
      [first, second],
    );
    await fillIdentities(services);
    const nameless = (await identitiesIn(tx)).filter(([, identity]) => identity === null);
    expect([nameless, logged]).toEqual([[[second, null]], [{ processor_account: second }]]);
    throw undo;
  });
  await expect(transaction).rejects.toBe(undo);
});

describe('two accounts of one processor', () => {
  const byCurrency = () => [
    { name: 'Euros', conditions: { currencies: ['EUR'] }, accounts: [first] },
    { name: 'Dollars', conditions: { currencies: ['USD'] }, accounts: [second] },
  ];
  const currencies = ['EUR', 'USD', 'EUR', 'USD'];
  const startIn = (amount_currency: string) => start({ amount_currency });

  it('take their payments, refunds and notifications, and none of the other', async () => {
    await florin.route(byCurrency());
    const payments = await Promise.all((await runEach(currencies, startIn)).map(finish));
    const refunds = await runEach(payments, (payment) =>
      makeRefund(florin.client, payment, { amount_cents: 1_000 }),
    );
    for (const { id } of refunds) await waitForOutcome(florin.client, id, 'refund_demands');
    const attempts = new Map(
      (await attemptsOf(payments)).map((row) => [row.payment_demand_id, row]),
    );
    const accounts = payments.map(({ id }) => attempts.get(id)?.processor_account_id);
    expect(accounts).toEqual([first, second, first, second]);
    const found = await runEach(payments, ({ id }) => foundAt(attempts.get(id) as Row));
    const at = (channel: 'first' | 'second') => ({
      first: channel === 'first' ? 1 : 0,
      second: channel === 'second' ? 1 : 0,
      captured: [2_500],
    });
    expect(found).toEqual([at('first'), at('second'), at('first'), at('second')]);
    for (const [nth, { id }] of payments.entries()) {
      const ofAttempt = shortReference(attempts.get(id)?.id as string);
      const notified = await eventually(
        () => notificationsWith(ofAttempt),
        (rows) => rows.length > 0 && rows.every(({ status }) => status !== 'received'),
      );
      expect(notified.map((row) => [row.processor_account_id, row.status])).toEqual(
        notified.map(() => [accounts[nth], 'applied']),
      );
    }
  });

  it('tell nothing about payments of each other, even with a valid signature', async () => {
    await florin.route(byCurrency());
    // The second channel sends its notifications to the first account, and signs them with that account's key.
    await florin.openChannel(secondChannel, first, { webhook_key: firstChannel.signature_key });
    const payment = await startIn('USD');
    const [attempt] = await eventually(
      () => attemptsOf([payment]),
      ([row]) => row?.status === 'approved',
    );
    const reference = shortReference(attempt?.id as string);
    const strays = await eventually(
      () => notificationsWith(reference),
      (rows) => rows.length > 0 && rows.every(({ tries }) => Number(tries) > 0),
    );
    // An unknown payment may become known: the notification is tried again for a day.
    expect(strays.map((row) => [row.processor_account_id, row.status])).toEqual(
      strays.map(() => [first, 'received']),
    );
    await waitUntilClosed();
    expect((await finish(payment)).attributes.status).toBe('succeeded');
  });

  /** Stored notifications with a text in their body. */
  const notificationsWith = (part: string): Promise<Row[]> =>
    florin.db.query(
      `select processor_account_id, status, tries from processor_notifications
       where convert_from(decode(body, 'base64'), 'UTF8') like '%' || $1 || '%'`,
      [part],
    );
});
