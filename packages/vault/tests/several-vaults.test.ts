import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VaultHealth } from '@florin/contract/protocol/vault.ts';
import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createVault } from '../src/app.ts';
import { type Ended, sendCommand } from './support/admin.ts';
import { call, startTestVault, type TestVault } from './support/vault.ts';

const DAY = 24 * 60 * 60_000;
const MINUTE = 60_000;
/** The lock key of vaults.ts. */
const VAULTS_LOCK = 7_238_104_512;

let first: TestVault;
beforeEach(async () => {
  first = await startTestVault();
  return async () => {
    await first[Symbol.asyncDispose]();
    expect(first.log.join('')).not.toMatch(/_failed"|not_written/);
  };
});

const rows = (sql: string, values: unknown[] = []) => first.database.query(sql, values);
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 });
const nameOf = (dataDir: string): string => `${hostname()}:${dataDir}`;
const rootVersions = async () =>
  (await rows('select version from vault.root_keys order by version')).map((row) => row.version);

interface Second {
  readonly dataDir: string;
  readonly name: string;
  readonly log: string[];
  ingest(): Promise<number>;
  health(): Promise<VaultHealth>;
  admin(path: string, body: unknown): Promise<Ended>;
  stop(): Promise<void>;
}

/**
 * Starts another vault on the first one's database, with a copy of the root key in its own directory. For the first
 * vault, its last announcement is `away.ms` old.
 */
async function startSecond(dataDir = ownDirectory(), away = { ms: 0 }): Promise<Second> {
  const home = mkdtempSync(join(tmpdir(), 'vault-second-'));
  const log: string[] = [];
  const config = {
    ...first.config,
    socketPath: join(home, 'vault.sock'),
    adminSocketPath: join(home, 'admin.sock'),
    dataDir,
  };
  const running = await createVault(config, {
    clock: () => first.clock.now - away.ms,
    log_destination: { write: (line: string) => void log.push(line) },
    announce_ms: 50,
  });
  let stopped = false;
  async function stop(): Promise<void> {
    if (!stopped) await running[Symbol.asyncDispose]();
    stopped = true;
  }
  onTestFinished(async () => {
    await stop();
    rmSync(home, { recursive: true });
  });
  return {
    dataDir,
    name: nameOf(dataDir),
    log,
    stop,
    async ingest() {
      const request = await first.sealedRequest({ merchant_id: `merchant-${randomUUID()}` });
      return (await call(config.socketPath, 'POST', '/ingest', request)).status;
    },
    health: async () => JSON.parse((await call(config.socketPath, 'GET', '/health')).text),
    admin: (path, body) => sendCommand(config.adminSocketPath, path, body),
  };
}

/** A directory with the first vault's root key. */
function ownDirectory(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'vault-second-data-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  copyKey('root.key', dataDir);
  return dataDir;
}

const copyKey = (file: string, dataDir: string): void =>
  cpSync(join(first.config.dataDir, file), join(dataDir, file));

/** Runs the first vault's due work until it uses a version, without a new request to rotate. */
const untilUsed = (version: number) =>
  eventually(async () => {
    await first.admin('/rotate', { key: 'due' });
    return rootVersions();
  }).toEqual(Array.from({ length: version }, (_, at) => at + 1));
const rotateRoot = () => first.admin('/rotate', { key: 'root' });
const firstIngest = async () =>
  (await first.post('/ingest', await first.sealedRequest({ merchant_id: randomUUID() }))).status;

