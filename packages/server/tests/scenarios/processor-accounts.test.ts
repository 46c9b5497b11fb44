import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@florin/dev-env/parts.ts';
import { type Stack, startStack } from '@florin/dev-env/stack.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RULES_MAX } from '../../src/features/processor-accounts/rules.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { signIn } from '../support/browser.ts';
import { type Client, createClient, documentOf, UNKNOWN_ID } from '../support/client.ts';
import { beginPayment, enterCard, submitConfirmation } from '../support/link-visit.ts';
import {
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeDemand,
  makeLink,
  makeParties,
  makeRefund,
  makeSubscription,
  waitForOutcome,
} from '../support/make.ts';
import { exampleAdapter, twoStepAdapter } from '../support/network-adapter.ts';
import { type Operator, operatorOf } from '../support/operator.ts';

/** The network approves this amount and loses its response. */
const LOST_ANSWER_CENTS = 19_701;
/** The network approves a hold of this amount, and declines its capture. */
const DECLINED_CAPTURE_CENTS = 19_707;
const API_KEY = 'sk_example_5d0c9c1b7a52';

const cleanup = new AsyncDisposableStack();
let stack: Stack;
let operator: Operator;
let db: Database;
let client: Client;
let live: Client;
const networks = {} as Record<'eu' | 'us', string>;
let refusingUrl: string;

async function startRefusingServer(): Promise<string> {
  const server = createServer((_, response) => response.writeHead(401).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  for (const name of ['eu', 'us'] as const) {
    const dataDir = await mkdtemp(join(tmpdir(), `florin-${name}-`));
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
    networks[name] = cleanup.use(await startSimulator(dataDir, 0)).url;
  }
  refusingUrl = await startRefusingServer();
  stack = cleanup.use(
    await startStack({
      adapters: { example: exampleAdapter, two_step: twoStepAdapter },
      egress: [...Object.values(networks), refusingUrl],
    }),
  );
  db = cleanup.use(openDatabase({ url: stack.databaseUrl, connections_max: 1 }));
  client = createClient(stack.baseUrl, stack.credentials.sandbox.secret_key);
  live = createClient(stack.baseUrl, stack.credentials.live.secret_key);
  operator = operatorOf({ stack });
});
afterAll(() => cleanup.disposeAsync());

const draftOf = (name: string, origin: string, change: object = {}) => ({
  processor: 'example',
  mode: 'sandbox',
  name,
  settings: { origin },
  secrets: { api_key: API_KEY },
  ...change,
});

async function createAccount(name: string, origin: string, change: object = {}): Promise<string> {
  const { status, body } = await operator.send(
    'POST',
    '/processor_accounts',
    draftOf(name, origin, change),
  );
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data.id;
}

const act = (id: string, action: string, body: object = {}) =>
  operator.send('POST', `/processor_accounts/${id}/${action}`, body);

/** Removes an account whose payments can still be refunded. */
const removeForGood = (id: string) => act(id, 'remove', { give_up_refunds: true });

async function connect(name: string, origin: string, change: object = {}): Promise<string> {
  const id = await createAccount(name, origin, change);
  expect((await act(id, 'enable')).status).toBe(204);
  await setRules([{ name: 'All', accounts: [id] }]);
  return id;
}

const setRules = (rules: readonly object[]) => operator.send('PUT', '/routing/sandbox', { rules });

/** Releases a hold, which keeps its account. */
async function voidPayment(id: string) {
  await client.send('PATCH', `/v2/payment_demands/${id}/void`);
  return waitForOutcome(client, id);
}

const statusOf = async (id: string): Promise<string> =>
  (await operator.get(`/processor_accounts/${id}`)).body.data.status;

const countApproved = async (url: string): Promise<number> =>
  ((await (await fetch(`${url}/v1/books`)).json()) as { approved: number }).approved;

