import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startServer } from '@florin/dev-env/parts.ts';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { findLostKey } from '../../src/features/webhooks/signing/lost-key.ts';
import { ownSecretsKeys } from '../../src/features/webhooks/signing/own-keys.ts';
import { createSealer } from '../../src/platform/crypto/sealer.ts';
import { useOwnStack } from '../support/api.ts';
import { makeHook } from '../support/hooks.ts';
import { eventually } from '../support/make.ts';

const api = useOwnStack();
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

const ADOPT = join(import.meta.dirname, '../../src/bin/adopt.ts');

/** Runs the operator's command that makes the database accept the data directory's key. Returns its output. */
async function adoptKey(): Promise<string> {
  const { dataDir, databaseUrl } = api.stack;
  const env = { ...process.env, FLORIN_DATA: dataDir, DATABASE_URL: databaseUrl };
  return (await promisify(execFile)(process.execPath, [ADOPT, 'secrets-key'], { env })).stdout;
}

const fetchSecretKey = async (id: string) =>
  (await api.client.fetch('webhook_subscriptions', id)).attributes.secret_key;

const runAction = async (id: string, action: string) =>
  (await api.client.send('PATCH', `/v2/webhook_subscriptions/${id}/${action}`)).body.data
    .attributes;

/** Tables with the text in one of their rows. */
async function findTablesWith(text: string): Promise<string[]> {
  const { db } = api.fixtures;
  const tables = await db.query(
    `select table_name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE'`,
    [],
  );
  const tableNames: string[] = [];
  for (const { table_name } of tables) {
    const searchRow = `select 1 from ${table_name} t where strpos(t::text, $1) > 0 limit 1`;
    if ((await db.query(searchRow, [text])).length > 0) tableNames.push(table_name as string);
  }
  return tableNames;
}

/** Looks for a lost key, as a start with this key does. Returns the notice. */
const findLostWith = (key: string) =>
  findLostKey({
    db: api.fixtures.db,
    sealer: createSealer([Buffer.from(key.trim(), 'base64')]),
    logger: pino({ level: 'silent' }),
  });

it('no table of the database contains a secret or its predecessor', async () => {
  const hook = await makeHook(api.client);
  const { secret_key } = await runAction(hook.id, 'rotate_secret');
  await runAction(hook.id, 'test');
  expect(await findTablesWith(hook.id)).toEqual(
    expect.arrayContaining(['webhook_subscriptions', 'events', 'webhook_deliveries']),
  );
  expect(await findTablesWith(secret_key)).toEqual([]);
  expect(await findTablesWith(hook.attributes.secret_key)).toEqual([]);
});

it('a plain secret of an earlier version is sealed soon after the next start, and stays the same', async () => {
  const { db } = api.fixtures;
  const { id } = await makeHook(api.client);
  const plain = 'PlainSecretFromBeforeItWasSealed0123456789A';
  await db.query('update webhook_subscriptions set secret_key = $1 where id = $2', [plain, id]);
  expect(await fetchSecretKey(id)).toBe(plain);
  await api.stack.restart('server');
  await eventually(
    () => findTablesWith(plain),
    (tables) => tables.length === 0,
  );
  expect(await fetchSecretKey(id)).toBe(plain);
});

it('another key is adopted only while no Florin of the database runs', async () => {
  const path = join(api.stack.dataDir, 'secrets.key');
  const ownKey = await readFile(path, 'utf8');
  await writeFile(path, `${randomBytes(32).toString('base64')}\n`);
  await eventually(
    () => api.fixtures.db.query('select 1 from heartbeats limit 1', []),
    (rows) => rows.length > 0,
  );
  await expect(adoptKey()).rejects.toThrow(
    /Nothing was adopted: Florin runs on .* \(process \d+\).*Stop every Florin/,
  );
  await writeFile(path, ownKey);
  await api.stack.restart('server');
});

