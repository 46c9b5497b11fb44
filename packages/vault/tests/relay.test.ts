import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CardDescription,
  cardFields,
  type RelayRequest,
  relayMethods,
} from '@florin/contract/protocol/vault.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CVV_LIFE_MS } from '../src/keys/cvv-epochs.ts';
import { FAILURES_MAX, OPEN_MS_MIN, SILENCE_MS } from '../src/relay/breaker.ts';
import { abandon } from './support/abandon.ts';
import { startNetwork } from './support/network.ts';
import { errorOf, startTestVault, type TestVault } from './support/vault.ts';

const NUMBER = '4242424242424242';
const CVV = '987';
/** Few, so that a test can occupy them. */
const CONNECTIONS_MAX = 8;
const POLL_OPTIONS = { timeout: 10_000 };

let network: Awaited<ReturnType<typeof startNetwork>>;
let vault: TestVault;
let closedOrigin: string;
let deadOrigin: string;
let card: CardDescription;

beforeAll(async () => {
  network = await startNetwork();
  [closedOrigin, deadOrigin] = [await findClosedOrigin(), await findClosedOrigin()];
  vault = await startTestVault([network.origin, closedOrigin, deadOrigin], {
    connections_max: CONNECTIONS_MAX,
  });
});
afterAll(async () => {
  await vault?.[Symbol.asyncDispose]();
  await network[Symbol.asyncDispose]();
});
beforeEach(async () => {
  network.received.length = 0;
  card = await vault.ingest();
});