async function pay(attributes: object): Promise<{ id: string; status: string }> {
  const { id } = await makeDemand(
    client,
    { confirmed: true, ...attributes },
    await makeParties(client),
  );
  return { id, status: (await waitForOutcome(client, id)).attributes.status };
}

const attemptOf = async (payment_demand_id: string) =>
  (
    await db.query(
      `select id, processor, processor_account_id, processor_reference, codes, route from attempts
       where payment_demand_id = $1 order by id desc limit 1`,
      [payment_demand_id],
    )
  )[0];

/** Every test begins without accounts. */
beforeEach(async () => {
  await setRules([]);
  const { body } = await operator.get('/processor_accounts');
  for (const { id, status } of body.data) {
    if (status === 'enabled') await act(id, 'pause');
    if (status === 'removed') continue;
    const removal = await removeForGood(id);
    expect([removal.status, removal.body?.errors]).toEqual([204, undefined]);
  }
});

describe('an account at a processor', () => {
  it('takes payments when the processor accepts its credentials', async () => {
    const id = await createAccount('Europe', networks.eu);
    expect(await statusOf(id)).toBe('untested');
    expect((await act(id, 'check')).body.data).toEqual({ accepted: true, failure: null });
    expect((await act(id, 'enable')).status).toBe(204);
    await setRules([{ name: 'All', accounts: [id] }]);
    const approvedBefore = await countApproved(networks.eu);
    const payment = await pay({});
    expect(payment.status).toBe('succeeded');
    expect(await countApproved(networks.eu)).toBe(approvedBefore + 1);
    const attempt = await attemptOf(payment.id);
    expect(attempt).toMatchObject({
      processor: 'example',
      processor_account_id: id,
      processor_reference: `psp-${attempt?.id}`,
    });
    expect(JSON.parse(attempt?.codes as string)).toEqual({ response: '00' });
    const route = { rule: 'All', candidates: [id], fallback: 'not_sent', refused: [] };
    expect(JSON.parse(attempt?.route as string)).toEqual({ ...route, account: 'Europe' });
  });

  it('opens live mode, without a rule', async () => {
    await expect(makeLink(live)).rejects.toThrow('no_processor');
    const id = await createAccount('Live', networks.eu, { mode: 'live' });
    expect((await act(id, 'enable')).status).toBe(204);
    const payment = await beginPayment(stack, await makeLink(live));
    expect((await enterCard(payment)).result).toBe('verified');
    expect(await submitConfirmation(payment)).toBe(200);
    const paid = await waitForOutcome(live, payment.payment_id);
    expect(paid.attributes.status).toBe('succeeded');
    expect((await attemptOf(payment.payment_id))?.processor_account_id).toBe(id);
    await act(id, 'pause');
    await removeForGood(id);
    await expect(makeLink(live)).rejects.toThrow('no_processor');
  });

  it('is not enabled with credentials that the processor refuses', async () => {
    const id = await createAccount('Wrong', refusingUrl);
    const { status, body } = await act(id, 'enable');
    expect([status, body.errors[0].detail]).toEqual([
      422,
      'Example Pay refused the credentials: it answered 401. The account was not enabled.',
    ]);
    expect(await statusOf(id)).toBe('untested');
    expect((await operator.get(`/processor_accounts/${id}`)).body.data.check_failure).toContain(
      '401',
    );
  });

  it('says which origin the vault may not send to', async () => {
    const id = await createAccount('Elsewhere', 'http://127.0.0.1:9');
    expect((await act(id, 'enable')).body.errors[0].detail).toContain(
      'the vault may not send to http://127.0.0.1:9. Add this origin to VAULT_EGRESS',
    );
  });

  it('never shows a secret, and keeps none in the database of the server', async () => {
    const id = await connect('Secret', networks.eu);
    const answers = [
      await operator.get('/processor_accounts'),
      await operator.get(`/processor_accounts/${id}`),
      await operator.get('/processors'),
    ];
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(API_KEY);
    expect(answers[1]?.body.data.secret_names).toEqual(['api_key']);
    const stored = await db.query(
      `select a::text as row from processor_accounts a union all select e::text from processor_account_entries e`,
      [],
    );
    expect(JSON.stringify(stored)).not.toContain(API_KEY);
  });

  it('records who did what, newest first', async () => {
    const id = await connect('Audited', networks.eu);
    await act(id, 'pause');
    const { entries } = (await operator.get(`/processor_accounts/${id}`)).body.data;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'paused',
      'enabled',
      'checked',
      'created',
    ]);
    expect(entries[0].account_email).toBe(stack.credentials.account.email);
    const settings = { origin: networks.eu };
    const change = { name: 'Renamed', currencies: ['EUR', 'USD'], settings, secrets: {} };
    const changesOf = async () => {
      const path = `/processor_accounts/${id}`;
      expect((await operator.send('PUT', path, change)).status).toBe(204);
      return (await operator.get(path)).body.data.entries[0].details.changed;
    };
    expect(await changesOf()).toEqual(['name', 'currencies']);
    expect(await changesOf()).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'an unknown processor',
      { processor: 'nobody' },
      'processor must be a registered processor: example, two_step.',
    ],
    ['a missing secret', { secrets: {} }, 'secrets.api_key is required: Example Pay needs it.'],
    [
      'an unknown currency',
      { currencies: ['XXX'] },
      'currencies has the value XXX that Florin does not know.',
    ],
    [
      'an unknown merchant',
      { merchant_id: UNKNOWN_ID },
      `merchant_id names no merchant: ${UNKNOWN_ID}.`,
    ],
  ])('with %s is refused by name', async (_, change, detail) => {
    const { status, body } = await operator.send(
      'POST',
      '/processor_accounts',
      draftOf('Refused', networks.eu, change),
    );
    expect([status, body.errors[0].detail]).toEqual([422, detail]);
  });

  it('has a name of its own in its mode', async () => {
    await createAccount('Twice', networks.eu);
    const draft = draftOf('Twice', networks.us);
    expect((await operator.send('POST', '/processor_accounts', draft)).status).toBe(422);
  });
});

