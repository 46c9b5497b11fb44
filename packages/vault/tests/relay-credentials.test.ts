import type { Credentials, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { useVault, type VaultContext } from './support/use-vault.ts';
import { errorOf } from './support/vault.ts';

const USER = 'shop-eu-7731';
const PASSWORD = 'p&ss<w"rd>:1';
const ref = { account_id: 'account-1', mode: 'sandbox' } as const;

let context: VaultContext;
useVault((started) => {
  context = started;
});
beforeAll(() => store({ user: USER, password: PASSWORD, with_colon: 'user:12345' }));

async function store(secrets: Record<string, string>): Promise<void> {
  const request = { ...ref, origins: [context.network.origin], secrets };
  const { status } = await context.vault.post('/processor-accounts/store', request);
  expect(status).toBe(200);
}

const createRequest = (
  credentials: Partial<Credentials>,
  changes: Partial<RelayRequest> = {},
): RelayRequest => ({
  id: 'capture-1',
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  consumes_cvv: false,
  method: 'POST',
  url: `${context.network.origin}/approve`,
  headers: {},
  body: { request: { login: { user: null, password: null }, amount: 100 } },
  card_fields: {},
  credentials: { account_id: ref.account_id, headers: {}, ...credentials },
  timeout_ms: 3_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

const inBody = { '/request/login/user': 'user', '/request/login/password': 'password' };

describe('secrets of an account', () => {
  test('are filled into the body that a message names', async () => {
    await context.vault.relay(createRequest({ body: inBody }));
    expect(JSON.parse(context.network.received[0]!.body)).toEqual({
      request: { login: { user: USER, password: PASSWORD }, amount: 100 },
    });
  });

  test('are escaped in XML, and masked in a response that repeats the request', async () => {
    const url = `${context.network.origin}/raw-echo`;
    for (const answer_codec of ['xml', 'text'] as const) {
      const request = createRequest({ body: inBody }, { url, codec: 'xml', answer_codec });
      const [answer] = await context.vault.relay(request);
      expect(answer).toMatchObject({ outcome: 'answered' });
      expect(JSON.stringify(answer)).not.toMatch(/p&|shop-eu/);
    }
    expect(context.network.received[0]?.body).toContain(
      `<login><user>${USER}</user><password>p&amp;ss&lt;w&quot;rd&gt;:1</password></login>`,
    );
  });

  test.each<[string, NonNullable<Credentials['basic']>, string]>([
    ['both', { user: { secret: 'user' }, password: { secret: 'password' } }, `${USER}:${PASSWORD}`],
    [
      'a user that is no secret',
      { user: { text: 'u1' }, password: { secret: 'password' } },
      `u1:${PASSWORD}`,
    ],
    ['no password', { user: { secret: 'user' }, password: { text: '' } }, `${USER}:`],
  ])('are the login of HTTP Basic, with %s', async (_name, basic, login) => {
    await context.vault.relay(createRequest({ basic }, { body: {} }));
    const base64 = Buffer.from(login).toString('base64');
    expect(context.network.received[0]?.headers.authorization).toBe(`Basic ${base64}`);
  });

  test('are masked as the login that contains them', async () => {
    const basic = { user: { text: 'u1' }, password: { secret: 'password' } };
    const login = Buffer.from(`u1:${PASSWORD}`).toString('base64');
    const url = `${context.network.origin}/echo`;
    const body = { request: `Authorization: Basic ${login}` };
    expect(await context.vault.relay(createRequest({ basic }, { url, body }))).toMatchObject([
      { body: { saw: { request: 'Authorization: Basic ***' } } },
    ]);
  });
});

test.each<[string, Partial<Credentials>, object, string]>([
  [
    'a place that is no null member',
    { body: { '/request/amount': 'user' } },
    {},
    'body_unusable: The placeholder user at /request/amount is not a null member of the body.',
  ],
  [
    'a place of a body that is not there',
    { body: { '/request/amount': 'user' } },
    { body: undefined },
    'body_unusable: The placeholder user at /request/amount is not a null member of the body.',
  ],
  [
    'a secret that the account lacks',
    { body: { '/request/login/user': 'api_key' } },
    {},
    'credential_missing: The account has no secret api_key.',
  ],
  [
    'a user with a colon',
    { basic: { user: { secret: 'with_colon' }, password: { text: '' } } },
    {},
    'credential_unusable: The user of a Basic login has a colon.',
  ],
])('a message that names %s is not sent', async (_name, credentials, changes, expected) => {
  const [answer] = await context.vault.relay(createRequest(credentials, changes));
  expect(answer?.outcome === 'not_sent' && `${answer.why}: ${answer.detail}`).toBe(expected);
  expect(context.network.received).toHaveLength(0);
});

test.each<[string, object, object, string]>([
  [
    'a login beside the header of it',
    {
      headers: { Authorization: { secret: 'user' } },
      basic: { user: { text: 'a' }, password: { text: 'b' } },
    },
    {},
    'requests[0].credentials.headers must not set authorization beside basic.',
  ],
  [
    'a place of the card too',
    { body: { '/n': 'user' } },
    { card_pan_token: 'pan_x', card_fields: { '/n': 'pan' } },
    'requests[0].credentials.body must not name places of card_fields.',
  ],
  [
    'no pointer',
    { body: { user: 'user' } },
    {},
    'requests[0].credentials.body must have JSON pointers of 2 to 256 printable characters.',
  ],
  [
    'a login without a user',
    { basic: { password: { text: 'b' } } },
    {},
    'requests[0].credentials.basic.user must be an object.',
  ],
])('a message that names %s is refused', async (_name, credentials, changes, detail) => {
  const requests = [createRequest(credentials, changes)];
  const answer = await context.vault.post('/relay', { requests });
  expect([answer.status, errorOf(answer).detail]).toEqual([400, detail]);
});

test('a security code of a card goes into one message of an account, whatever the server says', async () => {
  const { vault, network } = context;
  const card = await vault.ingest();
  const message = createRequest(
    {},
    {
      card_pan_token: card.card_pan_token,
      card_cvv_token: card.card_cvv_token!,
      body: { number: null, cvv: null },
      card_fields: { '/number': 'pan', '/cvv': 'cvv' },
    },
  );
  network.received.length = 0;
  for (const id of ['first', 'second']) await vault.relay({ ...message, id });
  expect(network.received.map(({ body }) => 'cvv' in JSON.parse(body))).toEqual([true, false]);
  const readVerbs = async () =>
    (
      await vault.database.query(
        `select verb from vault.audit where outcome like '%account-1' and token_hash is not null order by seq`,
      )
    ).map(({ verb }) => verb);
  await expect.poll(readVerbs).toEqual(['authorise', 'authorise']);
});

test('a security code goes with the card that it was entered with, and with no other', async () => {
  const { vault, network } = context;
  const [card, other] = [await vault.ingest(), await vault.ingest()];
  const message = createRequest(
    {},
    {
      card_pan_token: card.card_pan_token,
      card_cvv_token: other.card_cvv_token!,
      body: { number: null, cvv: null },
      card_fields: { '/number': 'pan', '/cvv': 'cvv' },
    },
  );
  network.received.length = 0;
  await vault.relay(message);
  await vault.relay({ ...message, card_pan_token: other.card_pan_token, id: 'genuine' });
  expect(network.received.map(({ body }) => 'cvv' in JSON.parse(body))).toEqual([false, true]);
});

test('a message that names a card has a place of its number', async () => {
  const card = await context.vault.ingest();
  const message = createRequest({}, { card_pan_token: card.card_pan_token, body: {} });
  const answer = await context.vault.post('/relay', { requests: [message] });
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringContaining('a place of the pan'),
  ]);
});

test('a security code stays with its card, also if one batch names it with both', async () => {
  const { vault, network } = context;
  const [card, other] = [await vault.ingest(), await vault.ingest()];
  const messageOf = (id: string, card_pan_token: string) =>
    createRequest(
      {},
      {
        id,
        card_pan_token,
        card_cvv_token: other.card_cvv_token!,
        body: { id, number: null, cvv: null },
        card_fields: { '/number': 'pan', '/cvv': 'cvv' },
      },
    );
  network.received.length = 0;
  await vault.relay(
    messageOf('guess', card.card_pan_token),
    messageOf('genuine', other.card_pan_token),
  );
  const sent = network.received.map(({ body }) => JSON.parse(body));
  expect(sent.filter((body) => 'cvv' in body).map(({ id }) => id)).toEqual(['genuine']);
});

test('a card that was entered gets no other security code', async () => {
  const { vault } = context;
  const sid = 'session-1';
  const [request, other] = [await vault.sealedRequest({ sid }), await vault.sealedRequest({ sid })];
  expect((await vault.post('/ingest', request)).status).toBe(200);
  const { pan_jwe } = request.source as { readonly pan_jwe: string };
  const answer = await vault.post('/ingest', { ...other, source: { ...other.source, pan_jwe } });
  expect(answer.text).toContain('sealed_card_replayed');
});
