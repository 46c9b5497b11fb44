import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { isConnectionError } from '@florin/contract/database/fault.ts';
import { type History, readMigrations } from '@florin/contract/migrations/plan.ts';
import { type Book, type Migration, runMigrations } from '@florin/contract/migrations/run.ts';
import type { Transactions } from '@florin/contract/migrations/session.ts';
import type pg from 'pg';
import { poolOf } from './db.ts';

/** 0027 and 0032 were never used. */
const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** Name and lock are those of the library that ran migrations before, whose versions so refuse a database that is ahead. */
const BOOK: Book = {
  schema: 'current_schema()',
  tables: ['kysely_migration', 'kysely_migration_lock'],
  lock: '3853314791062309107',
  look: `select case when to_regclass('kysely_migration') is null then 'absent'
    when exists (select from pg_attribute
      where attrelid = to_regclass('kysely_migration') and attname = 'checksum') then 'present'
    else 'old' end as state`,
  prepare: `create table if not exists kysely_migration (
      name varchar(255) primary key,
      timestamp varchar(255) not null
    );
    alter table kysely_migration add column if not exists checksum text`,
  read: `select name, to_jsonb(m) ->> 'checksum' as checksum from kysely_migration m`,
  add: `insert into kysely_migration (name, checksum, timestamp)
    values ($1, $2, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  prove: 'update kysely_migration set checksum = $2 where name = $1',
  remove: 'delete from kysely_migration where name = $1',
};

/** How the server's schema came to be. */
export const serverHistory = async (): Promise<History> => ({
  files: await readMigrations(
    await readdir(MIGRATIONS),
    (name) => readFile(new URL(name, MIGRATIONS), 'utf8'),
    (text) => createHash('sha256').update(text).digest('hex'),
  ),
  removed: { '0034-posted-summaries': 'nothing: 0011-captures-and-ledger sets what it set' },
  adoption: {
    through: '0039-edited-migrations',
    facts: async () =>
      (await readFile(new URL('adopted-schema.txt', MIGRATIONS), 'utf8')).trimEnd().split('\n'),
  },
});

export interface MigrateOptions extends Pick<Migration, 'attempts_max'> {
  readonly history?: History;
  readonly report?: Migration['report'] | undefined;
}

/**
 * Brings the database to this program's schema; safe to run by several processes at once.
 * Throws `MigrationRefusal` where the database is ahead of the program, or was made by edited migrations.
 */
export async function migrate(
  databaseUrl: string,
  { history, report = () => {}, attempts_max }: MigrateOptions = {},
): Promise<void> {
  const pool = poolOf({
    connectionString: databaseUrl,
    max: 1,
    connectionTimeoutMillis: BEGIN_MS,
    query_timeout: STATEMENT_MS,
  });
  const transaction = transactionsOf(pool);
  try {
    const known = history ?? (await serverHistory());
    await runMigrations({ transaction, wait, report, book: BOOK, history: known, attempts_max });
  } finally {
    await pool.end();
  }
}

/** Longest that a connection and the begin of a transaction take. A connection that is silent for longer is closed. */
const BEGIN_MS = 5_000;
/** Longest that one statement takes. A migration rewrites all rows, however many; TCP notices a lost network earlier. */
const STATEMENT_MS = 24 * 60 * 60 * 1_000;

const transactionsOf =
  (pool: pg.Pool): Transactions =>
  async (work) => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query({ text: 'begin', query_timeout: BEGIN_MS } as pg.QueryConfig);
      const result = await work({
        query: async (sql, values) =>
          (await client.query(sql, values as unknown[] | undefined)).rows,
      });
      await client.query('commit');
      return result;
    } catch (error) {
      broken = await rolledBack(client, error as Error);
      throw error;
    } finally {
      client.release(broken);
    }
  };

/** Returns the reason to close the connection. A broken connection hears no rollback. */
async function rolledBack(client: pg.PoolClient, error: Error): Promise<Error | undefined> {
  if (isConnectionError(error)) return error;
  return client.query('rollback').then(
    () => undefined,
    (cause: Error) => cause,
  );
}