describe('a rotation of a root key that is a file', () => {
  test('waits until every vault holds the key, names those that do not, and rejects a wrong key', async () => {
    const second = await startSecond();
    const { ok, said } = await rotateRoot();
    expect(ok).toBe(false);
    expect(said.join(' ')).toContain(
      `not used yet, as a vault lacks it: ${second.name} (last seen`,
    );
    expect(said.join(' ')).toContain(
      `Copy root-2.key (fingerprint ${await fingerprintOf('staged_root_keys', 2)}) from ${nameOf(first.config.dataDir)}`,
    );
    expect(await rootVersions()).toEqual([1]);
    expect([await second.ingest(), await firstIngest()]).toEqual([200, 200]);
    await eventually(async () => (await second.health()).root_keys.waits_for).toBe(1);
    expect(second.log.join('')).toContain('"event":"root_rotation_waits"');

    writeFileSync(join(second.dataDir, 'root-2.key'), randomBytes(32));
    await second.admin('/rotate', { key: 'due' });
    expect((await rotateRoot()).ok).toBe(false);

    // The right key is accepted without a restart.
    copyKey('root-2.key', second.dataDir);
    await untilUsed(2);
    expect([await second.ingest(), await firstIngest()]).toEqual([200, 200]);
    await eventually(second.health).toEqual({
      now: first.clock.now,
      status: 'ok',
      root_keys: { lacks: [], waits_for: 0, is_due: false },
    });
  });

  test('creates one key if two vaults rotate concurrently', async () => {
    const second = await startSecond();
    const asked = await Promise.all([rotateRoot(), second.admin('/rotate', { key: 'root' })]);
    expect(asked.map(({ ok }) => ok)).toEqual([false, false]);
    const files = [first.config.dataDir, second.dataDir].map((dir) => join(dir, 'root-2.key'));
    const made = files.filter((file) => existsSync(file));
    expect(made).toHaveLength(1);
    cpSync(made[0] as string, files.find((file) => file !== made[0]) as string);
    await untilUsed(2);
    expect([await second.ingest(), await firstIngest()]).toEqual([200, 200]);
  });

  test('ends immediately if the vaults share the directory, also after one of them has ended', async () => {
    const second = await startSecond(first.config.dataDir);
    expect((await rotateRoot()).ok).toBe(true);
    expect([await second.ingest(), await firstIngest()]).toEqual([200, 200]);
    await second.stop();
    first.clock.now += MINUTE;
    expect((await rotateRoot()).ok).toBe(true);
    expect([await firstIngest(), await rootVersions()]).toEqual([200, [1, 2, 3]]);
  });

  test('waits for a vault that is down, until an operator retires it', async () => {
    const second = await startSecond();
    await second.stop();
    const { ok, said } = await rotateRoot();
    const since = new Date(first.clock.now).toISOString();
    expect([ok, said.join(' ')]).toEqual([
      false,
      expect.stringContaining(`${second.name} (last seen ${since})`),
    ]);
    const retire = (name: string) => first.admin('/retire', { name });
    expect(await retire(second.name)).toMatchObject({
      ok: false,
      said: [expect.stringContaining('stop it first')],
    });
    first.clock.now += MINUTE;
    expect((await retire('another')).said).toEqual([expect.stringContaining(second.name)]);
    expect((await retire(second.name)).ok).toBe(true);
    expect((await rotateRoot()).ok).toBe(true);
    await expect(startSecond(second.dataDir)).rejects.toThrow(
      new RegExp(`root-2\\.key is missing.*copy it from ${nameOf(first.config.dataDir)}`),
    );
  });

  test('creates another key if the staged one is lost with its vault', async () => {
    const second = await startSecond();
    await second.admin('/rotate', { key: 'root' });
    const lost = await fingerprintOf('staged_root_keys', 2);
    await second.stop();
    first.clock.now += MINUTE;
    expect((await first.admin('/retire', { name: second.name })).ok).toBe(true);
    expect((await rotateRoot()).ok).toBe(true);
    expect(await fingerprintOf('root_keys', 2)).not.toBe(lost);
  });

  test('skips a vault that was silent for a week, and reports which and since when', async () => {
    const second = await startSecond();
    await second.stop();
    const [row] = await rows('select seen_at from vault.vaults where name = $1', [second.name]);
    const seen_at = row?.seen_at as Date;
    first.clock.now += 6 * DAY;
    expect((await rotateRoot()).ok).toBe(false);
    first.clock.now += 2 * DAY;
    const { ok, said } = await rotateRoot();
    const who = `${second.name} (last seen ${seen_at.toISOString()})`;
    expect([ok, said.join(' ')]).toEqual([
      true,
      expect.stringContaining(`did not wait for vaults that were silent for 7 days: ${who}.`),
    ]);
    expect(first.log.join('')).toContain(
      `"event":"vaults_skipped","version":2,"vaults":["${who}"]`,
    );
    expect(await rows(`select outcome from vault.audit where verb = 'pass_over_vault'`)).toEqual([
      { outcome: who },
    ]);
    await expect(startSecond(second.dataDir)).rejects.toThrow(/root-2\.key is missing/);
    copyKey('root-2.key', second.dataDir);
    expect(await (await startSecond(second.dataDir)).ingest()).toBe(200);
  });

  test('is not accepted by a vault that was suspended meanwhile: it is degraded until it has the key', async () => {
    const away = { ms: 8 * DAY };
    const second = await startSecond(ownDirectory(), away);
    expect((await rotateRoot()).ok).toBe(true);
    away.ms = 0;
    await eventually(second.health).toMatchObject({
      status: 'degraded',
      root_keys: { lacks: [2] },
    });
    expect(second.log.join('')).toContain('"event":"root_key_missing","version":2');
    expect(await second.ingest()).not.toBe(200);
    copyKey('root-2.key', second.dataDir);
    await eventually(second.health).toMatchObject({ status: 'ok', root_keys: { lacks: [] } });
    expect(await second.ingest()).toBe(200);
  });

  test('creates another key if only a vault that is silent for a week held the staged one', async () => {
    const second = await startSecond();
    await second.admin('/rotate', { key: 'root' });
    const lost = await fingerprintOf('staged_root_keys', 2);
    await second.stop();
    first.clock.now += 8 * DAY;
    expect((await rotateRoot()).ok).toBe(true);
    expect(await fingerprintOf('root_keys', 2)).not.toBe(lost);
    await expect(startSecond(second.dataDir)).rejects.toThrow(/is not the one/);
  });

  test('that is due creates no key by itself, and reports that an operator has to', async () => {
    const second = await startSecond();
    first.clock.now += 365 * DAY;
    expect((await first.admin('/rotate', { key: 'due' })).ok).toBe(true);
    expect(existsSync(join(first.config.dataDir, 'root-2.key'))).toBe(false);
    expect(await rootVersions()).toEqual([1]);
    expect(await second.ingest()).toBe(200);
    await eventually(async () => (await second.health()).root_keys.is_due).toBe(true);
    expect(second.log.join('')).toContain('"event":"root_rotation_due"');
  });
});

