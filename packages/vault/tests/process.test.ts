import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createVault } from '../src/app.ts';
import { configFromEnv } from '../src/config/env.ts';
import { StartupError } from '../src/kernel/errors.ts';
import { createTestDatabase, type TestDatabase } from './support/postgres.ts';
import { call, compileCache } from './support/vault.ts';

const MAIN = new URL('../src/main.ts', import.meta.url);

let database: TestDatabase;
let home: string;
beforeAll(async () => {
  database = await createTestDatabase();
  home = mkdtempSync(join(tmpdir(), 'vault-'));
});
afterAll(async () => {
  await database?.drop();
  rmSync(home, { recursive: true });
});

const socketPath = () => join(home, 'vault.sock');

const variables = () => ({
  VAULT_SOCKET: socketPath(),
  VAULT_DATABASE_URL: database.url,
  VAULT_DATA: home,
  VAULT_EGRESS: 'http://127.0.0.1:1',
});

function start(
  env: Record<string, string> = {},
  output: 'ignore' | number = 'ignore',
): ChildProcess {
  return fork(MAIN, {
    stdio: ['ignore', output, output, 'ipc'],
    env: { ...variables(), ...compileCache, ...env },
  });
}

const firstMessage = async (child: ChildProcess): Promise<unknown> =>
  (await once(child, 'message'))[0];
const endOf = async (child: ChildProcess): Promise<unknown[]> => once(child, 'exit');
const health = () => call(socketPath(), 'GET', '/health');

test('two vaults with the same first start both start, with one root key', async () => {
  const sockets = ['one', 'two'].map((name) => join(home, `${name}.sock`));
  const children = sockets.map((path) => start({ VAULT_SOCKET: path }));
  expect(await Promise.all(children.map(firstMessage))).toEqual([
    { type: 'ready' },
    { type: 'ready' },
  ]);
  const keys = await Promise.all(sockets.map((path) => call(path, 'GET', '/keys')));
  expect(JSON.parse(keys[0]!.text)).toHaveLength(2);
  expect(keys[1]!.text).toBe(keys[0]!.text);
  const ended = children.map(endOf);
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(ended);
});

test.each<[string, (child: ChildProcess) => void, unknown[]]>([
  ['stops in peace on SIGTERM', (child) => child.kill('SIGTERM'), [0, null]],
  ['stops when its parent’s channel closes', (child) => child.disconnect(), [0, null]],
])('the process says that it is ready, and %s', async (_name, end, expected) => {
  const child = start();
  expect(await firstMessage(child)).toEqual({ type: 'ready' });
  expect(JSON.parse((await health()).text)).toMatchObject({ status: 'ok' });
  const ended = endOf(child);
  end(child);
  expect(await ended).toEqual(expected);
  await expect(health()).rejects.toThrow();
});

test('the process starts again over the socket of a killed one', async () => {
  const first = start();
  await firstMessage(first);
  const killed = endOf(first);
  first.kill('SIGKILL');
  await killed;
  const second = start();
  expect(await firstMessage(second)).toEqual({ type: 'ready' });
  const ended = endOf(second);
  second.kill('SIGTERM');
  await ended;
});

test.each<[string, Record<string, string>, RegExp]>([
  ['no socket path', { VAULT_SOCKET: '' }, /^VAULT_SOCKET is not set\.$/],
  [
    'a database that is not there',
    { VAULT_DATABASE_URL: 'postgresql://u:secret@127.0.0.1:1/x' },
    /^The vault cannot reach its database \(ECONNREFUSED\)/,
  ],
])('with %s the process fails in one plain sentence', async (_name, env, message) => {
  const child = start(env);
  const ended = endOf(child);
  expect(await firstMessage(child)).toEqual({
    type: 'failed',
    message: expect.stringMatching(message),
  });
  expect(await ended).toEqual([1, null]);
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    'a socket path that is too long',
    { VAULT_SOCKET: `/tmp/${'x'.repeat(120)}` },
    /^VAULT_SOCKET is longer than 103 bytes/,
  ],
  [
    'an egress list of no origins',
    { VAULT_EGRESS: 'http://ok.example, nowhere/x' },
    /"nowhere\/x" is not one\.$/,
  ],
  ['an unknown log level', { VAULT_LOG_LEVEL: 'loud' }, /^VAULT_LOG_LEVEL must be one of/],
])('with %s the start fails in one plain sentence', async (_name, env, message) => {
  const starting = async () => createVault(configFromEnv({ ...variables(), ...env }));
  const failure = await starting().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartupError);
  expect(failure).toMatchObject({ message: expect.stringMatching(message) });
});

test('a second vault on the same socket fails, and the first keeps serving', async () => {
  const first = start();
  await firstMessage(first);
  expect(await firstMessage(start())).toMatchObject({
    message: expect.stringMatching(/^Another vault is serving/),
  });
  expect((await health()).status).toBe(200);
  const ended = endOf(first);
  first.kill('SIGTERM');
  await ended;
});

test('serves and stops normally while its output goes to a full disk', async () => {
  const child = start({ VAULT_LOG_LEVEL: 'info' }, openSync('/dev/full', 'w'));
  const ended = endOf(child);
  expect(await Promise.race([firstMessage(child), ended])).toEqual({ type: 'ready' });
  expect((await health()).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
