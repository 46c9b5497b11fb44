import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '@florin/cli/database/client.ts';
import { createStack } from '@florin/cli/supervisor/stack.ts';
import type pg from 'pg';
import { readOptions } from '../../scripts/options.ts';
import { startCluster, startSimulator } from '../support/cluster.ts';
import { compareRunning } from '../support/compare.ts';
import { openEnvironment } from '../support/environment.ts';
import { takePayments } from '../support/load.ts';
import { createPayer } from '../support/payer.ts';
import { createOwnedDatabase } from './database.ts';
import { migrateWith, openRelease } from './release.ts';

const RELEASES = join(import.meta.dirname, '../../packages/server/tests/upgrades');
/** Payments of a recorded installation. */
const PAYMENTS = 12;
const CLIENTS = 3;
/** Files that an installation needs beside its database. */
const KEPT = ['credentials.json', 'secrets.key', 'vault/root.key', 'simulator/books.sqlite'];

/** Records the database and files of an installation of a release, for the tests of upgrades. */
export async function main(): Promise<number> {
  const { from } = readOptions({
    command: 'npm run rehearse -- record-release',
    summary: 'Records an installation of a release with payments, for the tests of upgrades.',
    options: { from: { default: 'HEAD', description: 'commit, or archive of npm run release' } },
  });
  await using environment = await openEnvironment();
  const { directory, postgres } = environment;
  const release = openRelease(from, join(directory, 'release'));
  const database = await createOwnedDatabase(postgres.url('postgres'), 'florin_recorded');
  await migrateWith(release, database.ownerUrl);
  const stack = createStack({ print() {}, fail() {}, diskFull: () => false });
  const dataDir = join(directory, 'd');
  const simulatorUrl = await startSimulator(stack, dataDir);
  const { packages } = release;
  const shared = { database, simulatorUrl };
  const options = { dataDir, postgresUrl: '', apis: 1, workers: 1, packages, shared };
  const cluster = await startCluster(options);
  const payer = createPayer(cluster.apis, cluster.secretKey);
  await payer.prepare();
  await takePayments(payer, { count: PAYMENTS, at_once: CLIENTS });
  const { differences } = await compareRunning(cluster, payer.accepted);
  await cluster.stop();
  await stack.stop();
  for (const line of differences) console.error(line);
  const path = await withClient(database.adminUrl, (client) =>
    write(client, release.name, dataDir),
  );
  console.log(`Recorded ${release.name} in ${path}.`);
  return differences.length === 0 ? 0 : 1;
}

async function write(client: pg.Client, name: string, dataDir: string): Promise<string> {
  const newest = async (sql: string) => String((await client.query(sql)).rows[0]?.name);
  const server = await newest('select max(name) as name from kysely_migration');
  const vault = await newest("select max(replace(name, '.sql', '')) as name from vault.migrations");
  const path = join(RELEASES, server);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(join(path, 'data'), { recursive: true });
  for (const file of KEPT)
    cpSync(join(dataDir, file), join(path, 'data', file), { recursive: true });
  const rows = await readRows(client);
  const recorded_at = new Date().toISOString();
  const release = { release: name, recorded_at, server, vault };
  writeFileSync(join(path, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
  writeFileSync(join(path, 'rows.jsonl'), rows.map((row) => `${row}\n`).join(''));
  return path;
}

/** Tables that each start fills, or that name the host. */
const LEFT_OUT = [
  ...['kysely_migration', 'kysely_migration_lock', 'migrations'],
  ...['permissions', 'heartbeats', 'api_requests', 'vaults'],
];

const TABLES = `select n.nspname || '.' || c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'vault') and c.relkind = 'r' and c.relname <> all($1) order by 1`;

/** One line of JSON for each row: its table, and its columns. */
async function readRows(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(TABLES, [LEFT_OUT]);
  const lines: string[] = [];
  for (const { name } of tables) {
    const sql = `select json_build_object('table', $1::text, 'row', t)::text as line from ${name} t`;
    const { rows } = await client.query<{ line: string }>(sql, [name]);
    lines.push(...rows.map(({ line }) => line));
  }
  return lines;
}