async function findClosedOrigin(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const createRequest = (url: string, changes: Partial<RelayRequest> = {}): RelayRequest => ({
  id: 'attempt-1',
  merchant_id: 'merchant-a',
  mode: 'sandbox',
  card_pan_token: card.card_pan_token,
  ...(card.card_cvv_token && { card_cvv_token: card.card_cvv_token }),
  consumes_cvv: true,
  method: 'POST',
  url: url.startsWith('/') ? network.origin + url : url,
  headers: { 'x-reference': 'r1' },
  body: {
    amount: 100,
    card: { number: null, cvv: null, expiry_month: null, expiry_year: null },
    memo: ['{{card.pan}}', '/card/number', null],
  },
  card_fields: {
    '/card/number': 'pan',
    '/card/cvv': 'cvv',
    '/card/expiry_month': 'expiry_month',
    '/card/expiry_year': 'expiry_year',
  },
  timeout_ms: 3_000,
  not_after: Number.MAX_SAFE_INTEGER,
  ...changes,
});

/** Messages that occupy all connections to the network until it releases them. */
const createHoldRequests = (): RelayRequest[] =>
  Array.from({ length: CONNECTIONS_MAX }, (_, index) =>
    createRequest('/hold', { id: `hold-${index}`, consumes_cvv: false, timeout_ms: 60_000 }),
  );

const queryCvvRows = () =>
  vault.database.query('select from vault.cvvs where token = $1', [card.card_cvv_token]);

describe('a relayed request', () => {
  test('reaches the processor with the card only in its named members', async () => {
    const answers = await vault.relay(createRequest('/approve'));
    expect(answers).toEqual([
      { id: 'attempt-1', outcome: 'answered', status: 200, body: { result: 'approved' } },
    ]);
    const [receivedRequest] = network.received;
    expect(JSON.parse(receivedRequest!.body)).toEqual({
      amount: 100,
      card: { number: NUMBER, cvv: CVV, expiry_month: '12', expiry_year: '2030' },
      memo: ['{{card.pan}}', '/card/number', null],
    });
    expect(receivedRequest!.headers).toMatchObject({
      'x-reference': 'r1',
      'content-type': 'application/json',
    });
  });

  test('that is declined is answered with the processor’s status and body', async () => {
    expect(await vault.relay(createRequest('/decline'))).toMatchObject([
      { outcome: 'answered', status: 402, body: { result: 'declined', response_code: '51' } },
    ]);
  });

  test.each([
    ['/garbage', 'unreadable_answer'],
    ['/redirect', 'redirected'],
    ['/huge', 'answer_too_large'],
    ['/reset', 'connection_lost'],
    ['/cut', 'connection_lost'],
  ])('to %s has an unknown result: it may have been executed', async (path, why) => {
    expect(await vault.relay(createRequest(path))).toEqual([
      { id: 'attempt-1', outcome: 'lost', why },
    ]);
    expect(network.received).toHaveLength(1);
  });

  test('without an answer in its time has an unknown result', async () => {
    expect(await vault.relay(createRequest('/hang', { timeout_ms: 50 }))).toEqual([
      { id: 'attempt-1', outcome: 'lost', why: 'timeout' },
    ]);
  });

  test.each<[string, () => Partial<RelayRequest>, string]>([
    [
      'an address that is not on the list',
      () => ({ url: 'http://127.0.0.1:1/x' }),
      'egress_not_allowed',
    ],
    [
      'an address with a login',
      () => ({ url: network.origin.replace('//', '//user:pw@') }),
      'egress_not_allowed',
    ],
    ['no address', () => ({ url: 'nowhere' }), 'egress_not_allowed'],
    ['an origin that refuses the connection', () => ({ url: closedOrigin }), 'connection_failed'],
    [
      'a header that HTTP does not allow',
      () => ({ headers: { a: 'b\r\nc: d' } }),
      'header_unusable',
    ],
    ['an unknown token', () => ({ card_pan_token: 'pan_x' }), 'unknown_token'],
    ['another merchant’s token', () => ({ merchant_id: 'merchant-b' }), 'unknown_token'],
    ['another mode’s token', () => ({ mode: 'live' }), 'unknown_token'],
  ])('with %s is not sent', async (_name, changes, why) => {
    const [answer] = await vault.relay(createRequest('/approve', changes()));
    expect(answer).toMatchObject({ id: 'attempt-1', outcome: 'not_sent', why });
    expect(network.received).toHaveLength(0);
  });

  test('without the place for the card is not sent, and the refusal and the log name the place', async () => {
    const [answer] = await vault.relay(createRequest('/approve', { body: { card: {} } }));
    const detail = 'The placeholder pan at /card/number is not a null member of the body.';
    expect(answer).toEqual({ id: 'attempt-1', outcome: 'not_sent', why: 'body_unusable', detail });
    expect(vault.log.filter((line) => line.includes(detail))).toHaveLength(1);
    expect(network.received).toHaveLength(0);
  });

  test('has the expiry date in the forms that its placeholders name', async () => {
    const body = { number: null, month: null, year: null, date: null };
    const card_fields = {
      '/number': 'pan',
      '/month': 'expiry_month_number',
      '/year': 'expiry_year_short',
      '/date': 'expiry_mmyy',
    } as const;
    await vault.relay(createRequest('/approve', { body, card_fields }));
    expect(JSON.parse(network.received[0]!.body)).toMatchObject({
      month: 12,
      year: '30',
      date: '1230',
    });
  });

  test('whose time-out ends while it waits for a connection is not sent', async () => {
    const heldAnswers = vault.relay(...createHoldRequests());
    await expect.poll(() => network.received, POLL_OPTIONS).toHaveLength(CONNECTIONS_MAX);
    const answers = await vault.relay(createRequest('/approve', { timeout_ms: 100 }));
    expect(answers).toEqual([{ id: 'attempt-1', outcome: 'not_sent', why: 'timeout' }]);
    network.release();
    await heldAnswers;
    // Messages that were waiting for a connection are sent before this one.
    await vault.relay(createRequest('/decline'));
    expect(network.received.filter(({ path }) => path === '/approve')).toHaveLength(0);
  });

  test('to an origin that is down is not sent, and does not wait until a probe is due', async () => {
    const reasonOf = async () =>
      (await vault.relay(createRequest(`${deadOrigin}/approve`))).map((answer) => [
        answer.outcome,
        answer.outcome === 'answered' || answer.why,
      ]);
    for (let count = 0; count < FAILURES_MAX; count += 1)
      expect(await reasonOf()).toEqual([['not_sent', 'connection_failed']]);
    expect(await reasonOf()).toEqual([['not_sent', 'origin_unreachable']]);
    vault.clock.now += OPEN_MS_MIN;
    expect(await reasonOf()).toEqual([['not_sent', 'connection_failed']]);
    expect(await reasonOf()).toEqual([['not_sent', 'origin_unreachable']]);
  });

  test('to an origin that only hangs is not sent, until a probe is answered', async () => {
    vault.clock.now += SILENCE_MS;
    const hanging = Array.from({ length: FAILURES_MAX }, (_, at) =>
      createRequest('/hang', { id: `hang-${at}`, consumes_cvv: false, timeout_ms: 1_000 }),
    );
    expect(await vault.relay(...hanging)).toMatchObject(
      hanging.map(() => ({ outcome: 'lost', why: 'timeout' })),
    );
    expect(await vault.relay(createRequest('/approve'))).toMatchObject([
      { outcome: 'not_sent', why: 'origin_unreachable' },
    ]);
    vault.clock.now += OPEN_MS_MIN;
    network.received.length = 0;
    const probe = vault.relay(createRequest('/hold', { id: 'probe', consumes_cvv: false }));
    await expect.poll(() => network.received.length, POLL_OPTIONS).toBe(1);
    expect(await vault.relay(createRequest('/decline'))).toMatchObject([{ outcome: 'not_sent' }]);
    network.release();
    expect(await probe).toMatchObject([{ outcome: 'answered' }]);
    expect(await vault.relay(createRequest('/decline'))).toMatchObject([{ outcome: 'answered' }]);
  });

  test('whose time is over on arrival is not sent, and keeps the verification value', async () => {
    const [answer] = await vault.relay(createRequest('/approve', { not_after: vault.clock.now }));
    expect(answer).toEqual({ id: 'attempt-1', outcome: 'not_sent', why: 'too_late' });
    expect(network.received).toHaveLength(0);
    expect(await queryCvvRows()).toHaveLength(1);
  });

  test('whose time ends while the database is slow is not sent', async () => {
    const lockResult = await vault.database.whileLocked('vault.cvvs', async (countWaiting) => {
      const relayPromise = vault.relay(
        createRequest('/approve', { not_after: vault.clock.now + 10_000 }),
      );
      await expect.poll(countWaiting, POLL_OPTIONS).toBeGreaterThan(0);
      vault.clock.now += 10_000;
      return { relayPromise };
    });
    expect(await lockResult.relayPromise).toMatchObject([{ outcome: 'not_sent', why: 'too_late' }]);
    expect(network.received).toHaveLength(0);
    expect(await queryCvvRows()).toHaveLength(1);
  });

  test('whose time ends while it waits for a connection is not sent, though it could wait longer', async () => {
    const heldAnswers = vault.relay(...createHoldRequests());
    await expect.poll(() => network.received, POLL_OPTIONS).toHaveLength(CONNECTIONS_MAX);
    const not_after = vault.clock.now + 10_000;
    const relayPromise = vault.relay(createRequest('/approve', { not_after, timeout_ms: 60_000 }));
    await expect.poll(queryCvvRows, POLL_OPTIONS).toHaveLength(0);
    vault.clock.now = not_after;
    network.release();
    expect(await relayPromise).toMatchObject([{ outcome: 'not_sent', why: 'too_late' }]);
    expect(network.received.filter(({ path }) => path === '/approve')).toHaveLength(0);
    expect(await queryCvvRows()).toHaveLength(1);
    await heldAnswers;
  });

  test.each([
    ['answer', '/echo', 200],
    ['refusal', '/refuse-echo', 422],
    ['error', '/fail-echo', 500],
  ])('whose %s echoes the card is returned masked', async (_name, path, status) => {
    const [answer] = await vault.relay(createRequest(path));
    expect(answer).toMatchObject({
      status,
      body: { saw: { card: { number: '424242******4242', cvv: '***' } } },
    });
  });
});

describe('a request without a card', () => {
  const createPlain = (path: string, changes: Partial<RelayRequest> = {}): RelayRequest => ({
    id: 'inquiry-1',
    merchant_id: 'merchant-a',
    mode: 'sandbox',
    consumes_cvv: false,
    method: 'POST',
    url: network.origin + path,
    headers: {},
    body: { amount: 100 },
    card_fields: {},
    timeout_ms: 3_000,
    not_after: Number.MAX_SAFE_INTEGER,
    ...changes,
  });

  test('is sent in the same batch as others', async () => {
    const answers = await vault.relay(createRequest('/approve'), createPlain('/approve'));
    expect(answers.map(({ outcome }) => outcome)).toEqual(['answered', 'answered']);
    expect(network.received.map(({ body }) => body.includes(NUMBER)).sort()).toEqual([false, true]);
  });

  test.each(relayMethods)('is sent with the method %s, and without a body', async (method) => {
    const { body: _, ...request } = createPlain('/approve', { method });
    expect(await vault.relay(request)).toMatchObject([{ outcome: 'answered' }]);
    expect(network.received).toMatchObject([{ method, body: '' }]);
    expect(network.received[0]?.headers).not.toHaveProperty('content-type');
  });

  test('whose response has no body is answered, with the headers that it names', async () => {
    const answer_headers = ['Request-Id', 'missing'];
    expect(await vault.relay(createPlain('/empty', { answer_headers }))).toEqual([
      {
        id: 'inquiry-1',
        outcome: 'answered',
        status: 401,
        body: null,
        headers: { 'request-id': 'r-1' },
      },
    ]);
  });

  test.each<[string, Partial<RelayRequest>, string]>([
    [
      'a card field',
      { card_fields: { '/amount': 'pan' } },
      'requests[0].card_pan_token must be set: the request names card data.',
    ],
    [
      'a verification value',
      { card_cvv_token: 'cvv_x' },
      'requests[0].card_pan_token must be set: the request names card data.',
    ],
    [
      'another method',
      { method: 'TRACE' as 'GET' },
      'requests[0].method must be GET, POST, PUT, PATCH, DELETE.',
    ],
  ])('with %s is refused', async (_name, changes, detail) => {
    const answer = await vault.post('/relay', { requests: [createPlain('/approve', changes)] });
    expect([answer.status, errorOf(answer).detail]).toEqual([400, detail]);
    expect(network.received).toHaveLength(0);
  });
});

describe('a batch', () => {
  test('is answered request by request, as each completes', async () => {
    const answers = await vault.relay(
      createRequest('/hang', { id: 'slow', timeout_ms: 300 }),
      createRequest('/approve', { id: 'quick' }),
      createRequest('/approve', { id: 'stranger', merchant_id: 'merchant-b' }),
    );
    expect(answers.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['stranger', 'not_sent'],
      ['quick', 'answered'],
      ['slow', 'lost'],
    ]);
  });

  test('of the largest size with cards of several merchants is answered completely', async () => {
    const cards = await Promise.all(
      ['merchant-a', 'merchant-b', 'merchant-c'].map(async (merchant_id) => ({
        merchant_id,
        ...(await vault.ingest({ merchant_id })),
      })),
    );
    const requests = Array.from({ length: 256 }, (_, index) => {
      const { merchant_id, card_pan_token, card_cvv_token = '' } = cards[index % cards.length]!;
      return createRequest('/approve', {
        id: `r${index}`,
        merchant_id,
        card_pan_token,
        card_cvv_token,
      });
    });
    const answers = await vault.relay(...requests);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(256);
    expect(answers.every(({ outcome }) => outcome === 'answered')).toBe(true);
    expect(network.received.every(({ body }) => body.includes(NUMBER))).toBe(true);
  });

  test.each<[string, () => unknown, string]>([
    ['no requests', () => [], 'requests must be a list of 1 to 256.'],
    [
      'too many',
      () => Array(257).fill(createRequest('/approve')),
      'requests must be a list of 1 to 256.',
    ],
    [
      'an id twice',
      () => [createRequest('/approve'), createRequest('/approve')],
      'requests must each have an id of their own.',
    ],
    [
      'GET',
      () => [{ ...createRequest('/approve'), method: 'GET' }],
      'requests[0].method must be POST.',
    ],
    [
      'a host header',
      () => [createRequest('/approve', { headers: { Host: 'x' } })],
      'requests[0].headers must not set host.',
    ],
    [
      'an unknown card field',
      () => [{ ...createRequest('/approve'), card_fields: { '/a': 'track2' } }],
      `requests[0].card_fields must hold ${cardFields.join(', ')} only.`,
    ],
    [
      'a pointer that is none',
      () => [createRequest('/approve', { card_fields: { card: 'pan' } })],
      'requests[0].card_fields must have JSON pointers of 2 to 256 printable characters.',
    ],
    [
      'no end of its time',
      () => [{ ...createRequest('/approve'), not_after: undefined }],
      'requests[0].not_after must be a whole number from 0 to 9007199254740991.',
    ],
    [
      'no time',
      () => [createRequest('/approve', { timeout_ms: 0 })],
      'requests[0].timeout_ms must be a whole number from 1 to 120000.',
    ],
  ])(
    'with %s is refused completely, and the error names the request',
    async (_name, requests, detail) => {
      const answer = await vault.post('/relay', { requests: requests() });
      expect([answer.status, errorOf(answer).detail]).toEqual([400, detail]);
      expect(network.received).toHaveLength(0);
    },
  );
});

