import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { pruneAttempts } from '../../src/features/webhooks/attempts.ts';
import { makeWebhookSecret } from '../../src/features/webhooks/signing/sign.ts';
import { startDeliverLoop } from '../../src/features/webhooks/workers/deliver.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { useDatabase } from '../support/database.ts';
import { type Reply, startReceiver } from './receiver.ts';
import { makeTestbed, type Testbed } from './testbed.ts';
import { waitForDeliveries } from './wait.ts';

const database = useDatabase();

const ONE_ATTEMPT = { attempts_count: '1' };
const readAttempts = (testbed: Testbed): Promise<Row[]> =>
  testbed.db.query('select * from webhook_delivery_attempts order by number', []);

interface AttemptedDelivery {
  readonly delivery: Row;
  readonly attempt: Row;
}

/** Delivers once to each URL. Returns the rows of the deliveries and attempts. */
async function deliverOnceTo(
  urls: readonly string[],
  timeout_ms: number,
): Promise<AttemptedDelivery[]> {
  await using testbed = await makeTestbed(database.url);
  const ids: string[] = [];
  for (const url of urls) ids.push((await testbed.subscribe({ url })).id);
  await testbed.emit();
  await using _loop = startDeliverLoop(testbed.services, { timeout_ms });
  const deliveries = await waitForDeliveries(testbed, ONE_ATTEMPT);
  const attempts = await readAttempts(testbed);
  return ids.map((id) => {
    const delivery = deliveries.find((row) => row.webhook_subscription_id === id) as Row;
    const attempt = attempts.find((row) => row.webhook_delivery_id === delivery.id) as Row;
    return { delivery, attempt };
  });
}

/** Delivers once to a receiver with this response. */
async function deliverToReceiver(reply: Reply): Promise<AttemptedDelivery> {
  await using receiver = await startReceiver({ '/hook': reply });
  const [attemptedDelivery] = await deliverOnceTo([`${receiver.origin}/hook`], 10_000);
  return attemptedDelivery as AttemptedDelivery;
}

describe('an attempt', () => {
  it('is stored with the status, the headers and the beginning of the body', async () => {
    const { delivery, attempt } = await deliverToReceiver((_nth, response) => {
      const headers = { 'X-Request-Id': 'abc', 'Set-Cookie': ['s=secret', 't=u'] };
      response.writeHead(200, headers).end('thank you, Zoë');
      return undefined;
    });
    expect(attempt).toMatchObject({
      webhook_delivery_id: delivery.id,
      number: '1',
      response_status: '200',
      response_body: 'thank you, Zoë',
      error: null,
      duration_ms: '0',
    });
    const headers = JSON.parse(attempt.response_headers as string);
    expect(headers).toMatchObject({ 'x-request-id': 'abc', 'set-cookie': '[not kept]' });
    expect(attempt.response_headers).not.toContain('secret');
  });

  it('stores the first kilobyte as complete characters, without NUL or card numbers', async () => {
    const card = '4111111111111111';
    const text = `\0${card} ${'€'.repeat(1_000)}`;
    const { attempt } = await deliverToReceiver((_nth, response) => {
      response.writeHead(500, { 'x-card': card }).end(text);
      return undefined;
    });
    const body = attempt.response_body as string;
    expect(body).toMatch(/€$/);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_024);
    expect(Buffer.byteLength(body)).toBeGreaterThan(1_000);
    expect(`${body}${attempt.response_headers}`).not.toContain(card);
  });

  it('stores headers up to four kilobytes', async () => {
    const manyHeaders = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`x-${at}`, 'v'.repeat(300)]),
    );
    const { attempt } = await deliverToReceiver(
      (_nth, response) => void response.writeHead(200, manyHeaders).end(),
    );
    const length = Buffer.byteLength(attempt.response_headers as string);
    expect(length).toBeLessThanOrEqual(4_096 + 200);
    expect(length).toBeGreaterThan(3_500);
  });

  it('is numbered within its delivery, and pruned after thirty days', async () => {
    await using testbed = await makeTestbed(database.url);
    await using receiver = await startReceiver({ '/hook': (nth) => (nth === 0 ? 500 : 200) });
    await testbed.subscribe({ url: `${receiver.origin}/hook` });
    await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    await waitForDeliveries(testbed, ONE_ATTEMPT);
    testbed.clock.advance(10);
    await waitForDeliveries(testbed, {
      status: 'delivered',
      attempts_count: '2',
      fails_count: '1',
    });
    const storedAttempts = (await readAttempts(testbed)).map((row) => [
      row.number,
      row.response_status,
    ]);
    expect(storedAttempts).toEqual([
      ['1', '500'],
      ['2', '200'],
    ]);
    testbed.clock.advance(30 * 86_400 - 5);
    expect(await pruneAttempts(testbed.db, testbed.clock.now(), 10)).toBe(1);
    expect((await readAttempts(testbed)).map((row) => row.number)).toEqual(['2']);
  });
});

