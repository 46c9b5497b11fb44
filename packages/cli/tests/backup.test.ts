import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareEnv } from '@florin/dev-env/config/env.ts';
import { type Processes, startProcesses } from '@florin/dev-env/start-processes.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Manifest, manifestName } from '../src/backup/base-backup.ts';
import { labelsOf } from '../src/backup/catalog.ts';
import { addBackupKey, readBackupKey } from '../src/backup/keys/backup-key.ts';
import { openRepository, readJson, storeJson } from '../src/backup/repository.ts';
import { LOG_STATE } from '../src/backup/ship-log.ts';
import { DATABASE } from '../src/commands/services.ts';
import { withClient } from '../src/database/client.ts';
import { waitUntil } from '../src/kernel/poll.ts';
import { livePostmaster } from '../src/postgres/postmaster.ts';
import { startPostgres } from '../src/postgres/start-postgres.ts';
import { logShippingService } from '../src/supervisor/log-shipping-service.ts';
import { pay, waitForPayment } from './payment.ts';
import { runToEnd } from './support.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const WAIT_MS = 60_000;
const LONG_MS = 300_000;

/** Payments by when they were approved: before the first backup, after it, and after the time T. */
interface Story {
  readonly before: string;
  readonly logged: string;
  readonly later: string;
  /** Between `logged` and `later`. */
  readonly T: string;
}

let root: string;
let repository: string;
let keys: string;
let story: Story;
/** The note of how far the log reaches, from the first backup. */
let earlierLog: Buffer;
const data = () => join(root, 'data');

const florin = (dataDir: string, ...words: string[]) =>
  runToEnd([MAIN, ...words], { FLORIN_DATA: dataDir });

/** A directory that the database user can enter, for an installation. */
function place(name: string): string {
  const directory = join(root, name);
  rmSync(directory, { recursive: true, force: true });
  return directory;
}

async function approve({ baseUrl, credentials }: Processes, amount: number): Promise<string> {
  const key = credentials.sandbox.secret_key;
  const id = await pay(baseUrl, key, amount);
  const text = await waitForPayment(baseUrl, key, id, /"status":"succeeded"/);
  expect(text).toContain('"status":"succeeded"');
  return id;
}

async function databaseTime(dataDir: string): Promise<string> {
  const postgres = await startPostgres({ dataDir });
  const sql = `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`;
  const { rows } = await withClient(postgres.url(DATABASE), (client) => client.query(sql));
  return rows[0].now;
}

async function succeed(dataDir: string, ...words: string[]): Promise<string> {
  const { code, output } = await florin(dataDir, ...words);
  expect([code, output]).toEqual([0, expect.any(String)]);
  return output;
}

async function tellStory(): Promise<Story> {
  await using running = await startProcesses({ dataDir: data() });
  const before = await approve(running, 1_001);
  await succeed(data(), 'backup', repository);
  await succeed(data(), 'backup', 'keys', keys);
  earlierLog = readFileSync(join(repository, LOG_STATE));
  const logged = await approve(running, 1_002);
  const T = await databaseTime(data());
  const later = await approve(running, 1_003);
  await succeed(data(), 'backup', '--keep', '5');
  return { before, logged, later, T };
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'florin-backup-'));
  chmodSync(root, 0o711);
  [repository, keys] = [join(root, 'repository'), join(root, 'keys')];
  story = await tellStory();
}, LONG_MS);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Ids of the story's payments that a restored installation knows. */
async function paymentsOf(dataDir: string): Promise<string[]> {
  const postgres = await startPostgres({ dataDir });
  try {
    const sql = `select id::text from payment_demands where status = 'succeeded' and id = any($1)`;
    const ids = [story.before, story.logged, story.later];
    const { rows } = await withClient(postgres.url(DATABASE), (client) => client.query(sql, [ids]));
    return rows.map(({ id }) => id as string).sort();
  } finally {
    await postgres.stop();
  }
}

