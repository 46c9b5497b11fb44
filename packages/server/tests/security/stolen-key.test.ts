import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { browser } from '../support/bank.ts';
import { UNKNOWN_ID } from '../support/client.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import { makeHook } from '../support/hooks.ts';
import {
  makeCapturedPayment,
  makeCardlessPayment,
  makeParties,
  waitForEmails,
} from '../support/make.ts';
import { rawRequest } from '../support/raw-request.ts';
import { errorsOf } from '../support/resource-suite.ts';
import { routes } from '../support/routes.ts';
import { simulateLive } from '../support/simulated-live.ts';

/** Attacks with a shop's publishable key, which anyone can read. */
const api = useOwnStack({ processors: simulateLive() });
const stolenKey = () => api.stack.credentials.sandbox.publishable_key;

/** Ids of foreign and unknown payments, by description. */
const foreignPaymentIds = {} as Record<string, string>;
let ownPaymentId: string;
beforeAll(async () => {
  await makeHook(api.client);
  await makeCapturedPayment(api.client);
  // The receipt is sent in the background, which changes its row.
  await waitForEmails(api.client, 'filter[status]=pending', ({ length }) => length === 0);
  ownPaymentId = (await makeCardlessPayment(api.client)).id;
  const otherClient = api.as(await (await api.fixtures.makeMerchant()).makeKey());
  foreignPaymentIds['of another merchant'] = (await makeCardlessPayment(otherClient)).id;
  foreignPaymentIds['of the other mode'] = (await makeCardlessPayment(api.live)).id;
  foreignPaymentIds['that does not exist'] = UNKNOWN_ID;
  foreignPaymentIds['that is no payment'] = (await api.client.get('/v2/customers')).body.data[0].id;
  foreignPaymentIds['with an invalid id'] = 'payment';
});

/** Columns that retries to a missing endpoint change while the test runs. */
const RETRY_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  webhook_deliveries: [
    'attempts_count',
    'due_at',
    'fails_count',
    'first_try_at',
    'last_error',
    'schedule_step',
    'updated_at',
  ],
  webhook_subscriptions: [
    'failing_since',
    'fails_in_row',
    'suspended_until',
    'untaken_count',
    'updated_at',
  ],
};

const NOT_COMPARED = [
  'api_requests',
  'balance_horizon',
  'balances',
  'card_tries',
  'document_horizon',
  'heartbeats',
  'ledger_hours',
  'webhook_delivery_attempts',
];

/**
 * Digest of all tables, without columns that requests and retries change, and without balances and sums of hours,
 * which workers update later.
 */
async function digestTables(): Promise<string> {
  const tables = await api.fixtures.db.query(
    `select table_name as name from information_schema.tables where table_schema = current_schema()
       and table_name <> all ($1) order by 1`,
    [NOT_COMPARED],
  );
  const counts = tables.map(async ({ name }) => {
    const [row] = await api.fixtures.db.query(
      `select count(*) as count, md5(string_agg(r::text, '' order by r::text)) as sum
       from (select to_jsonb(t) - $1::text[] as r from ${name} t) as rows`,
      [['last_used_at', ...(RETRY_COLUMNS[name as string] ?? [])]],
    );
    return `${name} ${row?.count} ${row?.sum}`;
  });
  return (await Promise.all(counts)).join('\n');
}

describe('the interface, with a publishable key,', () => {
  /** A route for each permission. matrix.test.ts shows which routes need a permission. */
  const routeByPermission = new Map(routes.map((route) => [route.permissions[0], route]));

  it('shows and does nothing, with any permission and on any record', async () => {
    const thief = api.as(stolenKey());
    const ids = new Map<string, string>();
    for (const type of Object.keys(resources)) {
      const [record] = (await api.client.get(`/v2/${type}?page[size]=1`)).body.data;
      ids.set(type, record?.id ?? UNKNOWN_ID);
    }
    const digestBefore = await digestTables();
    for (const { method, template, type, bodyFor } of routeByPermission.values()) {
      const id = ids.get(type) as string;
      const answer = await thief.send(method, template.replace('{id}', id), bodyFor(id));
      const name = `${method} ${template}`;
      expect([name, answer.status, errorsOf(answer)]).toEqual([
        name,
        403,
        [['forbidden', undefined]],
      ]);
      expect(JSON.stringify(answer.body)).not.toContain(id);
    }
    expect(await digestTables()).toBe(digestBefore);
  });

  it('charges nothing: neither a waiting payment, nor a stored card', async () => {
    const thief = api.as(stolenKey());
    const parties = await makeParties(api.client);
    const { id } = await api.client.make('payment_demands', purchaseAttributes(), parties);
    const confirmAnswer = await thief.send('PATCH', `/v2/payment_demands/${id}/confirm`);
    const chargeAnswer = await thief.send('POST', '/v2/payment_demands', {
      data: { type: 'payment_demands', attributes: { ...purchaseAttributes(), confirmed: true } },
    });
    expect([confirmAnswer.status, chargeAnswer.status]).toEqual([403, 403]);
    expect((await api.client.fetch('payment_demands', id)).attributes.status).toBe('ready');
  });
});

const purchaseAttributes = () => ({
  amount_cents: 2500,
  amount_currency: 'USD',
  purchase_reference: 'order-1',
  purchase_kind: 'order',
});