it('a secret is null if its key is lost, and new after a rotation', async () => {
  const hook = await makeHook(api.client);
  const path = join(api.stack.dataDir, 'secrets.key');
  const lostKey = await readFile(path, 'utf8');
  const newKey = `${randomBytes(32).toString('base64')}\n`;
  await writeFile(path, newKey);
  await api.stack.stop('server');
  await expect(api.stack.start('server')).rejects.toThrow(/sealed with another key.*secrets\.key/);
  const output = await adoptKey();
  expect(output).toMatch(
    /^The key of this data directory \(fingerprint [0-9a-f]{16}\) now encrypts/,
  );
  const [row] = await api.fixtures.db.query(
    `select entry from audit_log where entry like '%adopt secrets-key%'`,
    [],
  );
  const { command, subject } = JSON.parse(row?.entry ?? '{}');
  expect(command).toBe('adopt secrets-key');
  expect(output).toContain(`(fingerprint ${subject})`);
  await api.stack.start('server');
  expect(await fetchSecretKey(hook.id)).toBeNull();
  expect(await findLostWith(newKey)).toMatch(/restore .*secrets\.key .*rotate_secret/);
  expect(await findLostWith(lostKey)).toBeUndefined();
  await runAction(hook.id, 'test');
  expect((await api.client.get('/sandbox/drain?timeout=10')).status).toBe(204);
  const { secret_key, previous_secret_expires_at } = await runAction(hook.id, 'rotate_secret');
  expect([secret_key, previous_secret_expires_at]).toEqual([
    expect.stringMatching(/^[A-Za-z0-9]{43}$/),
    null,
  ]);
  await writeFile(path, lostKey + newKey);
  await api.stack.restart('server');
  expect(await fetchSecretKey(hook.id)).toBe(secret_key);
});

describe('a second server with its own data directory', () => {
  const readKeys = (): Promise<string> => readFile(join(api.stack.dataDir, 'secrets.key'), 'utf8');
  const makeKeyLine = (): string => `${randomBytes(32).toString('base64')}\n`;

  /** Data directory of the second server, with a `secrets.key` or without one. */
  async function makeDirectory(keyFile: string | undefined): Promise<string> {
    const dataDir = await mkdtemp(join(tmpdir(), 'florin-second-'));
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
    if (keyFile) await writeFile(join(dataDir, 'secrets.key'), keyFile);
    return dataDir;
  }

  /** Runs the first step of a start that concerns keys. Returns its error, or undefined. */
  async function checkKeys(keyFile: string): Promise<string | undefined> {
    const config = { data_dir: await makeDirectory(keyFile) };
    return ownSecretsKeys({ db: api.fixtures.db, config }).then(
      () => undefined,
      (error: Error) => error.message,
    );
  }

  /** Starts it with a `secrets.key` or without one. Returns its directory and the result. */
  async function startSecondServer(keyFile: string | undefined, config: Partial<Config> = {}) {
    const dataDir = await makeDirectory(keyFile);
    const { stack } = api;
    const wiring = { ...stack, dataDir, port: 0, socketPath: stack.vaultSocket };
    const failure = await startServer(wiring, config).then(
      (app) => app[Symbol.asyncDispose](),
      (error: Error) => error.message,
    );
    return { dataDir, failure };
  }

  it('is refused without the key, and creates none', async () => {
    const { dataDir, failure } = await startSecondServer(undefined);
    expect(failure).toMatch(
      /server lacks: .*secrets\.key does not exist\. Copy secrets\.key from the data directory/,
    );
    expect(await readdir(dataDir)).not.toContain('secrets.key');
  });

  it.each([
    ['its file', () => startSecondServer(makeKeyLine())],
    ['FLORIN_SECRETS_KEY', () => startSecondServer(undefined, { secrets_keys: [randomBytes(32)] })],
  ])('is refused with another key in %s', async (_source, start) => {
    expect((await start()).failure).toMatch(/sealed with another key \(fingerprint [0-9a-f]{16}\)/);
  });

  it('is refused without the key by a database that does not know its key yet', async () => {
    await makeHook(api.client);
    await api.fixtures.db.query(`delete from installation_facts where name = 'secrets_key'`, []);
    expect((await startSecondServer(undefined)).failure).toMatch(
      /sealed with a key that this server lacks/,
    );
    expect(await checkKeys(makeKeyLine())).toMatch(/sealed with another key than those of/);
    expect(await checkKeys(await readKeys())).toBeUndefined();
  });

  it('starts with the same key, and with a newer one before it, which the others then lack', async () => {
    const [ownKeys, newerKey] = [await readKeys(), makeKeyLine()];
    expect(await checkKeys(ownKeys)).toBeUndefined();
    expect((await startSecondServer(newerKey + ownKeys)).failure).toBeUndefined();
    expect(await checkKeys(ownKeys)).toMatch(/sealed with another key/);
    expect(await checkKeys(newerKey)).toBeUndefined();
    expect(await checkKeys(ownKeys + newerKey)).toBeUndefined();
  });

  it('leaves no part of the key in the database', async () => {
    const key = Buffer.from((await readKeys()).trim().split('\n')[0] as string, 'base64');
    const [fact] = await api.fixtures.db.query(
      `select value from installation_facts where name = 'secrets_key'`,
      [],
    );
    expect(fact?.value).toMatch(/^[0-9a-f]{16}$/);
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(key.toString(encoding)).not.toContain(fact?.value);
  });
});
