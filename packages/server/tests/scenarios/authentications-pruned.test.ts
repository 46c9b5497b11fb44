import { randomUUID } from 'node:crypto';
import { ABANDONED } from '@florin/contract/protocol/frame.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  AUTHENTICATIONS_RETENTION_DAYS,
  pruneThreeDSecure,
} from '../../src/features/checkout/threeds/prune.ts';
import { startPruneLoop } from '../../src/features/operations/workers/prune.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { seconds, systemClock } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { browser, enterCode, openChallenge } from '../support/bank.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { eventually, makeCardlessPayment } from '../support/make.ts';

const api = useOwnStack({ pace: 0.05 });
const clock = systemClock();
const HOUR = seconds(3_600);
const DAY = 24 * HOUR;
const UNLIMITED = 1_000_000;

/** Amounts that select a behaviour of the simulated bank. */
const amounts = { frictionless: 9811, rejected: 9812, challenge: 9813 } as const;

const mount = (paymentId: string) =>
  mountForm(api.stack, paymentId, api.stack.credentials.sandbox.publishable_key);

async function verify(amount_cents: number) {
  const { id } = await makeCardlessPayment(api.client, { amount_cents });
  const form = await mount(id);
  const body = { ...(await sealCard(form)), browser };
  return { id, form, answer: answerOf(await callPay(api.stack, '/frame/v1/verify', body)) };
}

const readAuthentication = async (paymentId: string): Promise<Row> =>
  (
    await api.fixtures.db.query('select * from authentications where payment_id = $1', [paymentId])
  )[0] as Row;

const pruneAfter = (age: number, limit = UNLIMITED) =>
  pruneThreeDSecure(api.fixtures, clock.now() + age, limit);

/** Data about the cardholder, the browser and the bank's pages. */
const personalFieldsOf = ({ payer_timezone, threeds_cryptogram, bank_url }: Row) => [
  payer_timezone,
  threeds_cryptogram,
  bank_url,
];