describe('changed credentials of an account in use', () => {
  const changeOf = (origin: string, secrets: object) => ({
    name: 'Changed',
    settings: { origin },
    secrets,
  });

  it('replace the old ones when the processor accepts them', async () => {
    const id = await connect('Rotated', networks.eu);
    const change = changeOf(networks.eu, { api_key: 'sk_example_new_key' });
    expect((await operator.send('PUT', `/processor_accounts/${id}`, change)).status).toBe(204);
    expect((await pay({})).status).toBe('succeeded');
  });

  it('are not stored when the processor refuses them', async () => {
    const id = await connect('Kept', networks.eu);
    const change = changeOf(refusingUrl, { api_key: 'sk_example_new_key' });
    const { status, body } = await operator.send('PUT', `/processor_accounts/${id}`, change);
    expect([status, body.errors[0].detail]).toEqual([
      422,
      'Example Pay refused the credentials: it answered 401. Nothing was changed.',
    ]);
    expect((await pay({})).status).toBe('succeeded');
  });

  it('must contain the secrets again if the address changes', async () => {
    const id = await connect('Moved', networks.eu);
    const { body } = await operator.send(
      'PUT',
      `/processor_accounts/${id}`,
      changeOf(networks.us, {}),
    );
    expect(body.errors[0].detail).toBe('secrets.api_key is required: Example Pay needs it.');
  });
});

