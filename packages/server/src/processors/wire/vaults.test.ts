import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vaultPaths } from '@florin/contract/protocol/vault.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRequest } from '../../../tests/support/relay-request.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { createRelay, RELAY_MARGIN_MS } from './relay.ts';
import { createVaultWatch } from './vault-watch.ts';
import { openVaults, type VaultReport } from './vaults.ts';

const HEALTH = { now: 0, status: 'ok', root_keys: { lacks: [], waits_for: 0, is_due: false } };

const ANSWERS = {
  answers: { outcome: 'answered', status: 200, body: {} },
  'has no database': { outcome: 'not_sent', why: 'vault_unavailable' },
};

interface TestVault {
  readonly path: string;
  onMessage: keyof typeof ANSWERS | 'loses' | 'hangs';
  messages: number;
  hangsProbes: boolean;
  probes: number;
}

/** A vault that counts its messages, and whose answers the test can change. */
async function startVault() {
  const path = join(mkdtempSync(join(tmpdir(), 'florin-vaults-')), 's');
  const vault: TestVault = {
    path,
    onMessage: 'answers',
    messages: 0,
    hangsProbes: false,
    probes: 0,
  };
  const server = createServer((request, response) => {
    if (request.url === vaultPaths.health) answerProbe(response);
    else answerMessage(response);
  });
  function answerProbe(response: ServerResponse): void {
    vault.probes += 1;
    if (!vault.hangsProbes) response.end(JSON.stringify(HEALTH));
  }
  function answerMessage(response: ServerResponse): void {
    vault.messages += 1;
    if (vault.onMessage === 'loses') response.destroy();
    else if (vault.onMessage !== 'hangs')
      response.end(`${JSON.stringify({ id: 'a', ...ANSWERS[vault.onMessage] })}\n`);
  }
  await once(server.listen(path), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return vault;
}

const REQUEST = createRequest('a');

/** A server with two vaults, both of which answered a probe. Later probes are the test's own, by `probe`. */
async function startServer() {
  const [first, second] = [await startVault(), await startVault()];
  const lines: unknown[][] = [];
  const log = (...line: unknown[]): void => void lines.push(line);
  const logger = { error: log, info: log };
  const addresses = [first, second].map(({ path }) => ({ kind: 'socket' as const, path }));
  const clock = { now_ms: 0 };
  const vaults = openVaults({ addresses }, { logger, monotonic_ms: () => clock.now_ms });
  let isProbed = false;
  const watch = await createVaultWatch({
    vaults,
    clock: systemClock(),
    clocks: { compare: (_, ask) => (isProbed ? new Promise(() => {}) : ask()) },
    logger,
    onUp() {},
  });
  async function stop(): Promise<void> {
    await watch[Symbol.asyncDispose]();
    await vaults[Symbol.asyncDispose]();
  }
  onTestFinished(stop);
  isProbed = true;
  await vi.waitUntil(() => vaults.reports().every(({ health }) => health));
  const relay = createRelay({ vaults, watch });
  return {
    vaults: [first, second] as const,
    watch,
    lines,
    clock,
    stop,
    /** Asks both vaults for their health, until both have answered. */
    async probe(): Promise<void> {
      const before = vaults.reports();
      const isNew = ({ health }: VaultReport, at: number): boolean => health !== before[at]?.health;
      await vaults.probe();
      await vi.waitUntil(() => vaults.reports().every(isNew), { interval: 1 });
    },
    async send(timeout_ms = 1_000): Promise<string | undefined> {
      let outcome: string | undefined;
      await relay.relay([{ ...REQUEST, timeout_ms }], (answer) => {
        outcome = answer.outcome;
      });
      return outcome;
    },
    /** Begins a probe that no vault needs to answer. */
    beginProbe: (): void => void vaults.probe().catch(() => {}),
  };
}

const HANDED_OVER = 'this vault does not answer: the others get its messages';
const USED_AGAIN = 'this vault answers again';

test.each([
  ['loses a message', 'loses', 'lost'],
  ['has no database', 'has no database', 'not_sent'],
] as const)(
  'a vault that %s hands over to the other one, and the breaker stays closed',
  async (_, onMessage, outcome) => {
    const { vaults, watch, lines, send, probe } = await startServer();
    const [first, second] = vaults;
    first.onMessage = onMessage;
    expect(await send()).toBe(outcome);
    expect(watch.isUp()).toBe(true);
    expect([await send(), await send()]).toEqual(['answered', 'answered']);
    expect([first.messages, second.messages]).toEqual([1, 2]);
    first.onMessage = 'answers';
    await probe();
    expect(await send()).toBe('answered');
    expect(first.messages).toBe(2);
    const vault = `unix:${first.path}`;
    expect(lines).toEqual([
      [{ vault }, HANDED_OVER],
      [{ vault }, USED_AGAIN],
    ]);
  },
);

test.each([
  ['has lost a message', 'loses', 'lost'],
  ['has no database', 'has no database', 'not_sent'],
] as const)('the breaker opens when each vault %s', async (_, onMessage, outcome) => {
  const { vaults, watch, send } = await startServer();
  for (const vault of vaults) vault.onMessage = onMessage;
  expect([await send(), watch.isUp()]).toEqual([outcome, true]);
  expect([await send(), watch.isUp()]).toEqual([outcome, false]);
});

test('a vault that answers probes, but hangs, is asked last for longer each time', async () => {
  const { vaults, lines, clock, send, probe } = await startServer();
  vaults[0].onMessage = 'hangs';
  /** Loses a message 20 s after the vault was used again. Returns the milliseconds until it is used again. */
  async function measureRest(): Promise<number> {
    clock.now_ms += 20_000;
    expect(await send(100 - RELAY_MARGIN_MS)).toBe('lost');
    expect(await send()).toBe('answered');
    for (const lost_ms = clock.now_ms; ; clock.now_ms += 15_000) {
      await probe();
      if (lines.at(-1)?.[1] === USED_AGAIN) return clock.now_ms - lost_ms;
    }
  }
  const seconds: number[] = [];
  for (let loss = 0; loss < 5; loss += 1) seconds.push((await measureRest()) / 1_000);
  expect(seconds).toEqual([0, 15, 30, 60, 120]);
});

test('a stop with a message and a probe in flight reports no vault', async () => {
  const { vaults, lines, send, beginProbe, stop } = await startServer();
  const [first] = vaults;
  Object.assign(first, { onMessage: 'hangs', hangsProbes: true });
  const sent = send();
  const { probes } = first;
  beginProbe();
  await vi.waitUntil(() => first.messages === 1 && first.probes > probes);
  await stop();
  expect(await sent).toBe('lost');
  expect(lines).toEqual([]);
});