describe('florin restore', () => {
  it(
    'brings back everything until a time, and nothing after it',
    async () => {
      const dataDir = place('at-T');
      const output = await succeed(dataDir, 'restore', repository, '--keys', keys, '--to', story.T);
      expect(output).toContain(`to ${story.T}`);
      expect(await paymentsOf(dataDir)).toEqual([story.before, story.logged].sort());
      expect(existsSync(join(dataDir, 'restoring'))).toBe(false);

      expect(await succeed(dataDir, 'restore', 'status')).toContain(`to ${story.T} and is closed`);
      expect(await succeed(dataDir, 'restore', 'open', '--without-learning')).toContain(
        'The installation is open',
      );
      await using running = await startProcesses({ dataDir });
      await approve(running, 1_004);
      expect(await succeed(dataDir, 'ledger', 'verify')).not.toContain('DIFFERS');
      const inUse = await florin(dataDir, 'restore', repository, '--keys', keys);
      expect(inUse).toEqual({ code: 1, output: expect.stringContaining('Stop it, then move') });
      const foreign = await florin(dataDir, 'backup', repository);
      expect(foreign.output).toContain('holds the backups of another installation');
    },
    LONG_MS,
  );

  it(
    'to the last moment of the log brings back everything; the keys may be those of the old directory',
    async () => {
      const dataDir = place('at-end');
      const [, reach] = /until (\S+)/.exec(await succeed(data(), 'backup', 'list')) ?? [];
      const words = ['restore', repository, '--keys', data(), '--key', join(keys, 'backup', 'key')];
      const output = await succeed(dataDir, ...words, '--to', reach ?? '', '--dry-run');
      expect(output).toContain('Would restore');
      expect(existsSync(dataDir)).toBe(false);
      await succeed(dataDir, ...words, '--to', reach ?? '');
      expect(await paymentsOf(dataDir)).toHaveLength(3);
      expect(readFileSync(join(dataDir, 'vault', 'root.key'), 'utf8')).toBe(
        readFileSync(join(data(), 'vault', 'root.key'), 'utf8'),
      );
    },
    LONG_MS,
  );
});