describe('the verification value', () => {
  test.each<[string, Partial<RelayRequest>]>([
    ['/approve', {}],
    ['/decline', {}],
    ['/garbage', {}],
    ['/reset', {}],
    ['/cut', {}],
    ['/hang', { timeout_ms: 100 }],
  ])(
    'is deleted once an authorisation was sent to %s, whatever the response',
    async (path, changes) => {
      expect(await queryCvvRows()).toHaveLength(1);
      await vault.relay(createRequest(path, changes));
      expect(await queryCvvRows()).toHaveLength(0);
    },
  );

  test('is deleted before the network responds', async () => {
    const answer = vault.relay(createRequest('/hang', { timeout_ms: 500 }));
    await expect.poll(() => network.received).toHaveLength(1);
    expect(JSON.parse(network.received[0]!.body).card.cvv).toBe(CVV);
    expect(await queryCvvRows()).toHaveLength(0);
    await answer;
  });

  test.each<[string, () => Partial<RelayRequest>]>([
    ['finds no listener', () => ({ url: `${closedOrigin}/approve` })],
    ['may not be sent there', () => ({ url: 'http://elsewhere.example/' })],
    ['names no card', () => ({ card_pan_token: 'pan_unknown' })],
  ])('is restored for the next attempt if a message %s', async (_name, changes) => {
    expect(await vault.relay(createRequest('/approve', changes()))).toMatchObject([
      { outcome: 'not_sent' },
    ]);
    expect(await queryCvvRows()).toHaveLength(1);
    await vault.relay(createRequest('/approve'));
    expect(JSON.parse(network.received[0]!.body).card.cvv).toBe(CVV);
  });

  test('stops a message that requires it if there is none', async () => {
    await vault.relay(createRequest('/approve', { requires_cvv: true }));
    const [secondAnswer] = await vault.relay(createRequest('/approve', { requires_cvv: true }));
    expect(secondAnswer).toMatchObject({ outcome: 'not_sent', why: 'cvv_missing' });
    expect(network.received).toHaveLength(1);
  });

  test('is sent with one of several concurrent authorisations', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const [singleIds, batchIds] = [ids.slice(0, 2), ids.slice(2)];
    await Promise.all([
      ...singleIds.map((id) => vault.relay(createRequest('/approve', { id }))),
      vault.relay(...batchIds.map((id) => createRequest('/approve', { id }))),
    ]);
    const cards = network.received.map(({ body }) => JSON.parse(body).card);
    expect(cards).toHaveLength(4);
    expect(cards.filter(({ cvv }) => cvv === CVV)).toHaveLength(1);
  });

  test('is omitted from the body once it was used', async () => {
    await vault.relay(createRequest('/approve'));
    await vault.relay(createRequest('/approve', { id: 'attempt-2' }));
    expect(JSON.parse(network.received[1]!.body).card).not.toHaveProperty('cvv');
  });

  test('is kept if the message is no authorisation', async () => {
    await vault.relay(createRequest('/approve', { consumes_cvv: false }));
    expect(await queryCvvRows()).toHaveLength(1);
  });

  test('is not used after its expiry, and is swept', async () => {
    vault.clock.now += CVV_LIFE_MS;
    await vault.relay(createRequest('/approve', { consumes_cvv: false }));
    expect(JSON.parse(network.received[0]!.body).card).not.toHaveProperty('cvv');
    expect(await queryCvvRows()).toHaveLength(1);
    await vault.restart();
    await expect.poll(queryCvvRows).toHaveLength(0);
  });

  test('is deleted even if the caller disconnects before the response', async () => {
    await abandon(vault.config.socketPath, { requests: [createRequest('/approve')] });
    await expect.poll(queryCvvRows).toHaveLength(0);
  });
});

test('a vault that stops finishes active requests first', async () => {
  const answers = vault.relay(createRequest('/hang', { timeout_ms: 300 }));
  const hangingRequests = () => network.received.filter(({ path }) => path === '/hang');
  await expect.poll(hangingRequests).toHaveLength(1);
  await vault.stop();
  expect(await answers).toMatchObject([{ outcome: 'lost', why: 'timeout' }]);
  await vault.restart();
});
