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
  vaultPaths,
} from '@florin/contract/protocol/vault.ts';
import {
  SERVER_CONNECTIONS,
  VAULT_BUSY_STATUS,
} from '@florin/contract/protocol/vault-connections.ts';
import { afterEach, expect, test } from 'vitest';
import { createRequest } from '../../../tests/support/relay-request.ts';
import { createRelay, type Relay, type RelayConfig, VaultUnavailable } from './relay.ts';
import { openVaults, type Vaults } from './vaults.ts';

const openRelays: { server?: Server; vaults: Vaults }[] = [];
afterEach(async () => {
  for (const { server, vaults } of openRelays.splice(0)) {
    await vaults[Symbol.asyncDispose]();
    server?.closeAllConnections();
    server?.close();
  }
});

const createSocketPath = () => join(mkdtempSync(join(tmpdir(), 'florin-relay-')), 's');

async function startRelay(
  vaultListener: RequestListener,
  watch?: RelayConfig['watch'],
): Promise<Relay> {
  const socketPath = createSocketPath();
  const server = createServer(vaultListener).listen(socketPath);
  await once(server, 'listening');
  const vaults = openVaults({ addresses: [{ kind: 'socket', path: socketPath }] });
  openRelays.push({ server, vaults });
  return createRelay({ vaults, ...(watch && { watch }) });
}

async function relayOutcomes(
  relay: Relay,
  ids: readonly string[],
): Promise<Record<string, string>> {
  const answers: RelayAnswer[] = [];
  await relay.relay(ids.map(createRequest), (answer) => answers.push(answer));
  expect(answers).toHaveLength(ids.length);
  return Object.fromEntries(answers.map(({ id, outcome }) => [id, outcome]));
}

const answerLine = (id: string) =>
  `${JSON.stringify({ id, outcome: 'answered', status: 200, body: {} })}\n`;

test('answers are passed on before the stream ends', async () => {
  let finish = () => {};
  const relay = await startRelay((_, response) => {
    response.writeHead(200).write(answerLine('b'));
    finish = () => void response.end(answerLine('a'));
  });
  const answeredIds: string[] = [];
  await relay.relay([createRequest('a'), createRequest('b')], ({ id }) => {
    answeredIds.push(id);
    if (id === 'b') finish();
  });
  expect(answeredIds).toEqual(['b', 'a']);
});