describe('a backup', () => {
  it('holds no key, and no text of the database', () => {
    const texts = [
      readFileSync(join(keys, 'backup', 'key'), 'utf8')
        .trim()
        .split(' ')[1],
      readFileSync(join(keys, 'vault', 'root.key'), 'utf8').trim(),
      'kysely_migration',
      'ada@example.com',
    ].map((text) => Buffer.from(text ?? ''));
    for (const entry of readdirSync(repository, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const content = readFileSync(join(entry.parentPath, entry.name));
      for (const text of texts) expect(content.includes(text)).toBe(false);
    }
  });

  it('verifies, lists its range, and is known to the doctor', async () => {
    expect(await succeed(data(), 'backup', 'verify')).toMatch(
      /^ok: 2 base backups and \d+ segments of the log verify$/m,
    );
    expect(await succeed(data(), 'backup', 'list')).toMatch(/segments of the log, until 20/);
    const { output } = await florin(data(), 'doctor', '--json');
    expect(JSON.parse(output).facts.checks).toMatch(/backup \d+ (?:s|min) ago/);
  });

  it('is restored although the note of how far its log reached is damaged', async () => {
    const copy = place('damaged-keys');
    cpSync(keys, copy, { recursive: true });
    const note = join(copy, 'backup', 'shipped.json');
    for (const text of ['', '{"covers_until":', 'null', '{}']) {
      writeFileSync(note, text);
      const words = ['--keys', copy, '--dry-run'];
      const restored = await succeed(place('damaged'), 'restore', repository, ...words);
      expect(restored).toContain(`WARNING: ${note} is damaged`);
      expect(restored).toContain('Everything verifies');
    }
  });

  it(
    'that was put back to an earlier state does not verify, and a restore warns about it',
    async () => {
      const path = join(repository, LOG_STATE);
      const newest = readFileSync(path);
      try {
        writeFileSync(path, earlierLog);
        const verified = await florin(data(), 'backup', 'verify');
        expect(verified).toEqual({ code: 1, output: expect.stringContaining('had reached') });
        // The same directory by another path.
        const link = place('link');
        symlinkSync(repository, link);
        const linked = await florin(data(), 'backup', 'verify', link);
        expect(linked).toEqual({ code: 1, output: expect.stringContaining('had reached') });
        const words = ['--keys', data(), '--key', join(keys, 'backup', 'key'), '--dry-run'];
        const restored = await succeed(place('earlier'), 'restore', repository, ...words);
        expect(restored).toContain('somebody put an earlier state back');
        const known = await succeed(
          place('earlier'),
          'restore',
          repository,
          '--keys',
          keys,
          '--dry-run',
        );
        expect(known).not.toContain('WARNING');
      } finally {
        writeFileSync(path, newest);
      }
    },
    LONG_MS,
  );
});

/** A copy of the backup that `change` damages. */
async function damaged(name: string, change: (copy: string) => unknown): Promise<string> {
  const copy = place(name);
  cpSync(repository, copy, { recursive: true, preserveTimestamps: true });
  await change(copy);
  return copy;
}

const labels = (copy: string) => readdirSync(join(copy, 'base')).sort();
const segments = (copy: string) => readdirSync(join(copy, 'wal')).sort();

function flip(path: string): void {
  const bytes = readFileSync(path);
  bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
  writeFileSync(path, bytes);
}

/** Gives the newest base backup another manifest. */
async function rewrite(copy: string, over: Partial<Manifest>): Promise<void> {
  const opened = await openRepository(copy, readBackupKey(join(keys, 'backup', 'key')));
  const name = manifestName((await labelsOf(opened)).at(-1) ?? '');
  await storeJson(opened, name, { ...(await readJson<Manifest>(opened, name)), ...over });
}

const newer = { server: '9999-future', vault: '0001' };

describe('before anything is touched, a restore refuses', () => {
  it.each<[string, (copy: string) => unknown, RegExp]>([
    [
      'a changed file',
      (copy) =>
        flip(join(copy, 'base', labels(copy).at(-1) ?? '', 'files', 'global', 'pg_control')),
      /does not verify: base\/.*pg_control.* was changed.*Use another copy/,
    ],
    [
      'a missing file',
      (copy) => rmSync(join(copy, 'base', labels(copy).at(-1) ?? '', 'files', 'PG_VERSION')),
      /does not verify: .*PG_VERSION is missing/,
    ],
    [
      'a changed segment',
      (copy) => flip(join(copy, 'wal', segments(copy).at(-1) ?? '')),
      /does not verify: wal\//,
    ],
    [
      'a changed manifest',
      (copy) => flip(join(copy, 'base', labels(copy).at(-1) ?? '', 'manifest')),
      /does not verify: .*manifest was changed/,
    ],
    [
      'a missing segment',
      (copy) => rmSync(join(copy, 'wal', segments(copy).at(-1) ?? '')),
      /The log has a gap: .* is missing/,
    ],
    ['a newer schema', (copy) => rewrite(copy, { migrations: newer }), /schema of a newer Florin/],
    ['another PostgreSQL', (copy) => rewrite(copy, { postgres_major: '12' }), /of PostgreSQL 12/],
    ['no backup', (copy) => rmSync(join(copy, 'florin-backup.json')), /holds no backup/],
  ])(
    '%s',
    async (name, change, message) => {
      const dataDir = place('refused');
      const copy = await damaged(`damaged ${name}`, change);
      const result = await florin(dataDir, 'restore', copy, '--keys', keys);
      expect(result).toEqual({ code: 1, output: expect.stringMatching(message) });
      expect(existsSync(dataDir)).toBe(false);
    },
    LONG_MS,
  );

  it.each<[string, () => string[], RegExp]>([
    ['a time before the backup', () => ['--to', '2020-01-01T00:00:00Z'], /before the first base/],
    ['a time after the log', () => ['--to', '2999-01-01T00:00:00Z'], /after the end of the log/],
    [
      'a time without a zone',
      () => ['--to', '2026-01-01T00:00:00'],
      /must be a time with its zone/,
    ],
    ['a key that does not fit', () => ['--key', otherKey()], /The key does not fit: /],
    ['a file that is no key', () => ['--key', MAIN], /is no backup key/],
    ['keys of another installation', () => ['--keys', otherKeys()], /do not fit the backup: vault/],
  ])(
    '%s',
    async (_name, words, message) => {
      const dataDir = place('refused');
      const result = await florin(dataDir, 'restore', repository, '--keys', keys, ...words());
      expect(result).toEqual({ code: 1, output: expect.stringMatching(message) });
      expect(existsSync(dataDir)).toBe(false);
    },
    LONG_MS,
  );

  it('a directory that is not empty', async () => {
    const dataDir = place('occupied');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'notes.txt'), 'mine');
    const result = await florin(dataDir, 'restore', repository, '--keys', keys);
    expect(result).toEqual({ code: 1, output: expect.stringContaining('it holds notes.txt') });
    expect(readdirSync(dataDir)).toEqual(['notes.txt']);
  });
});

