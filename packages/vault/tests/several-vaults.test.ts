import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VaultHealth } from '@florin/contract/protocol/vault-health.ts';
import pg from 'pg';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createVault } from '../src/app.ts';
import { type CommandResult, sendCommand } from './support/admin.ts';
import { call, startTestVault, type TestVault } from './support/vault.ts';

const DAY = 24 * 60 * 60_000;
const MINUTE = 60_000;

let firstVault: TestVault;
beforeEach(async () => {
  firstVault = await startTestVault();
  return async () => {
    await firstVault[Symbol.asyncDispose]();
    expect(firstVault.log.join('')).not.toMatch(/_failed"|not_written/);
  };
});

const queryRows = (sql: string, values: unknown[] = []) => firstVault.database.query(sql, values);
const expectEventually = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 });
const nameOf = (dataDir: string): string => `${hostname()}:${dataDir}`;
const queryRootVersions = async () =>
  (await queryRows('select version from vault.root_keys order by version')).map(
    (row) => row.version,
  );

interface SecondVault {
  readonly dataDir: string;
  readonly name: string;
  readonly log: string[];
  ingest(merchantId?: string): Promise<number>;
  health(): Promise<VaultHealth>;
  admin(path: string, body: unknown): Promise<CommandResult>;
  stop(): Promise<void>;
}

/**
 * Starts another vault on the first one's database, with a copy of the root key in its own directory. For the first
 * vault, its last announcement is `silence.ms` old.
 */
async function startSecondVault(
  dataDir = createKeyDirectory(),
  silence = { ms: 0 },
): Promise<SecondVault> {
  const tempDir = mkdtempSync(join(tmpdir(), 'vault-second-'));
  const log: string[] = [];
  const config = {
    ...firstVault.config,
    socketPath: join(tempDir, 'vault.sock'),
    adminSocketPath: join(tempDir, 'admin.sock'),
    dataDir,
  };
  const vault = await createVault(config, {
    clock: () => firstVault.clock.now - silence.ms,
    log_destination: { write: (line: string) => void log.push(line) },
    announce_ms: 50,
  });
  let isStopped = false;
  async function stop(): Promise<void> {
    if (!isStopped) await vault[Symbol.asyncDispose]();
    isStopped = true;
  }
  onTestFinished(async () => {
    await stop();
    rmSync(tempDir, { recursive: true });
  });
  return {
    dataDir,
    name: nameOf(dataDir),
    log,
    stop,
    async ingest(merchant_id = `merchant-${randomUUID()}`) {
      const request = await firstVault.sealedRequest({ merchant_id });
      return (await call(config.socketPath, 'POST', '/ingest', request)).status;
    },
    health: async () => JSON.parse((await call(config.socketPath, 'GET', '/health')).text),
    admin: (path, body) => sendCommand(config.adminSocketPath, path, body),
  };
}

/** A directory with the first vault's root key. */
function createKeyDirectory(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'vault-second-data-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  copyKey('root.key', dataDir);
  return dataDir;
}

const copyKey = (file: string, dataDir: string): void =>
  cpSync(join(firstVault.config.dataDir, file), join(dataDir, file));

/** Runs the first vault's due work until it uses a version, without a new request to rotate. */
const expectUsed = (version: number) =>
  expectEventually(async () => {
    await firstVault.admin('/rotate', { key: 'due' });
    return queryRootVersions();
  }).toEqual(Array.from({ length: version }, (_, index) => index + 1));
const rotateRoot = () => firstVault.admin('/rotate', { key: 'root' });
const ingestInFirst = async () =>
  (await firstVault.post('/ingest', await firstVault.sealedRequest({ merchant_id: randomUUID() })))
    .status;