describe('a vault', () => {
  test('announces no key, only which versions it holds, until a silence longer than a root key lasts', async () => {
    await eventually(async () => (await rows('select name, holds from vault.vaults'))[0]).toEqual({
      name: nameOf(first.config.dataDir),
      holds: [1],
    });
    expect(await fingerprintOf('root_keys', 1)).toMatch(/^[0-9a-f]{16}$/);

    const second = await startSecond();
    await second.stop();
    first.clock.now += 401 * DAY;
    await startSecond();
    expect(await rows('select from vault.vaults where name = $1', [second.name])).toEqual([]);
  });

  test('waits at its start while versions are decided, and so does a process that decides', async () => {
    await (await startSecond()).stop();
    await rotateRoot();
    const release = await holdLock();
    let started = false;
    const third = startSecond().then(() => {
      started = true;
    });
    await eventually(countWaiting).toBe(1);
    const due = first.admin('/rotate', { key: 'due' });
    await eventually(countWaiting).toBe(2);
    const asked = rotateRoot();
    await eventually(countWaiting).toBe(3);
    expect(started).toBe(false);
    await release();
    await third;
    expect((await due).ok).toBe(true);
    expect((await asked).ok).toBe(false);
  });
});

/** Takes the lock that decisions about versions need; returns its release. */
async function holdLock(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: first.database.url });
  // If the test fails earlier, its database is dropped.
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [VAULTS_LOCK]);
  return () => client.end();
}

/** Number of waiters for the lock. */
const countWaiting = async (): Promise<number> =>
  (
    await rows(
      `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
  ).length;

const fingerprintOf = async (table: 'root_keys' | 'staged_root_keys', version: number) =>
  (await rows(`select fingerprint from vault.${table} where version = $1`, [version]))[0]
    ?.fingerprint as string;