describe('a form', () => {
  it.each([
    'of another merchant',
    'of the other mode',
    'that does not exist',
    'that is no payment',
    'with an invalid id',
  ])('is not mounted for a payment %s, with the same answer for all', async (kind) => {
    const unknown = await callPay(api.stack, `/pay/${UNKNOWN_ID}?key=${stolenKey()}`);
    const answer = await callPay(api.stack, `/pay/${foreignPaymentIds[kind]}?key=${stolenKey()}`);
    expect([answer.status, answer.text]).toEqual([404, unknown.text]);
    expect(answer.text).toContain('<code>unknown_payment</code>');
  });

  it.each([
    ['a secret key', () => api.stack.credentials.sandbox.secret_key, 'unknown_key'],
    [
      'a key of the other mode',
      () => api.stack.credentials.live.publishable_key,
      'unknown_payment',
    ],
    ['no key', () => '', 'unknown_key'],
    ['a key that does not exist', () => `ept_sandbox_b${'1'.repeat(32)}`, 'unknown_key'],
  ])('is not mounted with %s', async (_title, key, code) => {
    const { status, text } = await callPay(api.stack, `/pay/${ownPaymentId}?key=${key()}`);
    expect(status).toBe(404);
    expect(text).not.toContain('florin-config');
    expect(text).toContain(`<code>${code}</code>`);
  });

  it('gets the amount of its payment, and nothing else', async () => {
    const config = await mountForm(api.stack, ownPaymentId, stolenKey());
    const { texts: _texts, sealing_key: _key, ...visibleConfig } = config;
    expect(Object.keys(visibleConfig).sort()).toEqual([
      'abandon_url',
      'amount',
      'amount_text',
      'currency',
      'issued_at',
      'locale',
      'mode',
      'origins',
      'payment_id',
      'session',
      'status_url',
      'threeds',
      'verify_url',
    ]);
    const configText =
      JSON.stringify(visibleConfig) +
      Buffer.from(config.session.split('.')[1] as string, 'base64url');
    for (const privateText of ['Ada', 'ada@example.com', 'Main Street', 'order-1', 'New York']) {
      expect(configText).not.toContain(privateText);
    }
  });

  it('learns of a paid payment that it is paid, not with what or by whom', async () => {
    const { id } = await makeCapturedPayment(api.client);
    const { session } = await mountForm(api.stack, id, stolenKey());
    const { text } = await callPay(api.stack, `/frame/v1/status?session=${session}`);
    expect(JSON.parse(text)).toEqual({ status: 'approved', detail: { payment_demand: id } });
    const body = { ...(await sealCard(await mountForm(api.stack, id, stolenKey()))), browser };
    const outcome = answerOf(await callPay(api.stack, '/frame/v1/verify', body));
    expect([outcome.result, outcome.detail.code]).toEqual(['error', 'payment_closed']);
  });

  it('of one payment does nothing for another: its session names its own', async () => {
    const { session } = await mountForm(api.stack, ownPaymentId, stolenKey());
    const secondPaymentId = (await makeCardlessPayment(api.client)).id;
    const foreignForm = await mountForm(api.stack, secondPaymentId, stolenKey());
    const card = await sealCard(foreignForm);
    // The card was sealed for the other form.
    const outcome = answerOf(await callPay(api.stack, '/frame/v1/verify', { ...card, session }));
    expect(outcome.result).toBe('error');
    const [nonce, payload, mac] = session.split('.');
    const [otherNonce, otherPayload] = foreignForm.session.split('.');
    for (const forgedSession of [
      `${nonce}.${otherPayload}.${mac}`,
      `${otherNonce}.${payload}.${mac}`,
      `${nonce}.${payload}.${foreignForm.session.split('.')[2]}`,
    ]) {
      expect((await callPay(api.stack, `/frame/v1/status?session=${forgedSession}`)).status).toBe(
        422,
      );
    }
    for (const id of [ownPaymentId, secondPaymentId]) {
      const { relationships } = await api.client.fetch('payment_demands', id);
      expect(relationships.payment_method?.data ?? null).toBeNull();
    }
  });
});

describe('a page of another origin', () => {
  const calls: readonly (readonly [string, string])[] = [
    ['POST', '/frame/v1/verify'],
    ['POST', '/frame/v1/abandon'],
    ['POST', '/frame/v1/fingerprint'],
    ['POST', '/frame/v1/challenge'],
    ['POST', '/frame/v1/challenge/cancel'],
    ['GET', '/frame/v1/status'],
  ];

  it.each(calls)('is refused by all calls of the form: %s %s has no CORS', async (method, path) => {
    const { session } = await mountForm(api.stack, ownPaymentId, stolenKey());
    const sendMethod = (verb: string) =>
      rawRequest(api.stack.payUrl, {
        method: verb,
        path: verb === 'GET' ? `${path}?session=${session}` : path,
        headers: {
          host: new URL(api.stack.payUrl).host,
          origin: 'https://evil.example',
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type',
          ...(verb === 'POST' && { 'content-type': 'application/json' }),
        },
        ...(verb === 'POST' && { body: JSON.stringify({ session }) }),
      });
    for (const verb of ['OPTIONS', method]) {
      const { headers, status } = await sendMethod(verb);
      expect(verb !== 'OPTIONS' || status === 404).toBe(true);
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'refuses content that a foreign form could send (%s)',
    async (type) => {
      const { session } = await mountForm(api.stack, ownPaymentId, stolenKey());
      for (const [method, path] of calls) {
        if (method === 'GET') continue;
        const { status } = await rawRequest(api.stack.payUrl, {
          method,
          path,
          headers: { host: new URL(api.stack.payUrl).host, 'content-type': type },
          body: JSON.stringify({ session, attempt: 'a'.repeat(22) }),
        });
        expect([path, status === 415 || status === 422]).toEqual([path, true]);
      }
    },
  );
});
