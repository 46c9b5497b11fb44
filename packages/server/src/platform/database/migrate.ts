import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { connectionsOf, KEEP_ALIVES } from '@florin/contract/database/connections.ts';
import { createHosts, hostConfig } from '@florin/contract/database/hosts.ts';
import { inTransaction } from '@florin/contract/database/transactions.ts';
import { type MigrateCommand, runMigrateCommand } from '@florin/contract/migrations/command.ts';
import { type Grants, NO_RIGHTS } from '@florin/contract/migrations/grants.ts';
import type { Migration, MigrationTable } from '@florin/contract/migrations/migration.ts';
import { type History, readMigrations } from '@florin/contract/migrations/plan.ts';
import { runMigrations } from '@florin/contract/migrations/run.ts';
import type { Connected, Session, Transactions } from '@florin/contract/migrations/session.ts';
import {
  describeSchema,
  parseSchema,
  type RecordedSchema,
} from '@florin/contract/migrations/verify.ts';
import pg from 'pg';
import { poolOf, searchPathOf, timing } from './db.ts';

/** The numbers 0027 and 0032 are unused. */
const MIGRATIONS = new URL('./migrations/', import.meta.url);

/**
 * Table and lock of the migration library that Florin used before, so that versions with that library refuse
 * a newer database.
 */
const TABLE: Omit<MigrationTable, 'schema' | 'progress'> = {
  tables: ['kysely_migration', 'kysely_migration_lock', 'migration_progress'],
  lock: '3853314791062309107',
  state_query: `select case when to_regclass('kysely_migration') is null then 'absent'
    when (select count(*) from pg_attribute
      where attrelid = to_regclass('kysely_migration') and attname in ('checksum', 'phase')) = 2 then 'present'
    else 'old' end as state`,
  prepare: `create table if not exists kysely_migration (
      name varchar(255) primary key,
      timestamp varchar(255) not null
    );
    alter table kysely_migration add column if not exists checksum text, add column if not exists phase text`,
  read: `select name, to_jsonb(m) ->> 'checksum' as checksum, to_jsonb(m) ->> 'phase' as phase
    from kysely_migration m`,
  add: `insert into kysely_migration (name, checksum, phase, timestamp)
    values ($1, $2, $3, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  prove: 'update kysely_migration set checksum = $2 where name = $1',
  remove: 'delete from kysely_migration where name = $1',
};

/**
 * The list of a schema. `create schema if not exists` would need the right to create schemas even where it exists. While
 * the schema is absent, `current_schema()` would be that of temporary tables.
 */
const tableIn = (schema: string): MigrationTable => ({
  ...TABLE,
  schema: `'${schema}'`,
  progress: `${schema}.migration_progress`,
  prepare: `do $$ begin
      if to_regnamespace('${schema}') is null then create schema ${schema}; end if;
    end $$;
    ${TABLE.prepare}`,
});

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

/** The schema that all migrations make, as it was recorded. */
export const readServerSchema = async (): Promise<RecordedSchema> =>
  parseSchema(await readFile(new URL('schema.txt', MIGRATIONS), 'utf8'));

/** User of a connection string. */
export const loginOf = (connectionString: string): string | undefined =>
  new pg.Client(hostConfig(createHosts(connectionString))).user;

export interface MigrateOptions
  extends Pick<Migration, 'attempts_max' | 'turns_max' | 'batch_rows' | 'runs_on_newer'> {
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
export const migrate = (
  databaseUrl: string,
  { report = () => {}, ...options }: MigrateOptions = {},
): Promise<void> =>
  withMigration(databaseUrl, options, (migration) => runMigrations({ ...migration, report }));

/** Runs an action of `florin migrate`. Resolves with the exit code. */
export const commandMigration = (
  databaseUrl: string,
  options: Omit<MigrateOptions, 'report'>,
  command: Pick<MigrateCommand, 'action' | 'print'>,
): Promise<number> =>
  withMigration(databaseUrl, options, (migration) =>
    runMigrateCommand({
      ...command,
      title: "The server's tables",
      migration,
      recorded: readServerSchema,
    }),
  );

/** The schema of a migrated database. */
export const describeServerSchema = (databaseUrl: string): Promise<RecordedSchema> =>
  withMigration(databaseUrl, {}, describeSchema);

/** Opens two connections: online migrations need one beside their transactions. */
async function withMigration<T>(
  databaseUrl: string,
  { history, begin_ms = BEGIN_MS, grant_to, ...limits }: Omit<MigrateOptions, 'report'>,
  work: (migration: Omit<Migration, 'report'>) => Promise<T>,
): Promise<T> {
  const hosts = createHosts(databaseUrl);
  const config = {
    max: 2,
    connectionTimeoutMillis: begin_ms,
    application_name: 'florin migrate',
    ...(!hosts.is_pooled && { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }),
  };
  const pool = poolOf(hosts, config, `${searchPathOf(hosts)} ${KEEP_ALIVES}`);
  try {
    return await work({
      ...accessOf(pool, begin_ms, hosts.is_pooled),
      ...limits,
      wait,
      table: tableIn(hosts.schema),
      history: history ?? (await readServerHistory()),
      grants: grant_to ? serverGrants(hosts.schema, grant_to) : undefined,
    });
  } finally {
    await pool.end();
  }
}

/** The server reads the list of migrations, and never writes it. */
const serverGrants = (schema: string, role: string): Grants => ({
  schema,
  role,
  exceptions: {
    kysely_migration: 'select',
    kysely_migration_lock: 'select',
    migration_progress: NO_RIGHTS,
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

interface Access {
  readonly transaction: Transactions;
  readonly connected?: Connected;
}

function accessOf(pool: pg.Pool, begin_ms: number, is_pooled: boolean): Access {
  const connections = connectionsOf<pg.PoolClient>(pool, { timing, limit_ms: STATEMENT_MS });
  const sessionOn = (client: pg.PoolClient): Session => ({
    query: async (sql, values) =>
      (await connections.execute(client, () => client.query(sql, values as unknown[] | undefined)))
        .rows,
  });
  const begin = (client: pg.PoolClient) =>
    connections.execute(client, () => client.query('begin'), begin_ms);
  const connected: Connected = async (work) => {
    const client = await connections.acquire();
    try {
      return await work(sessionOn(client));
    } finally {
      connections.release(client, true);
    }
  };
  return {
    transaction: (work) => inTransaction(connections, { begin, sessionOn }, work),
    ...(!is_pooled && { connected }),
  };
}
