import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { connectionsOf, KEEP_ALIVES } from '@florin/contract/database/connections.ts';
import { createHosts, hostConfig } from '@florin/contract/database/hosts.ts';
import { inTransaction } from '@florin/contract/database/transactions.ts';
import { type Grants, NO_RIGHTS } from '@florin/contract/migrations/grants.ts';
import { type History, readMigrations } from '@florin/contract/migrations/plan.ts';
import {
  type Migration,
  type MigrationTable,
  runMigrations,
} from '@florin/contract/migrations/run.ts';
import type { Session, Transactions } from '@florin/contract/migrations/session.ts';
import pg from 'pg';
import { poolOf, SEARCH_PATH, timing } from './db.ts';

/** The numbers 0027 and 0032 are unused. */
const MIGRATIONS = new URL('./migrations/', import.meta.url);

/**
 * Table and lock of the migration library that Florin used before, so that versions with that library refuse
 * a newer database.
 */
const TABLE: MigrationTable = {
  schema: 'current_schema()',
  tables: ['kysely_migration', 'kysely_migration_lock'],
  lock: '3853314791062309107',
  state_query: `select case when to_regclass('kysely_migration') is null then 'absent'
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

/** The server's migrations, in order. */
export const readServerHistory = async (): Promise<History> => ({
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

/** User of a connection string. */
export const loginOf = (connectionString: string): string | undefined =>
  new pg.Client(hostConfig(createHosts(connectionString))).user;

export interface MigrateOptions extends Pick<Migration, 'attempts_max'> {
  /** Login of the server, which gets the rights to use rows. */
  readonly grant_to?: string | undefined;
  readonly history?: History;
  readonly report?: Migration['report'] | undefined;
  /** Timeout for connecting and beginning a transaction; default 5 s. */
  readonly begin_ms?: number;
}

/**
 * Migrates the database to this program's schema. Several processes may call it concurrently. Throws
 * `MigrationRefusal` if the database is newer than the program, or was migrated with edited files.
 */
export async function migrate(
  databaseUrl: string,
  { history, report = () => {}, attempts_max, begin_ms = BEGIN_MS, grant_to }: MigrateOptions = {},
): Promise<void> {
  const hosts = createHosts(databaseUrl);
  const config = {
    max: 1,
    connectionTimeoutMillis: begin_ms,
    ...(!hosts.is_pooled && { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }),
  };
  const pool = poolOf(hosts, config, `${SEARCH_PATH} ${KEEP_ALIVES}`);
  const transaction = transactionsOf(pool, begin_ms);
  try {
    const migrationHistory = history ?? (await readServerHistory());
    await runMigrations({
      transaction,
      wait,
      report,
      table: TABLE,
      history: migrationHistory,
      attempts_max,
      grants: grant_to ? serverGrants(grant_to) : undefined,
    });
  } finally {
    await pool.end();
  }
}

/** The server reads the list of migrations, and never writes it. */
const serverGrants = (role: string): Grants => ({
  schema: 'public',
  role,
  exceptions: {
    kysely_migration: 'select',
    kysely_migration_lock: 'select',
    // Functions of the owner write these.
    audit_log: 'select',
    audit_log_check: 'select',
    append_audit_log: NO_RIGHTS,
  },
});

/** Timeout for connecting and beginning a transaction. A connection without a response is then closed. */
const BEGIN_MS = 5_000;
/**
 * Statement timeout. A migration may rewrite all rows of a table; TCP keepalive detects a lost connection
 * earlier.
 */
const STATEMENT_MS = 24 * 60 * 60 * 1_000;

/** PostgreSQL rolls back the transaction of a crashed program after this time, which frees its locks. */
const IDLE_IN_TRANSACTION_MS = 60_000;

function transactionsOf(pool: pg.Pool, begin_ms: number): Transactions {
  const connections = connectionsOf<pg.PoolClient>(pool, { timing, limit_ms: STATEMENT_MS });
  const sessionOperations = {
    begin: (client: pg.PoolClient) =>
      connections.execute(client, () => client.query('begin'), begin_ms),
    sessionOn: (client: pg.PoolClient): Session => ({
      query: async (sql, values) =>
        (
          await connections.execute(client, () =>
            client.query(sql, values as unknown[] | undefined),
          )
        ).rows,
    }),
  };
  return (work) => inTransaction(connections, sessionOperations, work);
}