describe('a receiver with a retry-after', () => {
  it('gets no retry before that time', async () => {
    const { delivery } = await deliverToReceiver((_nth, response) => {
      response.writeHead(429, { 'retry-after': '90' }).end();
      return undefined;
    });
    const waitMs =
      Date.parse(delivery.due_at as string) - Date.parse(delivery.first_try_at as string);
    expect(waitMs).toBe(90_000);
  });
});

describe('while a secret is rotated', () => {
  /** Delivers an event to a receiver that knows one secret and checks one scheme. */
  const deliverDuringRotation = async (
    scheme: 'edge' | 'standard',
    knownSecret: 'old' | 'new',
    refusal: number,
  ) => {
    await using testbed = await makeTestbed(database.url);
    const previousSecret = makeWebhookSecret();
    let receiverSecret = '';
    const isSigned = (headers: Record<string, string>, body: string): boolean => {
      if (scheme === 'standard') {
        try {
          return new Webhook(receiverSecret).verify(body, headers) !== undefined;
        } catch {
          return false;
        }
      }
      const [, t, v3] = /^t=(\d+),v3=([0-9a-f]{64})$/.exec(headers['edge-signature'] ?? '') ?? [];
      return v3 === createHmac('sha256', receiverSecret).update(`${t}.${body}`).digest('hex');
    };
    await using receiver = await startReceiver({
      '/hook': () => {
        const { headers, body } = receiver.requests.at(-1) ?? { headers: {}, body: '' };
        return isSigned(headers as Record<string, string>, body) ? 200 : refusal;
      },
    });
    const subscription = await testbed.subscribe({ url: `${receiver.origin}/hook` });
    receiverSecret = knownSecret === 'new' ? subscription.secret_key : previousSecret;
    const expires_at = new Date(testbed.clock.now() / 1_000 + 3_600_000).toISOString();
    await testbed.db.query(
      `update webhook_subscriptions set previous_secret_key = $1, previous_secret_expires_at = $2`,
      [previousSecret, expires_at],
    );
    await testbed.emit();
    await using _loop = startDeliverLoop(testbed.services);
    const [row] = await waitForDeliveries(testbed, ONE_ATTEMPT);
    return {
      status: row.status,
      requests: receiver.requests.length,
      attempts: (await readAttempts(testbed)).length,
    };
  };

  it.each<['edge' | 'standard', 'old' | 'new', number, number]>([
    ['edge', 'old', 401, 1],
    ['edge', 'new', 400, 2],
    ['edge', 'new', 401, 2],
    ['edge', 'new', 403, 2],
    ['standard', 'old', 401, 1],
    ['standard', 'new', 401, 1],
  ])(
    'a receiver that checks %s with the %s secret, or answers %i, accepts it in one attempt',
    async (scheme, knownSecret, refusal, requests) => {
      expect(await deliverDuringRotation(scheme, knownSecret, refusal)).toEqual({
        status: 'delivered',
        requests,
        attempts: 1,
      });
    },
  );
});

