import { createHmac } from 'node:crypto';
import type {
  ProcessorAccountRequest,
  SignatureRequest,
} from '@florin/contract/protocol/processor-accounts.ts';
import type { CardDescription, RelayRequest } from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startNetwork } from './support/network.ts';
import { errorOf, startTestVault, type TestVault } from './support/vault.ts';

const API_KEY = 'sk_live_4f1c0a9b7d2e4a55';
const OTHER_KEY = 'sk_live_9e8d7c6b5a493827';

let network: Awaited<ReturnType<typeof startNetwork>>;
let otherNetwork: Awaited<ReturnType<typeof startNetwork>>;
let vault: TestVault;
let card: CardDescription;

beforeAll(async () => {
  network = await startNetwork();
  otherNetwork = await startNetwork();
  vault = await startTestVault([network.origin, otherNetwork.origin]);
  card = await vault.ingest();
});
afterAll(async () => {
  await vault?.[Symbol.asyncDispose]();
  await network?.[Symbol.asyncDispose]();
  await otherNetwork?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  network.received.length = 0;
  otherNetwork.received.length = 0;
  await vault.post('/processor-accounts/remove', ref);
});

const ref = { account_id: 'account-1', mode: 'sandbox' } as const;

async function store(changes: Partial<ProcessorAccountRequest> = {}): Promise<readonly string[]> {
  const origins = [network.origin];
  const request = { ...ref, origins, secrets: { api_key: API_KEY }, ...changes };
  const { status, text } = await vault.post('/processor-accounts/store', request);
  expect(status).toBe(200);
  expect(text).not.toContain(API_KEY);
  return JSON.parse(text).secrets;
}

