import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vaultPaths } from '@florin/contract/protocol/vault.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../platform/time/clock.ts';
import { DOWNLOAD_MS } from '../port/reports/download.ts';
import { RELAY_MARGIN_MS } from './relay.ts';
import { openMs } from './reopen-back-off.ts';
import {
  BREAKER_OPEN,
  createVaultWatch,
  type VaultWatch,
  type VaultWatchOptions,
} from './vault-watch.ts';
import { openVaults } from './vaults.ts';

const health = { now: 0, status: 'ok', root_keys: { lacks: [], waits_for: 0, is_due: false } };

/** A socket that answers probes with a status that the test can change. */
async function startSocket(status: number) {
  const socketPath = join(mkdtempSync(join(tmpdir(), 'florin-watch-')), 's');
  const answer = { status, count: 0 };
  const server = createServer((_, response) => {
    answer.count++;
    response.writeHead(answer.status).end(JSON.stringify(health));
  });
  await once(server.listen(socketPath), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { socketPath, answer };
}

async function startWatch(socketPath: string, options: Partial<VaultWatchOptions> = {}) {
  const lines: string[] = [];
  const up = { next: Promise.withResolvers<void>() };
  const log = (line: unknown): void => void lines.push(String(line));
  const vaults = openVaults({ addresses: [{ kind: 'socket', path: socketPath }] });
  onTestFinished(() => vaults[Symbol.asyncDispose]());
  const watch: VaultWatch = await createVaultWatch({
    vaults,
    clock: systemClock(),
    clocks: { compare: (_, ask) => ask() },
    logger: { error: log, info: log },
    onUp: () => up.next.resolve(),
    ...options,
  });
  onTestFinished(() => watch[Symbol.asyncDispose]());
  /** Loses a message at the only vault. */
  async function loseMessage(): Promise<void> {
    const response = await vaults.request({ method: 'GET', path: vaultPaths.health });
    await response.body.dump();
    response.distrust();
    watch.recordLoss();
  }
  return { watch, lines, up, loseMessage };
}

test('a failed message opens the breaker immediately, and an answered probe closes it', async () => {
  const { watch, lines, up, loseMessage } = await startWatch((await startSocket(200)).socketPath);
  await up.next.promise;
  expect([watch.isUp(), watch.downSince(), watch.health()]).toEqual([true, undefined, health]);
  up.next = Promise.withResolvers();
  await loseMessage();
  expect([watch.isUp(), watch.downSince(), watch.health()]).toEqual([
    false,
    expect.any(Number),
    undefined,
  ]);
  await up.next.promise;
  expect([watch.isUp(), watch.downSince()]).toEqual([true, undefined]);
  expect(lines).toEqual([
    expect.stringContaining('accepts no messages'),
    expect.stringContaining('accepts messages again'),
  ]);
});

test('a vault that reports that it cannot work counts as absent', async () => {
  const { socketPath, answer } = await startSocket(500);
  const { watch, up } = await startWatch(socketPath);
  expect([watch.isUp(), watch.downSince()]).toEqual([false, expect.any(Number)]);
  answer.status = 200;
  await up.next.promise;
  expect(watch.isUp()).toBe(true);
});

test('a breaker that opens again immediately stays open for longer', async () => {
  const { socketPath, answer } = await startSocket(200);
  let now_ms = 0;
  const { watch, up, loseMessage } = await startWatch(socketPath, { monotonic_ms: () => now_ms });
  /** Opens the breaker by a failed message. Returns the milliseconds until it closes, in steps of 500. */
  async function measureOpenTime(): Promise<number> {
    up.next = Promise.withResolvers();
    await loseMessage();
    for (const opened_ms = now_ms; ; now_ms += 500) {
      const { count } = answer;
      await vi.waitUntil(() => answer.count > count + 1, { timeout: 15_000 });
      if (watch.isUp()) return now_ms - opened_ms;
    }
  }
  expect([await measureOpenTime(), await measureOpenTime()]).toEqual([0, 500]);
});

test.each([
  ['closed for long', 2_000, 90_000, 0],
  ['closed until the longest message is lost', 2_000, DOWNLOAD_MS + RELAY_MARGIN_MS, 4_000],
  ['closed for a moment', 0, 0, 500],
  ['closed for a moment once more', 500, 0, 1_000],
  ['that opens again and again', 12_000, 0, 15_000],
])('a breaker %s stays open for its minimum time', (_, last_ms, closed_ms, expected) => {
  expect(openMs(BREAKER_OPEN, last_ms, closed_ms)).toBe(expected);
});

test('a system clock that is set back does not delay the closing of the breaker', async () => {
  let hours = 1;
  const clock = { now: () => hours * 3_600_000_000 };
  const { socketPath, answer } = await startSocket(500);
  const { watch, up } = await startWatch(socketPath, { clock });
  hours = 0;
  answer.status = 200;
  await up.next.promise;
  expect(watch.isUp()).toBe(true);
});