describe('two operators at once', () => {
  const put = (path: string, body: object, etag: string) =>
    operator.send('PUT', path, body, undefined, { 'if-match': etag });
  const rulesOf = async () => (await operator.get('/routing/sandbox')).body;

  it('change an account one after the other: the second one reads it again first', async () => {
    const id = await createAccount('Shared', networks.eu);
    const path = `/processor_accounts/${id}`;
    const { etag } = (await operator.get(path)).body.data;
    const change = { name: 'First', settings: {}, secrets: {} };
    expect((await put(path, change, etag)).status).toBe(204);
    const refused = await put(path, { ...change, name: 'Second' }, etag);
    expect([refused.status, refused.body.errors[0].code]).toEqual([412, 'stale_record']);
    const { data } = (await operator.get(path)).body;
    expect(data).toMatchObject({
      merchant_name: null,
      notification_url: null,
    });
    await act(id, 'check');
    expect((await put(path, { ...change, name: 'Third' }, data.etag)).status).toBe(204);
    expect(data.secrets).toEqual([{ name: 'api_key', stored_at: expect.any(String) }]);
  });

  it('change the rules one after the other: the second one reads them again first', async () => {
    const { data, etag } = await rulesOf();
    expect(data).toEqual([]);
    const rules = [{ name: 'All', accounts: ['network'] }];
    expect((await put('/routing/sandbox', { rules }, etag)).status).toBe(204);
    const refused = await put('/routing/sandbox', { rules: [] }, etag);
    expect([refused.status, refused.body.errors[0].code]).toEqual([412, 'stale_record']);
    const next = await rulesOf();
    expect(next.data).toHaveLength(1);
    expect((await put('/routing/sandbox', { rules: [] }, next.etag)).status).toBe(204);
  });
});

describe('the record of a merchant at a processor', () => {
  const recordsOf = async (shop: Client) =>
    (await shop.get('/v2/processor_details?filter[kind]=other')).body.data;
  const stateOf = async (shop: Client) =>
    (await recordsOf(shop)).at(0)?.attributes.processing_state;

  it('appears when an account is enabled, and follows it; attempts name it', async () => {
    const earlier = (await recordsOf(client)).length;
    const id = await createAccount('Recorded', networks.eu);
    expect(await recordsOf(client)).toHaveLength(earlier);
    await act(id, 'enable');
    await setRules([{ name: 'All', accounts: [id] }]);
    const [record] = await recordsOf(client);
    expect(record.attributes).toMatchObject({
      kind: 'other',
      onboarding_state: 'approved',
      processing_state: 'enabled',
    });
    const payment = await pay({});
    const { body } = await client.get(
      `/v2/payment_demands/${payment.id}?include=payment_attempts.processor_detail`,
    );
    expect(body.included?.at(-1)?.id).toBe(record.id);
    const watched = { onboarding_state: 'approved', processing_state: 'monitoring' };
    const merchant_id = record.relationships.merchant.data.id;
    const path = `/merchants/${merchant_id}/sandbox/processor_details/${record.id}`;
    expect((await operator.send('PATCH', path, watched)).status).toBe(204);
    const disabled = { ...watched, processing_state: 'disabled' };
    expect((await operator.send('PATCH', path, disabled)).status).toBe(422);
    for (const [action, state] of [
      ['pause', 'disabled'],
      ['enable', 'enabled'],
      ['pause', 'disabled'],
      ['remove', 'disabled'],
    ] as const) {
      await act(id, action, { give_up_refunds: true });
      expect([action, await stateOf(client)]).toEqual([action, state]);
    }
    expect(await recordsOf(client)).toHaveLength(earlier + 1);
  });

  it('exists for each merchant that may use the account, also for a later one, and shows no setting', async () => {
    const [own] = await db.query('select id from merchants limit 1', []);
    const shared = await createAccount('Of all', networks.eu);
    const single = await createAccount('Of one', networks.us, { merchant_id: own?.id });
    await act(shared, 'enable');
    await act(single, 'enable');
    const person = await signIn(stack.baseUrl, stack.credentials.account);
    const opened = await person.send('POST', '/dashboard/api/merchants', { business_name: 'New' });
    expect(opened.status).toBe(201);
    const countAt = (account: string) =>
      db.query('select merchant_id from processor_details where processor_account_id = $1', [
        account,
      ]);
    const [merchants] = await db.query('select count(*)::int as count from merchants', []);
    expect((await countAt(shared)).length).toBe(Number(merchants?.count));
    expect(await countAt(single)).toEqual([{ merchant_id: own?.id }]);
    const headers = { 'florin-merchant': opened.body.id, 'florin-mode': 'sandbox' };
    const { body } = await person.get('/v2/processor_details', headers);
    expect(body.data).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain(networks.eu);
    expect(JSON.stringify(body)).not.toContain(shared);
  });
});

