import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
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
let tempDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  tempDir = mkdtempSync(join(tmpdir(), 'vault-'));
});
afterAll(async () => {
  await database?.drop();
  rmSync(tempDir, { recursive: true });
});

const socketPath = () => join(tempDir, 'vault.sock');

const createEnvironment = () => ({
  VAULT_SOCKET: socketPath(),
  VAULT_DATABASE_URL: database.url,
  VAULT_DATA: tempDir,
  VAULT_EGRESS: 'http://127.0.0.1:1',
});

function startProcess(
  env: Record<string, string> = {},
  output: 'ignore' | number = 'ignore',
): ChildProcess {
  return fork(MAIN, {
    stdio: ['ignore', output, output, 'ipc'],
    env: { ...createEnvironment(), ...compileCache, ...env },
  });
}

const readFirstMessage = async (child: ChildProcess): Promise<unknown> =>
  (await once(child, 'message'))[0];
const exitOf = async (child: ChildProcess): Promise<unknown[]> => once(child, 'exit');
const fetchHealth = (socket: string) => call(socket, 'GET', '/health');

test('two vaults start with one root key, one socket has one vault, and a killed vault starts again', async () => {
  const sockets = ['one', 'two'].map((name) => join(tempDir, `${name}.sock`)) as [string, string];
  const [firstVault, secondVault] = sockets.map((path) => startProcess({ VAULT_SOCKET: path })) as [
    ChildProcess,
    ChildProcess,
  ];
  const messages = await Promise.all([firstVault, secondVault].map(readFirstMessage));
  expect(messages).toEqual([{ type: 'ready' }, { type: 'ready' }]);
  const keys = await Promise.all(sockets.map((path) => call(path, 'GET', '/keys')));
  expect(JSON.parse(keys[0]!.text)).toHaveLength(2);
  expect(keys[1]!.text).toBe(keys[0]!.text);

  const refusedVault = startProcess({ VAULT_SOCKET: sockets[0] });
  const refusedExit = exitOf(refusedVault);
  expect(await readFirstMessage(refusedVault)).toEqual({
    type: 'failed',
    message: expect.stringMatching(/^Another vault uses /),
  });
  expect(await refusedExit).toEqual([1, null]);
  expect(JSON.parse((await fetchHealth(sockets[0])).text)).toMatchObject({ status: 'ok' });

  const firstExit = exitOf(firstVault);
  firstVault.kill('SIGKILL');
  await firstExit;
  const restartedVault = startProcess(
    { VAULT_SOCKET: sockets[0], VAULT_LOG_LEVEL: 'info' },
    openSync('/dev/full', 'w'),
  );
  const restartedExit = exitOf(restartedVault);
  // The output goes to a full disk, which must not end the vault.
  expect(await Promise.race([readFirstMessage(restartedVault), restartedExit])).toEqual({
    type: 'ready',
  });
  expect((await fetchHealth(sockets[0])).status).toBe(200);
  restartedVault.kill('SIGTERM');
  expect(await restartedExit).toEqual([0, null]);
  await expect(fetchHealth(sockets[0])).rejects.toThrow();

  const secondExit = exitOf(secondVault);
  secondVault.disconnect();
  expect(await secondExit).toEqual([0, null]);
});

test('a root key that others may read prevents a start in production, and is a warning in development', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vault-'));
  const path = join(dataDir, 'root.key');
  writeFileSync(path, randomBytes(32), { mode: 0o644 });
  const lines: string[] = [];
  const start = (FLORIN_ENV: string) =>
    createVault(configFromEnv({ ...createEnvironment(), VAULT_DATA: dataDir, FLORIN_ENV }), {
      log_destination: { write: (line) => void lines.push(line) },
    });
  await expect(start('production')).rejects.toThrow(
    `Every user may use the key file ${path}. Run as root: chown ${process.getuid?.()} ${path} && chmod 600 ${path}.`,
  );
  // The database has another root key, so this start fails later.
  await expect(start('development')).rejects.toThrow('is not the key of the stored cards');
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ level: 40, event: 'key_file_exposed' }),
  );
  rmSync(dataDir, { recursive: true });
});

test.each(['VAULT_PKCS11_PIN_FILE', 'VAULT_APPLE_PAY_KEY_FILE', 'VAULT_GOOGLE_PAY_KEY_FILE'])(
  'the file of %s that every user may read prevents a start in production',
  (name) => {
    const path = join(tempDir, name);
    writeFileSync(path, 'secret', { mode: 0o604 });
    const start = (FLORIN_ENV: string) =>
      configFromEnv({ ...createEnvironment(), FLORIN_ENV, [name]: path });
    expect(() => start('production')).toThrow(
      `Every user may use the file of ${name}. Run as root: chmod o= ${path}.`,
    );
    expect(() => start('development')).not.toThrow();
    chmodSync(path, 0o440);
    expect(() => start('production')).not.toThrow();
  },
);

test.each<[string, Record<string, string>, RegExp]>([
  [
    'no database',
    { VAULT_DATABASE_URL: 'postgresql://u:secret@127.0.0.1:1/x' },
    /^The vault cannot reach its database \(ECONNREFUSED\)/,
  ],
  ['no socket path', { VAULT_SOCKET: '' }, /^VAULT_SOCKET is not set\.$/],
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
  [
    'no connections',
    { VAULT_CONNECTIONS_MAX: '0' },
    /^VAULT_CONNECTIONS_MAX must be a whole number from 1 to 65000\.$/,
  ],
  ['an unknown log level', { VAULT_LOG_LEVEL: 'loud' }, /^VAULT_LOG_LEVEL must be one of/],
])('with %s the start fails in one plain sentence', async (_name, env, message) => {
  const startVault = async () => createVault(configFromEnv({ ...createEnvironment(), ...env }));
  const failure = await startVault().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartupError);
  expect(failure).toMatchObject({ message: expect.stringMatching(message) });
});