function otherKey(): string {
  const path = join(root, 'other-key');
  writeFileSync(path, `florin-backup-key-1 ${'A'.repeat(43)}\n`);
  return path;
}

function otherKeys(): string {
  const copy = place('other keys');
  cpSync(keys, copy, { recursive: true });
  writeFileSync(join(copy, 'vault', 'root.key'), 'another root key');
  return copy;
}

describe('a command that is killed can be repeated', () => {
  it(
    'in the middle of a backup',
    async () => {
      const before = readdirSync(join(repository, 'base'));
      const partial = () =>
        readdirSync(join(repository, 'base')).find((name) => name.endsWith('.partial'));
      const isCopying = () =>
        existsSync(join(repository, 'base', partial() ?? '-', 'files', 'global'));
      await killWhen(isCopying, data(), 'backup');
      expect(readdirSync(join(repository, 'base')).length).toBe(before.length + 1);
      await succeed(data(), 'backup');
      expect(partial()).toBeUndefined();
      expect(readdirSync(join(repository, 'base'))).toHaveLength(before.length + 1);
      expect(await succeed(data(), 'backup', 'verify')).toContain('ok: 3 base backups');
    },
    LONG_MS,
  );

  it(
    'in the middle of a restore, also twice',
    async () => {
      const dataDir = place('killed');
      const words = ['restore', repository, '--keys', keys];
      const cluster = join(dataDir, 'restoring', 'data', 'postgres');
      await killWhen(() => existsSync(join(cluster, 'global')), dataDir, ...words);
      await killWhen(() => livePostmaster(cluster) !== undefined, dataDir, ...words);
      const early = await runToEnd([MAIN, 'start'], { FLORIN_DATA: dataDir, PORT: '0' });
      expect(early).toEqual({ code: 1, output: expect.stringContaining('is unfinished') });
      await succeed(dataDir, ...words);
      expect(await paymentsOf(dataDir)).toHaveLength(3);
    },
    LONG_MS,
  );

  it('at the end of a restore, between two files that it moves', async () => {
    const dataDir = join(root, 'at-T');
    const stage = join(dataDir, 'restoring', 'data');
    mkdirSync(stage, { recursive: true });
    writeFileSync(join(dataDir, 'restoring', 'ready.json'), '{}');
    renameSync(join(dataDir, 'credentials.json'), join(stage, 'credentials.json'));
    const words = ['restore', repository, '--keys', keys, '--to', story.T];
    expect(await succeed(dataDir, ...words)).toContain('Finished the interrupted restore');
    expect(existsSync(join(dataDir, 'credentials.json'))).toBe(true);
    expect(existsSync(join(dataDir, 'restoring'))).toBe(false);
  });
});

