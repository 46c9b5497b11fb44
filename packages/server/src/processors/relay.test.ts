import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import {
  RELAY_BATCH_MAX,
  type RelayAnswer,
  type RelayRequest,
  type VaultFault,
} from '@florin/contract/protocol/vault.ts';
import { afterEach, expect, test } from 'vitest';
import { createRelay, type Relay, type RelayConfig, VaultUnavailable } from './relay.ts';

const open: { server?: Server; relay: Relay }[] = [];
afterEach(async () => {
  for (const { server, relay } of open.splice(0)) {
    await relay.close();
    server?.closeAllConnections();
    server?.close();
  }
});

const freshSocket = () => join(mkdtempSync(join(tmpdir(), 'florin-relay-')), 's');

async function relayTo(vault: RequestListener, watch?: RelayConfig['watch']): Promise<Relay> {
  const socketPath = freshSocket();
  const server = createServer(vault).listen(socketPath);
  await once(server, 'listening');
  const relay = createRelay({ socketPath, ...(watch && { watch }) });
  open.push({ server, relay });
  return relay;
}

const request = (id: string): RelayRequest => ({
  id,
  merchant_id: '0190f3c2-7b4e-7abc-8def-0123456789ab',
  mode: 'sandbox',
  card_pan_token: 'pan_test',
  consumes_cvv: true,
  method: 'POST',
  url: 'http://127.0.0.1:1/',
  headers: {},
  body: {},
  card_fields: {},
  timeout_ms: 1_000,
  not_after: Number.MAX_SAFE_INTEGER,
});

async function answersOf(relay: Relay, ids: readonly string[]): Promise<Record<string, string>> {
  const answers: RelayAnswer[] = [];
  await relay.relay(ids.map(request), (answer) => answers.push(answer));
  expect(answers).toHaveLength(ids.length);
  return Object.fromEntries(answers.map(({ id, outcome }) => [id, outcome]));
}

const line = (id: string) =>
  `${JSON.stringify({ id, outcome: 'answered', status: 200, body: {} })}\n`;

test('answers are passed on before the stream ends', async () => {
  let finish = () => {};
  const relay = await relayTo((_, response) => {
    response.writeHead(200).write(line('b'));
    finish = () => void response.end(line('a'));
  });
  const seen: string[] = [];
  await relay.relay([request('a'), request('b')], ({ id }) => {
    seen.push(id);
    if (id === 'b') finish();
  });
  expect(seen).toEqual(['b', 'a']);
});

test.each<[string, RequestListener, Record<string, string>]>([
  [
    'breaks in the middle: what is unanswered is lost',
    (_, response) => {
      response.writeHead(200).write(line('a'), () => response.destroy());
    },
    { a: 'answered', b: 'lost' },
  ],
  [
    'ends too early: what is unanswered is lost',
    (_, response) => void response.writeHead(200).end(line('a')),
    { a: 'answered', b: 'lost' },
  ],
  [
    'talks garbage: the rest is lost',
    (_, response) => void response.writeHead(200).end(`${line('b')}oops\n${line('a')}`),
    { a: 'lost', b: 'answered' },
  ],
  [
    'repeats itself and names strangers: the first answer counts',
    (_, response) =>
      void response.writeHead(200).end(line('a') + line('a') + line('x') + line('b')),
    { a: 'answered', b: 'answered' },
  ],
  ['hangs up: all is lost', (_, response) => void response.destroy(), { a: 'lost', b: 'lost' }],
  [
    'fails: all is lost',
    (_, response) => void response.writeHead(500).end(),
    { a: 'lost', b: 'lost' },
  ],
  [
    'refuses the batch: nothing is sent',
    (_, response) => void response.writeHead(400).end('{}'),
    { a: 'not_sent', b: 'not_sent' },
  ],
])('a vault that %s', async (_, vault, expected) => {
  expect(await answersOf(await relayTo(vault), ['a', 'b'])).toEqual(expected);
});

const unsent = (id: string, why: VaultFault) =>
  `${JSON.stringify({ id, outcome: 'not_sent', why })}\n`;

test.each<[string, RequestListener, number]>([
  ['answers', (_, response) => void response.end(line('a') + line('b')), 0],
  [
    'is busy',
    (_, response) => void response.end(unsent('a', 'vault_busy') + unsent('b', 'vault_busy')),
    0,
  ],
  [
    'cannot send one of two messages',
    (_, response) => void response.end(unsent('a', 'vault_unavailable') + line('b')),
    0,
  ],
  ['refuses the batch', (_, response) => void response.writeHead(400).end('{}'), 0],
  [
    'can send nothing',
    (_, response) =>
      void response.end(unsent('a', 'vault_unavailable') + unsent('b', 'vault_unavailable')),
    1,
  ],
  [
    'breaks in the middle',
    (_, response) => void response.writeHead(200).write(line('a'), () => response.destroy()),
    1,
  ],
  ['hangs up', (_, response) => void response.destroy(), 1],
])('a vault that %s is reported to the breaker', async (_, vault, expected) => {
  let failures = 0;
  const watch = {
    recordSuccess() {},
    recordFailure() {
      failures++;
    },
  };
  await answersOf(await relayTo(vault, watch), ['a', 'b']);
  expect(failures).toBe(expected);
});

test('an absent vault has sent nothing', async () => {
  const relay = createRelay({ socketPath: freshSocket() });
  open.push({ relay });
  expect(await answersOf(relay, ['a', 'b'])).toEqual({ a: 'not_sent', b: 'not_sent' });
  await expect(relay.keys()).rejects.toThrow(VaultUnavailable);
});

test('a large batch is split, and no request is answered twice', async () => {
  const sizes: number[] = [];
  const relay = await relayTo(async (incoming, response) => {
    const { requests } = (await json(incoming)) as { requests: RelayRequest[] };
    sizes.push(requests.length);
    response.writeHead(200).end(requests.map(({ id }) => line(id)).join(''));
  });
  const ids = Array.from({ length: RELAY_BATCH_MAX + 1 }, (_, i) => `r${i}`);
  expect(new Set(Object.values(await answersOf(relay, ids)))).toEqual(new Set(['answered']));
  expect(sizes.toSorted((a, b) => a - b)).toEqual([1, RELAY_BATCH_MAX]);
  expect(await answersOf(relay, [])).toEqual({});
});

test('a refusal of the vault is a value, and a failure an error without the sent content', async () => {
  const refusal = { error: 'unknown_token', detail: 'card_pan_token is not known.' };
  const relay = await relayTo((incoming, response) => {
    if (incoming.url === '/describe') response.writeHead(422).end(JSON.stringify(refusal));
    else response.writeHead(500).end('{}');
  });
  const scope = { merchant_id: 'm', mode: 'sandbox' } as const;
  expect(await relay.describe({ ...scope, card_pan_token: 'pan_x' })).toEqual(refusal);
  await expect(relay.keys()).rejects.toThrow(VaultUnavailable);
});
