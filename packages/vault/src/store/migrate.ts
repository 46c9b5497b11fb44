import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { type MigrateCommand, runMigrateCommand } from '@florin/contract/migrations/command.ts';
import { type Grants, NO_RIGHTS } from '@florin/contract/migrations/grants.ts';
import type { Migration, MigrationTable } from '@florin/contract/migrations/migration.ts';
import {
  type History,
  MigrationRefusal,
  readMigrations,
} from '@florin/contract/migrations/plan.ts';
import { runMigrations } from '@florin/contract/migrations/run.ts';
import {
  describeSchema,
  parseSchema,
  type RecordedSchema,
} from '@florin/contract/migrations/verify.ts';
import { StartupError } from '../kernel/errors.ts';
import type { Log } from '../kernel/logger.ts';
import type { Database } from './db.ts';

const MIGRATIONS_URL = new URL('./migrations/', import.meta.url);

/** Statement timeout. A migration may rewrite all rows; TCP keepalive detects a lost connection earlier. */
const MIGRATION_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

/**
 * Checks for the schema first: `create schema if not exists` needs the right to create schemas even if it
 * exists.
 */
const TABLE: MigrationTable = {
  schema: `'vault'`,
  tables: ['migrations', 'migration_progress'],
  progress: 'vault.migration_progress',
  lock: '7238104511',
  state_query: `select case when to_regclass('vault.migrations') is null then 'absent'
    when (select count(*) from pg_attribute
      where attrelid = to_regclass('vault.migrations') and attname in ('checksum', 'phase')) = 2 then 'present'
    else 'old' end as state`,
  prepare: `do $$ begin
      if to_regnamespace('vault') is null then create schema vault; end if;
    end $$;
    create table if not exists vault.migrations (
      version integer primary key,
      name text not null,
      applied_at timestamptz not null default now()
    );
    alter table vault.migrations add column if not exists checksum text, add column if not exists phase text`,
  read: `select regexp_replace(name, '\\.sql$', '') as name, to_jsonb(m) ->> 'checksum' as checksum,
      to_jsonb(m) ->> 'phase' as phase
    from vault.migrations m`,
  add: `insert into vault.migrations (version, name, checksum, phase)
    values (left($1::text, 4)::integer, $1::text || '.sql', $2, $3)`,
  prove: `update vault.migrations set checksum = $2 where name = $1::text || '.sql'`,
  remove: `delete from vault.migrations where name = $1::text || '.sql'`,
};

export const readVaultHistory = async (): Promise<History> => ({
  files: await readMigrations(
    await readdir(MIGRATIONS_URL),
    (name) => readFile(new URL(name, MIGRATIONS_URL), 'utf8'),
    (text) => createHash('sha256').update(text).digest('hex'),
  ),
  removed: {},
  adoption: {
    through: '0004-audit-head-and-statistics',
    facts: async () =>
      (await readFile(new URL('adopted-schema.txt', MIGRATIONS_URL), 'utf8')).trimEnd().split('\n'),
  },
});

/** The schema that all migrations make, as it was recorded. */
export const readVaultSchema = async (): Promise<RecordedSchema> =>
  parseSchema(await readFile(new URL('schema.txt', MIGRATIONS_URL), 'utf8'));

export interface VaultMigrateOptions extends Pick<Migration, 'attempts_max' | 'runs_on_newer'> {
  readonly history?: History;
  /** Login of the vault, which gets the rights to use rows. */
  readonly grant_to?: string | undefined;
}

/** The vault appends to its audit. Maintenance removes deleted verification values from their file. */
const vaultGrants = (role: string): Grants => ({
  schema: 'vault',
  role,
  exceptions: {
    migrations: 'select',
    migration_progress: NO_RIGHTS,
    audit: 'select, insert',
    cvvs: 'select, insert, update, delete, maintain',
    cvv_epochs: 'select, insert, update, delete, maintain',
  },
});

/**
 * Migrates the schema `vault`. Vaults that start concurrently wait for each other. Throws `StartupError` if
 * the database is newer than the program, or was migrated with edited files.
 */
export async function migrate(
  database: Database,
  report: Log = () => {},
  options: VaultMigrateOptions = {},
): Promise<void> {
  try {
    await runMigrations({ ...(await migrationOf(database, options)), report });
  } catch (error) {
    if (!(error instanceof MigrationRefusal)) throw error;
    throw new StartupError(`The vault cannot use its database. ${error.message}`);
  }
}

/** Runs an action of `florin migrate`. Resolves with the exit code. */
export const commandMigration = async (
  database: Database,
  options: VaultMigrateOptions,
  command: Pick<MigrateCommand, 'action' | 'print'>,
): Promise<number> =>
  runMigrateCommand({
    ...command,
    title: "The vault's tables",
    migration: await migrationOf(database, options),
    recorded: readVaultSchema,
  });

/** The schema of a migrated database. */
export const describeVaultSchema = async (database: Database): Promise<RecordedSchema> =>
  describeSchema(await migrationOf(database, {}));

const migrationOf = async (
  { transaction, connected }: Database,
  { history, grant_to, ...limits }: VaultMigrateOptions,
): Promise<Omit<Migration, 'report'>> => ({
  ...limits,
  transaction: (work) => transaction(work, { statement_timeout_ms: MIGRATION_TIMEOUT_MS }),
  ...(connected && {
    connected: (work) => connected(work, { statement_timeout_ms: MIGRATION_TIMEOUT_MS }),
  }),
  wait,
  table: TABLE,
  history: history ?? (await readVaultHistory()),
  grants: grant_to ? vaultGrants(grant_to) : undefined,
});