test.each<[string, RequestListener, Record<string, string>]>([
  [
    'disconnects halfway: unanswered requests are lost',
    (_, response) => {
      response.writeHead(200).write(answerLine('a'), () => response.destroy());
    },
    { a: 'answered', b: 'lost' },
  ],
  [
    'ends too early: unanswered requests are lost',
    (_, response) => void response.writeHead(200).end(answerLine('a')),
    { a: 'answered', b: 'lost' },
  ],
  [
    'sends an unreadable line: the remaining answers are lost',
    (_, response) => void response.writeHead(200).end(`${answerLine('b')}oops\n${answerLine('a')}`),
    { a: 'lost', b: 'answered' },
  ],
  [
    'answers twice and answers unknown requests: the first answer counts',
    (_, response) =>
      void response
        .writeHead(200)
        .end(answerLine('a') + answerLine('a') + answerLine('x') + answerLine('b')),
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
])('a vault that %s', async (_, vaultListener, expected) => {
  expect(await relayOutcomes(await startRelay(vaultListener), ['a', 'b'])).toEqual(expected);
});

const notSentLine = (id: string, why: VaultFault) =>
  `${JSON.stringify({ id, outcome: 'not_sent', why })}\n`;

test.each<[string, RequestListener, number]>([
  ['answers', (_, response) => void response.end(answerLine('a') + answerLine('b')), 0],
  [
    'is busy',
    (_, response) =>
      void response.end(notSentLine('a', 'vault_busy') + notSentLine('b', 'vault_busy')),
    0,
  ],
  [
    'cannot send one of two messages',
    (_, response) => void response.end(notSentLine('a', 'vault_unavailable') + answerLine('b')),
    0,
  ],
  ['refuses the batch', (_, response) => void response.writeHead(400).end('{}'), 0],
  ['has too many calls', (_, response) => void response.writeHead(429).end('{}'), 0],
  [
    'can send nothing',
    (_, response) =>
      void response.end(
        notSentLine('a', 'vault_unavailable') + notSentLine('b', 'vault_unavailable'),
      ),
    1,
  ],
  [
    'disconnects halfway',
    (_, response) => void response.writeHead(200).write(answerLine('a'), () => response.destroy()),
    1,
  ],
  ['hangs up', (_, response) => void response.destroy(), 1],
])('a vault that %s is reported to the breaker', async (_, vaultListener, expected) => {
  let failureCount = 0;
  const watch = { recordSuccess() {}, recordLoss: (): void => void failureCount++ };
  await relayOutcomes(await startRelay(vaultListener, watch), ['a', 'b']);
  expect(failureCount).toBe(expected);
});

test('a vault with too many calls has sent nothing, and takes the messages later', async () => {
  const relay = await startRelay(
    (_, response) => void response.writeHead(VAULT_BUSY_STATUS).end('{}'),
  );
  const answers: RelayAnswer[] = [];
  await relay.relay([createRequest('a')], (answer) => answers.push(answer));
  expect(answers).toEqual([{ id: 'a', outcome: 'not_sent', why: 'vault_busy' }]);
});

test('an absent vault has sent nothing', async () => {
  const vaults = openVaults({ addresses: [{ kind: 'socket', path: createSocketPath() }] });
  openRelays.push({ vaults });
  const relay = createRelay({ vaults });
  expect(await relayOutcomes(relay, ['a', 'b'])).toEqual({ a: 'not_sent', b: 'not_sent' });
  await expect(relay.keys()).rejects.toThrow(VaultUnavailable);
});

test('a large batch is split, and no request is answered twice', async () => {
  const batchSizes: number[] = [];
  const relay = await startRelay(async (incoming, response) => {
    const { requests } = (await json(incoming)) as { requests: RelayRequest[] };
    batchSizes.push(requests.length);
    response.writeHead(200).end(requests.map(({ id }) => answerLine(id)).join(''));
  });
  const ids = Array.from({ length: RELAY_BATCH_MAX + 1 }, (_, i) => `r${i}`);
  expect(new Set(Object.values(await relayOutcomes(relay, ids)))).toEqual(new Set(['answered']));
  expect(batchSizes.toSorted((a, b) => a - b)).toEqual([1, RELAY_BATCH_MAX]);
  expect(await relayOutcomes(relay, [])).toEqual({});
});

test('a refusal of the vault is a value, and a failure an error without the sent content', async () => {
  const refusal = { error: 'unknown_token', detail: 'card_pan_token is not known.' };
  const relay = await startRelay((incoming, response) => {
    if (incoming.url === '/describe') response.writeHead(422).end(JSON.stringify(refusal));
    else response.writeHead(500).end('{}');
  });
  const scope = { merchant_id: 'm', mode: 'sandbox' } as const;
  expect(await relay.describe({ ...scope, card_pan_token: 'pan_x' })).toEqual(refusal);
  await expect(relay.keys()).rejects.toThrow(VaultUnavailable);
});

test('messages without a card that hang leave connections to messages with one, and to card forms', async () => {
  let hanging = 0;
  const relay = await startRelay(async (incoming, response) => {
    if (incoming.url !== vaultPaths.relay) return void response.end('[]');
    const { requests } = (await json(incoming)) as { requests: RelayRequest[] };
    if (requests[0]?.card_pan_token) response.end(answerLine('a'));
    else hanging += 1;
  });
  const { card_pan_token: _, ...cardless } = createRequest('refund');
  const count = SERVER_CONNECTIONS.cards + 1;
  for (let sent = 0; sent < count; sent += 1)
    void relay.relay([{ ...cardless, consumes_cvv: false, timeout_ms: 60_000 }], () => {});
  await expect.poll(() => hanging).toBe(count);
  expect(await relayOutcomes(relay, ['a'])).toEqual({ a: 'answered' });
  expect(await relay.keys()).toEqual([]);
});
