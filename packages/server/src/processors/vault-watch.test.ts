import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { createVaultWatch, type VaultWatch } from './vault-watch.ts';

const health = { now: 0, status: 'ok', root_keys: { lacks: [], waits_for: 0, is_due: false } };

/** A socket that answers probes with a status that the test may change. */
async function startSocket(status: number) {
  const socketPath = join(mkdtempSync(join(tmpdir(), 'florin-watch-')), 's');
  const answer = { status };
  const server = createServer((_, response) =>
    response.writeHead(answer.status).end(JSON.stringify(health)),
  );
  await once(server.listen(socketPath), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { socketPath, answer };
}

async function startWatch(socketPath: string) {
  const told: string[] = [];
  const up = { next: Promise.withResolvers<void>() };
  const tell = (line: unknown): void => void told.push(String(line));
  const watch: VaultWatch = await createVaultWatch({
    socketPath,
    clock: systemClock(),
    clocks: { compare: (_, ask) => ask() },
    logger: { error: tell, info: tell },
    onUp: () => up.next.resolve(),
  });
  onTestFinished(() => watch[Symbol.asyncDispose]());
  return { watch, told, up };
}

test('a message that fails opens the breaker at once, and a probe that is answered closes it', async () => {
  const { watch, told, up } = await startWatch((await startSocket(200)).socketPath);
  await up.next.promise;
  expect([watch.isUp(), watch.downSince(), watch.health()]).toEqual([true, undefined, health]);
  up.next = Promise.withResolvers();
  watch.missed();
  watch.missed();
  expect([watch.isUp(), watch.downSince(), watch.health()]).toEqual([
    false,
    expect.any(Number),
    undefined,
  ]);
  await up.next.promise;
  expect([watch.isUp(), watch.downSince()]).toEqual([true, undefined]);
  expect(told).toEqual([
    expect.stringContaining('takes no messages'),
    expect.stringContaining('takes messages again'),
  ]);
});

test('a vault that answers that it cannot work is as one that is not there', async () => {
  const { socketPath, answer } = await startSocket(500);
  const { watch, up } = await startWatch(socketPath);
  expect([watch.isUp(), watch.downSince()]).toEqual([false, expect.any(Number)]);
  answer.status = 200;
  await up.next.promise;
  expect(watch.isUp()).toBe(true);
});