describe('two accounts', () => {
  const rulesFor = (eu: string, us: string) => [
    { name: 'Euros', conditions: { currencies: ['EUR'] }, accounts: [eu] },
    { name: 'Dollars', conditions: { currencies: ['USD'] }, accounts: [us] },
  ];

  it('take the payments that the rules give them, and the preview says so', async () => {
    const [eu, us] = [await connect('EU', networks.eu), await connect('US', networks.us)];
    expect((await setRules(rulesFor(eu, us))).status).toBe(204);
    const before = [await countApproved(networks.eu), await countApproved(networks.us)];
    expect((await pay({ amount_currency: 'USD' })).status).toBe('succeeded');
    expect([await countApproved(networks.eu), await countApproved(networks.us)]).toEqual([
      before[0],
      (before[1] as number) + 1,
    ]);
    const [merchant] = await db.query('select id from merchants limit 1', []);
    const preview = await operator.send('POST', '/routing/sandbox/preview', {
      merchant_id: merchant?.id,
      amount: 100,
      currency: 'EUR',
    });
    expect(preview.body.data).toEqual({
      rule: 'Euros',
      candidates: [eu],
      fallback: 'not_sent',
      refused: [],
    });
  });

  it('keep their payments: a paused account still captures and refunds', async () => {
    const eu = await connect('EU', networks.eu);
    const payment = await makeAuthorisedPayment(client);
    await act(eu, 'pause');
    await connect('US', networks.us);
    const refundedBefore = await countApproved(networks.us);
    await makeCapture(client, payment);
    expect((await waitForOutcome(client, payment.id)).attributes.status).toBe('succeeded');
    const refund = await makeRefund(client, payment);
    const settled = await eventually(
      () => client.fetch('refund_demands', refund.id),
      ({ attributes }) => !['pending', 'processing'].includes(attributes.status),
    );
    expect(settled.attributes.status).toBe('succeeded');
    expect(await countApproved(networks.us)).toBe(refundedBefore);
    expect((await attemptOf(payment.id))?.processor_account_id).toBe(eu);
  });

  it('are asked about their own payments, and stay until the outcomes are known', async () => {
    const eu = await connect('EU', networks.eu);
    const { id } = await makeDemand(
      client,
      { confirmed: true, amount_cents: LOST_ANSWER_CENTS },
      await makeParties(client),
    );
    await eventually(
      () => client.fetch('payment_demands', id),
      ({ meta }) => meta?.outcome === 'unknown',
    );
    await act(eu, 'pause');
    const { status, body } = await act(eu, 'remove');
    expect([status, body.errors[0].detail]).toEqual([
      405,
      'The account still has 1 open outcome. Capture or void the payments on hold, wait for the outcomes, and remove it then.',
    ]);
    expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
    expect((await removeForGood(eu)).status).toBe(204);
  });

  it('that cannot take a currency are no candidates, and nothing is stored', async () => {
    await connect('Only euros', networks.eu, { currencies: ['EUR'] });
    const parties = await makeParties(client);
    await expect(
      makeDemand(client, { confirmed: true, amount_currency: 'USD' }, parties),
    ).rejects.toThrow(/no_processor/);
    await expect(
      makeSubscription(client, { confirmed: true, amount_currency: 'USD' }, parties),
    ).rejects.toThrow(/no_processor/);
    await expect(makeLink(client, { amount_currency: 'USD' })).rejects.toThrow(/no_processor/);
    await makeLink(client, { amount_currency: 'EUR' });
    const stored = await db.query(
      `select (select count(*) from payment_demands where amount_currency = 'USD' and status = 'pending') as payments,
         (select count(*) from payment_subscriptions) as subscriptions`,
      [],
    );
    expect(stored).toEqual([{ payments: '0', subscriptions: '0' }]);
  });
});