/** A server that controls the connection once it has read a request. */
async function startRawServer(
  respond: (socket: Socket) => void,
): Promise<AsyncDisposable & { url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => respond(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Writes for as long as the client reads. */
const writeEndlessly = (socket: Socket, chunk: string): void => {
  const writeNext = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', writeNext);
  writeNext();
};

const HEAD = 'HTTP/1.1 200 OK\r\n';
const sendSlowly = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
};

const misbehaviours: readonly [
  name: string,
  respond: (socket: Socket) => void,
  expected: object,
][] = [
  ['no answer', () => {}, { error: 'timeout' }],
  ['headers without end', (socket) => sendSlowly(socket, 'x: y\r\n'), { error: 'invalid_answer' }],
  [
    'a head that trickles',
    (socket) => {
      socket.write(HEAD);
      sendSlowly(socket, 'a');
    },
    { error: 'timeout' },
  ],
  [
    'a bomb of headers',
    (socket) => {
      socket.write(HEAD);
      writeEndlessly(socket, `x: ${'y'.repeat(8_000)}\r\n`);
    },
    { error: 'headers_too_large' },
  ],
  [
    'a gigabyte',
    (socket) => {
      socket.write(`${HEAD}content-length: 1000000000\r\n\r\n`);
      writeEndlessly(socket, 'x'.repeat(65_536));
    },
    { response_status: '200', response_body: 'x'.repeat(1_024) },
  ],
  [
    'chunks without end',
    (socket) => {
      socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
      writeEndlessly(socket, '4\r\nabcd\r\n'.repeat(5_000));
    },
    { response_status: '200', response_body: 'abcd'.repeat(256) },
  ],
  [
    'a body that hangs',
    (socket) => socket.write(`${HEAD}content-length: 10\r\n\r\nabc`),
    { response_status: '200', response_body: 'abc' },
  ],
  [
    'a body that trickles',
    (socket) => {
      socket.write(`${HEAD}content-length: 100000\r\n\r\n`);
      sendSlowly(socket, 'a');
    },
    { response_status: '200', response_body: expect.stringMatching(/^a+$/) },
  ],
  [
    'a body that breaks off',
    (socket) => socket.end(`${HEAD}content-length: 10\r\n\r\nabc`),
    { response_status: '200', response_body: 'abc' },
  ],
  ['a hang-up', (socket) => socket.destroy(), { error: 'connection_closed' }],
  ['a reset', (socket) => socket.resetAndDestroy(), { error: 'connection_failed: ECONNRESET' }],
  ['garbage', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), { error: 'invalid_answer' }],
  [
    'another protocol',
    (socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    { error: expect.any(String) },
  ],
  [
    'an invalid length',
    (socket) => socket.end(`${HEAD}content-length: -5\r\n\r\n`),
    { error: 'invalid_answer' },
  ],
  [
    'bytes that are no text',
    (socket) =>
      socket.end(
        Buffer.concat([
          Buffer.from(`${HEAD}content-length: 4\r\n\r\n`),
          Buffer.from([0xff, 0, 0xc3, 0x28]),
        ]),
      ),
    { response_body: '��(' },
  ],
  [
    'an early hint before the answer',
    (socket) =>
      socket.end('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
    { response_status: '204', response_body: null },
  ],
];

describe('the attempt at a misbehaving receiver is recorded:', () => {
  const attemptsByName = new Map<string, Row>();
  beforeAll(async () => {
    await using servers = new AsyncDisposableStack();
    const urls: string[] = [];
    for (const [, respond] of misbehaviours)
      urls.push(servers.use(await startRawServer(respond)).url);
    const attempts = await deliverOnceTo(urls, 1_500);
    for (const [at, { attempt }] of attempts.entries()) {
      attemptsByName.set(misbehaviours[at]?.[0] as string, attempt);
    }
  });

  it.each(misbehaviours)('%s', (name, _answer, expected) => {
    expect(attemptsByName.get(name)).toMatchObject(expected);
  });
});

it('the response decides the state of the delivery, by the table of statuses', async () => {
  const outcomes: readonly (readonly [status: number, deliveryStatus: string])[] = [
    [200, 'delivered'],
    [202, 'delivered'],
    [204, 'delivered'],
    [205, 'pending'],
    [226, 'pending'],
    [300, 'pending'],
    [301, 'pending'],
    [304, 'pending'],
    [308, 'pending'],
    [400, 'stopped'],
    [401, 'stopped'],
    [402, 'pending'],
    [403, 'stopped'],
    [404, 'stopped'],
    [405, 'stopped'],
    [406, 'pending'],
    [408, 'pending'],
    [410, 'pending'],
    [418, 'pending'],
    [425, 'pending'],
    [429, 'pending'],
    [500, 'pending'],
    [501, 'pending'],
    [503, 'pending'],
    [599, 'pending'],
  ];
  const replies = outcomes.map(([status]): [string, Reply] => [`/${status}`, () => status]);
  await using receiver = await startReceiver(Object.fromEntries(replies));
  const urls = outcomes.map(([status]) => `${receiver.origin}/${status}`);
  const attempts = await deliverOnceTo(urls, 10_000);
  const statuses = attempts.map(({ delivery, attempt }) => [
    Number(attempt.response_status),
    delivery.status,
  ]);
  expect(statuses).toEqual(outcomes);
});