describe('a running Florin', () => {
  it('hands its log to the backup, and says once when it cannot', async () => {
    const postgres = await startPostgres({ dataDir: data() });
    const sentences: string[] = [];
    const print = (sentence: string) => sentences.push(sentence);
    const service = logShippingService({ postgres, dataDir: data(), print, pause_ms: 10 });
    const run = service.start();
    const before = segments(repository).length;
    try {
      expect(await waitUntil(() => segments(repository).length > before, WAIT_MS)).toBe(true);
      renameSync(repository, `${repository}-away`);
      const isAway = () => sentences.some((text) => /^The backup waits: .* holds no/.test(text));
      expect(await waitUntil(isAway, WAIT_MS)).toBe(true);
      renameSync(`${repository}-away`, repository);
      const isBack = () => sentences.at(-1) === 'The backup continues.';
      expect(await waitUntil(isBack, WAIT_MS)).toBe(true);
    } finally {
      await run.stop();
      await postgres.stop();
    }
    expect(new Set(sentences).size).toBe(sentences.length);
  });
});

describe('a rotated key', () => {
  const keyFile = () => join(data(), 'backup', 'key');
  const linesOf = (path: string) => readFileSync(path, 'utf8').trim().split('\n');

  it(
    'seals new backups, and older ones stay readable',
    async () => {
      const [old = ''] = linesOf(keyFile());
      expect(await succeed(data(), 'backup', 'rotate', '--dry-run')).toMatch(/Would put a new key/);
      expect(linesOf(keyFile())).toEqual([old]);
      expect(await succeed(data(), 'backup', 'rotate')).toMatch(
        /from now on\.[\s\S]*First copy .*key apart/,
      );
      expect(linesOf(keyFile())).toEqual([expect.not.stringContaining(old), old]);
      expect(
        await florin(data(), 'backup', 'verify', '--key', join(keys, 'backup', 'key')),
      ).toEqual({
        code: 0,
        output: expect.stringMatching(/from before a rotation.* 0 base backups and segments/),
      });
      await succeed(data(), 'backup', '--keep', '9');
      const outdated = place('outdated');
      const said = await succeed(outdated, 'restore', repository, '--keys', keys, '--dry-run');
      expect(said).toMatch(/from before a rotation[\s\S]*Would restore/);
      expect(await succeed(data(), 'backup', 'verify')).toMatch(
        /^ok: .*\nkey [0-9a-f]{16}: [1-9]\d* files\nkey [0-9a-f]{16}: [1-9]\d* files$/m,
      );
      await succeed(data(), 'backup', 'keys', keys);
      const dataDir = place('rotated');
      await succeed(dataDir, 'restore', repository, '--keys', keys, '--to', story.T);
      expect(await paymentsOf(dataDir)).toEqual([story.before, story.logged].sort());
    },
    LONG_MS,
  );

  it(
    'is finished by the next run if a crash left it in the key file only',
    async () => {
      const { fingerprint } = await addBackupKey(keyFile());
      const lines = linesOf(keyFile());
      expect(await succeed(data(), 'backup', 'rotate', '--dry-run')).toContain(
        `Would finish a rotation: the backup gets the key ${fingerprint}`,
      );
      expect(await succeed(data(), 'backup', 'rotate')).toContain(`with the key ${fingerprint}`);
      expect(linesOf(keyFile())).toEqual(lines);
    },
    LONG_MS,
  );
});

async function killWhen(isReached: () => boolean, dataDir: string, ...words: string[]) {
  const env = bareEnv({ FLORIN_DATA: dataDir });
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...words], { env, stdio: 'ignore' });
  const exited = once(child, 'exit');
  expect(await waitUntil(() => isReached() || child.exitCode !== null, WAIT_MS)).toBe(true);
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
}