describe('of a finished authentication', () => {
  it.each(['frictionless', 'rejected'] as const)(
    'no data of the cardholder is left (%s)',
    async (result) => {
      const { id } = await verify(amounts[result]);
      expect(personalFieldsOf(await readAuthentication(id))).toEqual([null, null, null]);
    },
  );

  it('no data is left after a challenge, which has it until then', async () => {
    const { id, answer } = await verify(amounts.challenge);
    expect(personalFieldsOf(await readAuthentication(id))).toEqual([
      'Europe/Vienna',
      null,
      expect.stringContaining('http'),
    ]);
    await enterCode(await openChallenge(api.stack, answer), '123456');
    await eventually(
      () => readAuthentication(id),
      ({ attached_at }) => attached_at !== null,
    );
    expect(personalFieldsOf(await readAuthentication(id))).toEqual([null, null, null]);
    const { attributes } = await api.client.fetch('payment_demands', id);
    expect([attributes.payer_timezone, attributes.threeds_cryptogram]).toEqual([
      'Europe/Vienna',
      expect.any(String),
    ]);
  });

  it('no table has a column for the browser data of the bank', async () => {
    const columns = await api.fixtures.db.query(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = current_schema()
         -- Of people who have signed in, and of the servers of merchants.
         and table_name not in ('sessions', 'audit_entries', 'api_requests')
         and column_name ~ 'user_agent|browser|screen|color_depth|accept_header|(^|_)ip($|_)'`,
      [],
    );
    expect(columns.map(({ name }) => name)).toEqual([]);
  });

  it('personal data is deleted once its card is on its payment, and the result stays valid', async () => {
    const { id } = await verify(amounts.frictionless);
    // Simulates a row of an earlier version.
    await api.fixtures.db.query(
      `update authentications set payer_timezone = 'UTC' where payment_id = $1`,
      [id],
    );
    await pruneAfter(3 * HOUR);
    const authentication = await readAuthentication(id);
    expect([
      authentication.status,
      authentication.payer_timezone,
      authentication.failure_code,
    ]).toEqual(['authenticated', null, null]);
  });

  it('unattached data is deleted once no form can request it', async () => {
    const { id } = await verify(amounts.challenge);
    await api.fixtures.db.query(
      `update authentications set status = 'authenticated', threeds_cryptogram = 'x', due_at = null where payment_id = $1`,
      [id],
    );
    await pruneAfter(HOUR);
    expect((await readAuthentication(id)).threeds_cryptogram).toBe('x');
    await pruneAfter(3 * HOUR);
    const authentication = await readAuthentication(id);
    expect([
      authentication.payer_timezone,
      authentication.threeds_cryptogram,
      authentication.failure_code,
    ]).toEqual([null, null, 'card_not_verified']);
    expect(authentication.status).toBe('authenticated');
  });
});

describe('authentications', () => {
  it('are pruned after thirteen months', async () => {
    const { id } = await verify(amounts.frictionless);
    await pruneAfter((AUTHENTICATIONS_RETENTION_DAYS - 1) * DAY);
    expect(await readAuthentication(id)).toBeDefined();
    await pruneAfter((AUTHENTICATIONS_RETENTION_DAYS + 1) * DAY);
    expect(await readAuthentication(id)).toBeUndefined();
    const { attributes, relationships } = await api.client.fetch('payment_demands', id);
    // The payment keeps the bank's result.
    expect([attributes.threeds_status, relationships.payment_method?.data]).toEqual([
      'Y',
      expect.anything(),
    ]);
  });

  it('that are open are not pruned', async () => {
    const { id } = await verify(amounts.challenge);
    await pruneAfter(10_000 * DAY);
    expect((await readAuthentication(id)).status).toBe('challenged');
  });

  it('without a card are pruned after a day, in batches', async () => {
    const { id } = await makeCardlessPayment(api.client);
    const { session } = await mount(id);
    for (let count = 0; count < 5; count++) {
      await callPay(api.stack, '/frame/v1/abandon', { session, attempt: randomUUID() });
    }
    const countAuthentications = async (): Promise<number> =>
      (await api.fixtures.db.query('select 1 from authentications where payment_id = $1', [id]))
        .length;
    await pruneAfter(23 * HOUR);
    expect(await countAuthentications()).toBe(5);
    expect(await pruneAfter(25 * HOUR, 2)).toBe(2);
    expect(await countAuthentications()).toBe(3);
    await pruneAfter(25 * HOUR);
    expect(await countAuthentications()).toBe(0);
  });
});

describe('the prune loop', () => {
  beforeAll(async () => {
    await api.fixtures.db.query(
      `insert into card_tries select 'gone ' || n, 1, now() - interval '1 s' from generate_series(1, 2500) n`,
      [],
    );
  });

  it('continues while a batch is full', async () => {
    const { db } = api.fixtures;
    const logger = { error: (line: unknown) => expect(line).toBeUndefined() };
    const config = { email_retention_days: 400, event_retention_days: 400 };
    await using _loop = startPruneLoop({
      db,
      global: db,
      clock,
      system_clock: clock,
      logger,
      config,
    } as never);
    await eventually(
      () => db.query(`select 1 from card_tries where subject like 'gone %'`, []),
      (rows) => rows.length === 0,
    );
  });
});

it('an abandoned attempt gets the same response again without the vault', async () => {
  const { id } = await makeCardlessPayment(api.client, { amount_cents: amounts.frictionless });
  const form = await mount(id);
  const attemptFields = { session: form.session, attempt: randomUUID() };
  const body = { ...(await sealCard(form)), ...attemptFields, browser };
  const abandonAnswer = await callPay(api.stack, '/frame/v1/abandon', attemptFields);
  await api.stack.stop('vault');
  try {
    const { result, detail } = answerOf(await callPay(api.stack, '/frame/v1/verify', body));
    expect([result, detail.code]).toEqual(['failed', ABANDONED]);
    expect(answerOf(abandonAnswer).detail.code).toBe(ABANDONED);
  } finally {
    await api.stack.start('vault');
  }
});