describe('an account that is removed', () => {
  it('is named by the refusal of a rule that still has it', async () => {
    const id = await createAccount('Euros', networks.eu);
    expect((await act(id, 'remove')).status).toBe(204);
    const { status, body } = await setRules([{ name: 'Eurozone', accounts: [id] }]);
    expect([status, body.errors[0].detail]).toEqual([
      422,
      `Rule "Eurozone" names Euros (${id}), which is removed. Take it out of rules[0].accounts.`,
    ]);
  });

  it('must be paused first, so that no server gives it payments', async () => {
    const id = await connect('Busy', networks.eu);
    const { status, body } = await removeForGood(id);
    expect([status, body.errors[0].detail]).toEqual([
      405,
      'The account is enabled. Pause it first, so that it takes no more payments, and remove it then.',
    ]);
    expect(await statusOf(id)).toBe('enabled');
  });

  it('must have no payment on hold: it could be neither captured nor voided', async () => {
    const id = await connect('Holding', networks.eu);
    const payment = await makeAuthorisedPayment(client);
    await act(id, 'pause');
    const { status, body } = await removeForGood(id);
    expect([status, body.errors[0].detail]).toEqual([
      405,
      'The account still has 1 payment on hold. Capture or void the payments on hold, wait for the outcomes, and remove it then.',
    ]);
    expect(await statusOf(id)).toBe('paused');
    const { obligations } = (await operator.get(`/processor_accounts/${id}`)).body.data;
    expect(obligations).toMatchObject({ holds: 1, open_outcomes: 0, refundable: 0 });
    expect((await voidPayment(payment.id)).attributes.status).toBe('canceled');
    expect((await act(id, 'remove')).status).toBe(204);
  });

  it('gives up refunds only where the operator says so', async () => {
    const id = await connect('Refundable', networks.eu);
    const payment = await pay({});
    const other = await pay({});
    await act(id, 'pause');
    const { status, body } = await act(id, 'remove');
    expect([status, body.errors[0].detail]).toEqual([
      405,
      'The account has 2 refundable or disputed payments. Keep it paused, or send give_up_refunds: true: refunds are then refused, and an operator closes open disputes by hand.',
    ]);
    const setPayment = (status: string, refundable: number) =>
      db.query(
        'update payment_demands set status = $2, amount_refundable_cents = $3 where id = $1',
        [payment.id, status, refundable],
      );
    const { amount_refundable_cents } = (await client.fetch('payment_demands', payment.id))
      .attributes;
    await setPayment('disputed', 0);
    expect((await act(id, 'remove')).status).toBe(405);
    await setPayment('succeeded', amount_refundable_cents);
    await makeRefund(client, await client.fetch('payment_demands', payment.id));
    await eventually(
      async () => (await operator.get(`/processor_accounts/${id}`)).body.data.obligations,
      ({ refundable, open_outcomes, pending_follow_ups }) =>
        refundable === 1 && open_outcomes + pending_follow_ups === 0,
    );
    expect((await removeForGood(id)).status).toBe(204);
    const { included } = (
      await client.get(`/v2/payment_demands/${other.id}?include=payment_attempts.processor_detail`)
    ).body;
    const record = included?.find(({ type }) => type === 'processor_details');
    expect(record?.attributes.removed_at).toEqual(expect.any(String));
    const payment_demand = { type: 'payment_demands', id: other.id };
    const refund = documentOf(
      'refund_demands',
      { reason: 'customer_canceled' },
      { payment_demand },
    );
    expect(await client.send('POST', '/v2/refund_demands', refund)).toMatchObject({
      status: 422,
      body: {
        errors: [
          {
            code: 'no_refundable_authorization',
            detail:
              "The processor account Refundable, which took the payment, is removed. Refund it in the processor's dashboard, or ask the operator.",
          },
        ],
      },
    });
  });
});

