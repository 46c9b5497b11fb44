import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RelayRequest, vaultPaths } from '@florin/contract/protocol/vault.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../platform/time/clock.ts';
import { createRelay } from './relay.ts';
import { createVaultWatch } from './vault-watch.ts';
import { openVaults } from './vaults.ts';

const HEALTH = { now: 0, status: 'ok', root_keys: { lacks: [], waits_for: 0, is_due: false } };

/** A vault that counts its messages, and whose answers the test can change. */
async function startVault() {
  const path = join(mkdtempSync(join(tmpdir(), 'florin-vaults-')), 's');
  const vault = { path, isHealthy: true, losesMessages: false, messages: 0 };
  const server = createServer((request, response) => {
    if (request.url === vaultPaths.health)
      response.writeHead(vault.isHealthy ? 200 : 500).end(JSON.stringify(HEALTH));
    else answerMessage(response);
  });
  function answerMessage(response: ServerResponse): void {
    vault.messages += 1;
    if (vault.losesMessages) response.destroy();
    else
      response.end(`${JSON.stringify({ id: 'a', outcome: 'answered', status: 200, body: {} })}\n`);
  }
  await once(server.listen(path), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return vault;
}

const REQUEST: RelayRequest = {
  id: 'a',
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
};

/** A server with two vaults, both of which answered a probe. */
async function startServer() {
  const [first, second] = [await startVault(), await startVault()];
  const lines: unknown[][] = [];
  const log = (...line: unknown[]): void => void lines.push(line);
  const logger = { error: log, info: log };
  const addresses = [first, second].map(({ path }) => ({ kind: 'socket' as const, path }));
  const vaults = openVaults({ addresses }, { logger });
  const watch = await createVaultWatch({
    vaults,
    clock: systemClock(),
    clocks: { compare: (_, ask) => ask() },
    logger,
    onUp() {},
  });
  onTestFinished(async () => {
    await watch[Symbol.asyncDispose]();
    await vaults[Symbol.asyncDispose]();
  });
  await vi.waitUntil(() => vaults.reports().every(({ health }) => health));
  const relay = createRelay({ vaults, watch });
  return {
    vaults: [first, second] as const,
    watch,
    lines,
    async send(): Promise<string | undefined> {
      let outcome: string | undefined;
      await relay.relay([REQUEST], (answer) => {
        outcome = answer.outcome;
      });
      return outcome;
    },
  };
}

test('a vault that loses a message hands over to the other one, and the breaker stays closed', async () => {
  const { vaults, watch, lines, send } = await startServer();
  const [first, second] = vaults;
  Object.assign(first, { isHealthy: false, losesMessages: true });
  expect(await send()).toBe('lost');
  expect(watch.isUp()).toBe(true);
  expect([await send(), await send()]).toEqual(['answered', 'answered']);
  expect([first.messages, second.messages]).toEqual([1, 2]);
  Object.assign(first, { isHealthy: true, losesMessages: false });
  await vi.waitUntil(() => lines.length === 2, { timeout: 10_000 });
  expect(await send()).toBe('answered');
  expect(first.messages).toBe(2);
  const vault = `unix:${first.path}`;
  expect(lines).toEqual([
    [{ vault }, 'this vault does not answer: the others get its messages'],
    [{ vault }, 'this vault answers again'],
  ]);
});

test('the breaker opens when each vault has lost a message', async () => {
  const { vaults, watch, send } = await startServer();
  for (const vault of vaults) Object.assign(vault, { isHealthy: false, losesMessages: true });
  expect([await send(), watch.isUp()]).toEqual(['lost', true]);
  expect([await send(), watch.isUp()]).toEqual(['lost', false]);
});
