import { emptyDatabase } from '@florin/dev-env/databases.ts';
import { startSilentDatabase } from '@florin/dev-env/silent-database.ts';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { createLogger } from '../logger.ts';
import { startWakeListener } from './wake-listener.ts';

const logger = createLogger('silent');
const loops = ['authorise'];
const schema = 'public';

it('wakes the loops when it listens, since wakes may have been missed', async () => {
  await using empty = await emptyDatabase();
  const woken = new Set<string>();
  const onWake = (loop: string) => void woken.add(loop);
  const createClient = () => new pg.Client(empty.url);
  await using listener = startWakeListener({ createClient, loops, schema, logger, onWake });
  await vi.waitFor(() => expect([...woken]).toEqual(loops));
  expect(listener.isListening()).toBe(true);
});

it('ends while a database that froze after the login does not answer', async () => {
  await using empty = await emptyDatabase();
  await using silent = await startSilentDatabase(empty.url);
  const createClient = () => {
    const client = new pg.Client(silent.url);
    const connect: () => Promise<unknown> = client.connect.bind(client);
    return Object.assign(client, { connect: () => connect().then(silent.silence) });
  };
  const listener = startWakeListener({ createClient, loops, schema, logger, onWake: () => {} });
  await vi.waitFor(() => expect(silent.queriedConnections()).toBe(1));
  await expect(listener[Symbol.asyncDispose]()).resolves.toBeUndefined();
  expect(listener.isListening()).toBe(false);
});

it('leaves no listener of a failed attempt on its signal', async () => {
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener');
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
  const warned = vi.spyOn(logger, 'warn');
  const createClient = () => new pg.Client('postgres://u@127.0.0.1:1/none');
  await using _listener = startWakeListener({
    createClient,
    loops,
    schema,
    logger,
    onWake: () => {},
  });
  await vi.waitFor(() => expect(warned).toHaveBeenCalled());
  const kept = added.mock.calls.map(([, listener]) => listener);
  for (const [, listener] of removed.mock.calls) kept.splice(kept.indexOf(listener), 1);
  // The wait for the next attempt.
  expect(kept).toHaveLength(1);
  vi.restoreAllMocks();
});