describe('a processor that captures by a second message', () => {
  const capturesOf = (payment_demand_id: string) =>
    db.query('select status, amount_cents from capture_demands where payment_demand_id = $1', [
      payment_demand_id,
    ]);

  it.each([
    ['is approved', 2_499],
    ['loses its response, and an inquiry finds the approval', LOST_ANSWER_CENTS],
  ])('captures a payment that %s, once', async (_, amount_cents) => {
    await connect('Two steps', networks.eu, { processor: 'two_step' });
    const { id, status } = await pay({ amount_cents });
    expect(status).toBe('succeeded');
    expect(await capturesOf(id)).toEqual([
      { status: 'succeeded', amount_cents: String(amount_cents) },
    ]);
    const { attributes } = await client.fetch('payment_demands', id);
    expect(attributes.amount_captured_cents).toBe(amount_cents);
    const events = (await client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`)).body;
    const slugs = events.data.map(
      ({ attributes }: { attributes: { slug: string } }) => attributes.slug,
    );
    expect(slugs).toEqual(['created', 'updated', 'succeeded']);
  });

  it('leaves a hold to the merchant if the capture is declined', async () => {
    await connect('Two steps', networks.eu, { processor: 'two_step' });
    const attributes = { confirmed: true, amount_cents: DECLINED_CAPTURE_CENTS };
    const { id } = await makeDemand(client, attributes, await makeParties(client));
    await eventually(
      () => client.fetch('payment_demands', id),
      (payment) => payment.attributes.status === 'authorised',
    );
    expect(await capturesOf(id)).toEqual([
      { status: 'failed', amount_cents: String(DECLINED_CAPTURE_CENTS) },
    ]);
    await voidPayment(id);
  });

  it('leaves the hold of a manual payment alone', async () => {
    await connect('Two steps', networks.eu, { processor: 'two_step' });
    const payment = await makeAuthorisedPayment(client);
    expect(await capturesOf(payment.id)).toEqual([]);
    await voidPayment(payment.id);
  });
});

describe('rules', () => {
  it('of one mode leave room for those of the other', async () => {
    const id = await createAccount('Live', networks.eu, { mode: 'live' });
    const live = Array.from({ length: RULES_MAX }, () => ({ name: 'Live', accounts: [id] }));
    const putLive = (rules: readonly object[]) => operator.send('PUT', '/routing/live', { rules });
    expect((await putLive(live)).status).toBe(204);
    const account = await connect('Ruled', networks.us);
    expect((await operator.get('/routing/sandbox')).body.data).toHaveLength(1);
    const { id: payment } = await pay({});
    expect((await attemptOf(payment))?.processor_account_id).toBe(account);
    expect((await putLive([])).status).toBe(204);
  });

  it.each<[string, object, string]>([
    ['an account that does not exist', { accounts: ['nobody'] }, 'rules[0].accounts names nobody'],
    [
      'a merchant that does not exist',
      { merchant_id: UNKNOWN_ID, accounts: ['network'] },
      'rules[0].merchant_id names no merchant',
    ],
    [
      'an unknown condition',
      { conditions: { colour: ['red'] }, accounts: ['nobody'] },
      'rules[0]: conditions has no member `colour`',
    ],
  ])('that name %s are refused', async (_, change, detail) => {
    const { status, body } = await setRules([{ name: 'Wrong', ...change }]);
    expect(status).toBe(422);
    expect(body.errors[0].detail).toContain(detail);
  });
});
