import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONNECTIONS_OF_SERVER } from '@florin/contract/protocol/vault-connections.ts';
import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from './server.ts';
import { unixSocket } from './socket.ts';

/** A server whose calls of `POST /work` wait until the test ends them. */
async function startServer(calls_max?: number) {
  const directory = mkdtempSync(join(tmpdir(), 'vault-server-'));
  const socketPath = join(directory, 's');
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const pools: Pool[] = [];
  let running = 0;
  const routes = {
    'GET /health': async (_, response) => void response.end(),
    'POST /work': async (_, response) => {
      running += 1;
      await ended;
      response.end();
    },
  } satisfies Parameters<typeof serve>[0];
  const options = { log: () => {}, ...(calls_max !== undefined && { calls_max }) };
  const server = await serve(routes, unixSocket(socketPath, 'owner'), options);
  onTestFinished(async () => {
    end();
    await Promise.all(pools.map((pool) => pool.destroy()));
    await server[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true });
  });
  return {
    end,
    countRunning: () => running,
    /** A server process. Calls return the status, or the code of the error. */
    openPool() {
      const pool = new Pool('http://vault', { socketPath, connections: CONNECTIONS_OF_SERVER });
      pools.push(pool);
      return async (method: 'GET' | 'POST', path: string): Promise<number | string | undefined> => {
        try {
          const { statusCode, body } = await pool.request({ method, path });
          await body.dump();
          return statusCode;
        } catch (error) {
          return (error as NodeJS.ErrnoException).code;
        }
      };
    },
  };
}

test('a server process may use all its connections at once', async () => {
  const { end, countRunning, openPool } = await startServer();
  const call = openPool();
  const calls = Array.from({ length: CONNECTIONS_OF_SERVER }, () => call('POST', '/work'));
  await expect.poll(countRunning, { timeout: 20_000 }).toBe(CONNECTIONS_OF_SERVER);
  end();
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
});

test('calls beyond the limit are refused before they begin, and probes are answered', async () => {
  const { end, countRunning, openPool } = await startServer(2);
  const call = openPool();
  const calls = [call('POST', '/work'), call('POST', '/work')];
  await expect.poll(countRunning).toBe(2);
  expect([await call('POST', '/work'), await call('GET', '/health')]).toEqual([429, 200]);
  expect(countRunning()).toBe(2);
  end();
  expect(await Promise.all(calls)).toEqual([200, 200]);
});