const createRequest = (changes: Partial<RelayRequest> = {}): RelayRequest => ({
  id: 'attempt-1',
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  card_pan_token: card.card_pan_token,
  consumes_cvv: false,
  method: 'POST',
  url: `${network.origin}/approve`,
  headers: {},
  body: { card: { number: null } },
  card_fields: { '/card/number': 'pan' },
  credentials: {
    account_id: ref.account_id,
    headers: { Authorization: { prefix: 'Bearer ', secret: 'api_key' } },
  },
  timeout_ms: 3_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

/** Outcome of a request, with its reason if it was not sent. */
async function relay(changes: Partial<RelayRequest> = {}): Promise<string> {
  const [answer] = await vault.relay(createRequest(changes));
  return answer?.outcome === 'answered' ? 'answered' : `${answer?.outcome} ${answer?.why}`;
}

describe('a secret of a processor account', () => {
  test('is filled into the header that a message names', async () => {
    expect(await store()).toEqual(['api_key']);
    expect(await relay()).toBe('answered');
    expect(network.received[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
  });

  test('is replaced at once, and other secrets stay', async () => {
    await store({ secrets: { api_key: API_KEY, hmac_key: OTHER_KEY } });
    await relay();
    expect(await store({ secrets: { api_key: OTHER_KEY } })).toEqual(['api_key', 'hmac_key']);
    await relay();
    expect(network.received.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${API_KEY}`,
      `Bearer ${OTHER_KEY}`,
    ]);
  });

  test('is removed by null, and with its account', async () => {
    expect(await store({ secrets: { api_key: API_KEY, hmac_key: OTHER_KEY } })).toHaveLength(2);
    expect(await store({ secrets: { hmac_key: null } })).toEqual(['api_key']);
    await vault.post('/processor-accounts/remove', ref);
    expect(await relay()).toBe('not_sent credential_missing');
  });

  test('is sent to an origin of its account only', async () => {
    await store();
    const url = `${otherNetwork.origin}/approve`;
    expect(await relay({ url })).toBe('not_sent origin_of_another_account');
    expect(otherNetwork.received).toHaveLength(0);
  });

  test('is removed by a change of the origins, so that it cannot be sent elsewhere', async () => {
    await store();
    expect(await store({ origins: [otherNetwork.origin], secrets: {} })).toEqual([]);
    expect(await relay({ url: `${otherNetwork.origin}/approve` })).toBe(
      'not_sent credential_missing',
    );
  });

  test('goes to the origin that it was stored with, whichever of two concurrent calls wins', async () => {
    const secretByOrigin = new Map([
      [network.origin, API_KEY],
      [otherNetwork.origin, OTHER_KEY],
    ]);
    for (let round = 0; round < 10; round += 1) {
      const calls = [...secretByOrigin].map(([origin, api_key]) =>
        store({ origins: [origin], secrets: { api_key } }),
      );
      await Promise.all(calls);
    }
    const outcomes = await Promise.all(
      [...secretByOrigin.keys()].map((origin) => relay({ url: `${origin}/approve` })),
    );
    expect(outcomes.toSorted()).toEqual(['answered', 'not_sent origin_of_another_account']);
    const [request] = [...network.received, ...otherNetwork.received];
    const origin = network.received.length > 0 ? network.origin : otherNetwork.origin;
    expect(request?.headers.authorization).toBe(`Bearer ${secretByOrigin.get(origin)}`);
  });

  test('is not sent in another mode, or for another account', async () => {
    await store({ mode: 'live' });
    expect(await relay()).toBe('not_sent credential_missing');
    const headers = { authorization: { secret: 'api_key' } };
    expect(await relay({ credentials: { account_id: 'account-2', headers } })).toBe(
      'not_sent credential_missing',
    );
    await vault.post('/processor-accounts/remove', { ...ref, mode: 'live' });
  });

  test('is masked in a response that repeats it', async () => {
    await store();
    const body = { card: { number: null }, note: API_KEY };
    const [answer] = await vault.relay(createRequest({ url: `${network.origin}/echo`, body }));
    expect(answer).toMatchObject({ outcome: 'answered' });
    expect(JSON.stringify(answer)).not.toContain(API_KEY);
  });

  test('is in no row of the database and in no log', async () => {
    await store();
    await relay();
    const rows = await vault.database.query(
      `select s::text, encode(wrapped, 'escape') as wrapped from vault.processor_secrets s`,
    );
    const audit = await vault.database.query('select a::text from vault.audit a');
    expect(JSON.stringify([rows, audit, vault.log])).not.toContain(API_KEY);
    expect(JSON.stringify(audit)).toContain('account-1 stored: api_key');
  });

  test('is readable after a rotation of the root key and a restart', async () => {
    await store();
    await vault.admin('/rotate', { key: 'root' });
    const rows = await vault.database.query('select root_version from vault.processor_secrets');
    expect(rows).toEqual([{ root_version: 2 }]);
    await vault.restart();
    expect(await relay()).toBe('answered');
  });
});

describe('a signature of a notification', () => {
  const HEX_KEY = '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056';
  const PAYLOAD = 'ref-1::TestMerchant:1000:EUR:AUTHORISATION:true';
  const sign = (key: Buffer | string, encoding: 'hex' | 'base64', payload = PAYLOAD) =>
    createHmac('sha256', key).update(payload).digest(encoding);
  const verify = async (check: SignatureRequest['check'], secrets = ['hmac_key']) => {
    const answer = await vault.post('/processor-accounts/verify', { ...ref, secrets, check });
    return answer.status === 200 ? JSON.parse(answer.text).valid : errorOf(answer).error;
  };
  const hmac = {
    kind: 'hmac_sha256',
    key_encoding: 'utf8',
    payload: PAYLOAD,
    payload_encoding: 'utf8',
    signature_encoding: 'hex',
  } as const;

  test('with a key in hex, in base64, is valid', async () => {
    await store({ secrets: { hmac_key: HEX_KEY } });
    const signature = sign(Buffer.from(HEX_KEY, 'hex'), 'base64');
    const encodings = { key_encoding: 'hex', signature_encoding: 'base64' } as const;
    expect(await verify({ ...hmac, ...encodings, signature })).toBe(true);
  });

  test.each<[string, string, unknown]>([
    ['of this text', sign(OTHER_KEY, 'hex'), true],
    ['of another text', sign(OTHER_KEY, 'hex', 'another'), false],
    ['of another key', sign(API_KEY, 'hex'), false],
    ['that is cut short', sign(OTHER_KEY, 'hex').slice(0, -2), false],
    ['that is no hex', 'signature', false],
  ])('%s: valid is %s', async (_name, signature, expected) => {
    await store({ secrets: { hmac_key: OTHER_KEY } });
    expect(await verify({ ...hmac, signature })).toBe(expected);
  });

  test('may be of bytes that are no UTF-8', async () => {
    await store({ secrets: { hmac_key: OTHER_KEY } });
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    const signature = createHmac('sha256', OTHER_KEY).update(bytes).digest('hex');
    const payload = { payload: bytes.toString('base64'), payload_encoding: 'base64' } as const;
    expect(await verify({ ...hmac, ...payload, signature })).toBe(true);
  });

  test('may be made with the old or the new key during a rotation', async () => {
    await store({ secrets: { hmac_key: OTHER_KEY, hmac_key_old: API_KEY } });
    const signature = sign(API_KEY, 'hex');
    expect(await verify({ ...hmac, signature }, ['hmac_key', 'hmac_key_old'])).toBe(true);
    expect(await verify({ ...hmac, signature })).toBe(false);
  });

  test('may be the secret itself', async () => {
    await store({ secrets: { hmac_key: OTHER_KEY } });
    expect(await verify({ kind: 'equal', text: OTHER_KEY })).toBe(true);
    expect(await verify({ kind: 'equal', text: `${OTHER_KEY}0` })).toBe(false);
  });

  test('is neither valid nor invalid if the account lacks the secret', async () => {
    await store();
    expect(await verify({ kind: 'equal', text: OTHER_KEY })).toBe('credential_missing');
  });

  test('of an unknown kind is refused', async () => {
    expect(await verify({ kind: 'md5' } as never)).toBe('bad_request');
  });
});

test.each<[string, Record<string, unknown>, string]>([
  ['no origin', { origins: [] }, 'origins must be a list of 1 to 16.'],
  [
    'an address for an origin',
    { origins: ['https://network.example/pay'] },
    'origins[0] must be an origin such as https://network.example.',
  ],
  [
    'a short secret',
    { secrets: { api_key: 'short' } },
    'secrets.api_key must have at least 8 characters.',
  ],
  [
    'a wrong name',
    { secrets: { 'API key': API_KEY } },
    'secrets must have names of 1 to 40 lower-case letters, digits and _.',
  ],
  ['no mode', { mode: 'test' }, 'mode must be live or sandbox.'],
])(
  'an account with %s is refused, and the error repeats no value',
  async (_name, changes, detail) => {
    const request = {
      ...ref,
      origins: [network.origin],
      secrets: { api_key: API_KEY },
      ...changes,
    };
    const answer = await vault.post('/processor-accounts/store', request);
    expect([answer.status, errorOf(answer).detail]).toEqual([400, detail]);
  },
);

test('a message whose credentials set a reserved header is refused', async () => {
  const headers = { Host: { secret: 'api_key' } };
  const request = createRequest({ credentials: { account_id: 'account-1', headers } });
  const answer = await vault.post('/relay', { requests: [request] });
  expect(errorOf(answer).detail).toBe('requests[0].credentials.headers must not set host.');
});