describe('a rotation of a root key that is a file', () => {
  test('waits until every vault holds the key, names those that do not, and rejects a wrong key', async () => {
    const secondVault = await startSecondVault();
    const { ok, sentences } = await rotateRoot();
    expect(ok).toBe(false);
    expect(sentences.join(' ')).toContain(
      `not active yet. Vaults without it: ${secondVault.name} (last seen`,
    );
    expect(sentences.join(' ')).toContain(
      `Copy root-2.key (fingerprint ${await fingerprintOf('staged_root_keys', 2)}) from ${nameOf(firstVault.config.dataDir)}`,
    );
    expect(await queryRootVersions()).toEqual([1]);
    expect([await secondVault.ingest(), await ingestInFirst()]).toEqual([200, 200]);
    await expectEventually(async () => (await secondVault.health()).root_keys.waits_for).toBe(1);
    expect(secondVault.log.join('')).toContain('"event":"root_rotation_waits"');

    writeFileSync(join(secondVault.dataDir, 'root-2.key'), randomBytes(32));
    await secondVault.admin('/rotate', { key: 'due' });
    expect((await rotateRoot()).ok).toBe(false);

    // The right key is accepted without a restart.
    copyKey('root-2.key', secondVault.dataDir);
    await expectUsed(2);
    expect([await secondVault.ingest(), await ingestInFirst()]).toEqual([200, 200]);
    await expectEventually(secondVault.health).toMatchObject({
      now: firstVault.clock.now,
      status: 'ok',
      root_keys: { lacks: [], waits_for: 0, is_due: false, still_needed: 0 },
    });
  });

  test('creates one key if two vaults rotate concurrently', async () => {
    const secondVault = await startSecondVault();
    const results = await Promise.all([
      rotateRoot(),
      secondVault.admin('/rotate', { key: 'root' }),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([false, false]);
    const files = [firstVault.config.dataDir, secondVault.dataDir].map((dir) =>
      join(dir, 'root-2.key'),
    );
    const createdFiles = files.filter((file) => existsSync(file));
    expect(createdFiles).toHaveLength(1);
    cpSync(createdFiles[0] as string, files.find((file) => file !== createdFiles[0]) as string);
    await expectUsed(2);
    expect([await secondVault.ingest(), await ingestInFirst()]).toEqual([200, 200]);
  });

  test('ends immediately if the vaults share the directory, also after one of them has ended', async () => {
    const secondVault = await startSecondVault(firstVault.config.dataDir);
    expect((await rotateRoot()).ok).toBe(true);
    expect([await secondVault.ingest(), await ingestInFirst()]).toEqual([200, 200]);
    await secondVault.stop();
    firstVault.clock.now += MINUTE;
    expect((await rotateRoot()).ok).toBe(true);
    expect([await ingestInFirst(), await queryRootVersions()]).toEqual([200, [1, 2, 3]]);
  });

  test('waits for a vault that is down, until an operator retires it', async () => {
    const secondVault = await startSecondVault();
    await secondVault.stop();
    const { ok, sentences } = await rotateRoot();
    const since = new Date(firstVault.clock.now).toISOString();
    expect([ok, sentences.join(' ')]).toEqual([
      false,
      expect.stringContaining(`${secondVault.name} (last seen ${since})`),
    ]);
    const retire = (name: string) => firstVault.admin('/retire', { name });
    expect(await retire(secondVault.name)).toMatchObject({
      ok: false,
      sentences: [expect.stringContaining('Stop it, then wait')],
    });
    firstVault.clock.now += MINUTE;
    expect((await retire('another')).sentences).toEqual([
      expect.stringContaining(secondVault.name),
    ]);
    expect((await retire(secondVault.name)).ok).toBe(true);
    expect((await rotateRoot()).ok).toBe(true);
    await expect(startSecondVault(secondVault.dataDir)).rejects.toThrow(
      new RegExp(`root-2\\.key is missing.*Copy it from ${nameOf(firstVault.config.dataDir)}`),
    );
  });

  test('creates another key if the staged one is lost with its vault', async () => {
    const secondVault = await startSecondVault();
    await secondVault.admin('/rotate', { key: 'root' });
    const lostFingerprint = await fingerprintOf('staged_root_keys', 2);
    await secondVault.stop();
    firstVault.clock.now += MINUTE;
    expect((await firstVault.admin('/retire', { name: secondVault.name })).ok).toBe(true);
    expect((await rotateRoot()).ok).toBe(true);
    expect(await fingerprintOf('root_keys', 2)).not.toBe(lostFingerprint);
  });

  test('skips a vault that was silent for a week, and reports which and since when', async () => {
    const secondVault = await startSecondVault();
    await secondVault.stop();
    const [row] = await queryRows('select seen_at from vault.vaults where name = $1', [
      secondVault.name,
    ]);
    const seen_at = row?.seen_at as Date;
    firstVault.clock.now += 6 * DAY;
    expect((await rotateRoot()).ok).toBe(false);
    firstVault.clock.now += 2 * DAY;
    const { ok, sentences } = await rotateRoot();
    const vaultWithTime = `${secondVault.name} (last seen ${seen_at.toISOString()})`;
    expect([ok, sentences.join(' ')]).toEqual([
      true,
      expect.stringContaining(
        `did not wait for vaults that were silent for 7 days: ${vaultWithTime}.`,
      ),
    ]);
    expect(firstVault.log.join('')).toContain(
      `"event":"vaults_skipped","version":2,"vaults":["${vaultWithTime}"]`,
    );
    expect(
      await queryRows(`select outcome from vault.audit where verb = 'pass_over_vault'`),
    ).toEqual([{ outcome: vaultWithTime }]);
    await expect(startSecondVault(secondVault.dataDir)).rejects.toThrow(/root-2\.key is missing/);
    copyKey('root-2.key', secondVault.dataDir);
    expect(await (await startSecondVault(secondVault.dataDir)).ingest()).toBe(200);
  });

  test('is not accepted by a vault that was suspended meanwhile: it is degraded until it has the key', async () => {
    const silence = { ms: 8 * DAY };
    const secondVault = await startSecondVault(createKeyDirectory(), silence);
    expect((await rotateRoot()).ok).toBe(true);
    silence.ms = 0;
    await expectEventually(secondVault.health).toMatchObject({
      status: 'degraded',
      root_keys: { lacks: [2] },
    });
    expect(secondVault.log.join('')).toContain('"event":"root_key_missing","version":2');
    expect(await secondVault.ingest()).not.toBe(200);
    copyKey('root-2.key', secondVault.dataDir);
    await expectEventually(secondVault.health).toMatchObject({
      status: 'ok',
      root_keys: { lacks: [] },
    });
    expect(await secondVault.ingest()).toBe(200);
  });

  test('creates another key if only a vault that is silent for a week held the staged one', async () => {
    const secondVault = await startSecondVault();
    await secondVault.admin('/rotate', { key: 'root' });
    const lostFingerprint = await fingerprintOf('staged_root_keys', 2);
    await secondVault.stop();
    firstVault.clock.now += 8 * DAY;
    expect((await rotateRoot()).ok).toBe(true);
    expect(await fingerprintOf('root_keys', 2)).not.toBe(lostFingerprint);
    await expect(startSecondVault(secondVault.dataDir)).rejects.toThrow(
      /is not the key of the stored cards/,
    );
  });

  test('that is due creates no key by itself, and reports that an operator has to', async () => {
    const secondVault = await startSecondVault();
    firstVault.clock.now += 365 * DAY;
    expect((await firstVault.admin('/rotate', { key: 'due' })).ok).toBe(true);
    expect(existsSync(join(firstVault.config.dataDir, 'root-2.key'))).toBe(false);
    expect(await queryRootVersions()).toEqual([1]);
    expect(await secondVault.ingest()).toBe(200);
    await expectEventually(async () => (await secondVault.health()).root_keys.is_due).toBe(true);
    expect(secondVault.log.join('')).toContain('"event":"root_rotation_due"');
  });
});

describe('a vault', () => {
  test('announces no key, only which versions it holds, until a silence longer than a root key lasts', async () => {
    await expectEventually(
      async () => (await queryRows('select name, holds from vault.vaults'))[0],
    ).toEqual({
      name: nameOf(firstVault.config.dataDir),
      holds: [1],
    });
    expect(await fingerprintOf('root_keys', 1)).toMatch(/^[0-9a-f]{16}$/);

    const secondVault = await startSecondVault();
    await secondVault.stop();
    firstVault.clock.now += 401 * DAY;
    await startSecondVault();
    expect(await queryRows('select from vault.vaults where name = $1', [secondVault.name])).toEqual(
      [],
    );
  });

  test('waits at its start while versions are decided', async () => {
    const release = await takeLock();
    let isStarted = false;
    const start = startSecondVault().then(() => {
      isStarted = true;
    });
    await expectEventually(countWaiting).toBe(1);
    expect(isStarted).toBe(false);
    await release();
    await start;
    expect(isStarted).toBe(true);
  });

  test.each([
    { key: 'due', ok: true },
    { key: 'root', ok: false },
  ])('decides about versions ($key) after a decision that has begun', async ({ key, ok }) => {
    await (await startSecondVault()).stop();
    await rotateRoot();
    const release = await takeLock();
    const rotation = firstVault.admin('/rotate', { key });
    await expectEventually(countWaiting).toBe(1);
    await release();
    expect((await rotation).ok).toBe(ok);
  });
});

/** Takes the lock that decisions about versions need; returns its release. */
async function takeLock(): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: firstVault.database.url });
  // If the test fails earlier, its database is dropped.
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query('select from vault.vaults_lock for update');
  return () => client.end();
}

/** Number of statements that wait for the lock. */
const countWaiting = async (): Promise<number> =>
  (
    await queryRows(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
         and query like '%vault.vaults_lock%'`,
    )
  ).length;

const fingerprintOf = async (table: 'root_keys' | 'staged_root_keys', version: number) =>
  (await queryRows(`select fingerprint from vault.${table} where version = $1`, [version]))[0]
    ?.fingerprint as string;

test('a merchant that one vault destroys has new fingerprints at all of them', async () => {
  const second = await startSecondVault();
  const merchant_id = 'merchant-destroyed';
  await firstVault.ingest({ merchant_id });
  expect(await second.ingest(merchant_id)).toBe(200);
  await firstVault.admin('/destroy', { merchant_id, mode: 'sandbox' });
  await firstVault.ingest({ merchant_id });
  expect(await second.ingest(merchant_id)).toBe(200);
  const rows = await queryRows(`select from vault.fingerprint_ids where merchant_id = $1`, [
    merchant_id,
  ]);
  expect(rows).toHaveLength(1);
});
