import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type History,
  MigrationRefusal,
  readMigrations,
} from '@florin/contract/migrations/plan.ts';
import { type Book, type Migration, runMigrations } from '@florin/contract/migrations/run.ts';
import { StartupError } from '../kernel/errors.ts';
import type { Log } from '../kernel/logger.ts';
import type { Database } from './db.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** Longest that one statement takes. A migration rewrites all rows, however many; TCP notices a lost network earlier. */
const MIGRATING_MS = 24 * 60 * 60 * 1_000;

/** "if not exists" of a schema asks for the right to create schemas even where it is there already. */
const BOOK: Book = {
  schema: `'vault'`,
  tables: ['migrations'],
  lock: '7238104511',
  look: `select case when to_regclass('vault.migrations') is null then 'absent'
    when exists (select from pg_attribute
      where attrelid = to_regclass('vault.migrations') and attname = 'checksum') then 'present'
    else 'old' end as state`,
  prepare: `do $$ begin
      if to_regnamespace('vault') is null then create schema vault; end if;
    end $$;
    create table if not exists vault.migrations (
      version integer primary key,
      name text not null,
      applied_at timestamptz not null default now()
    );
    alter table vault.migrations add column if not exists checksum text`,
  read: `select regexp_replace(name, '\\.sql$', '') as name, to_jsonb(m) ->> 'checksum' as checksum
    from vault.migrations m`,
  add: `insert into vault.migrations (version, name, checksum)
    values (left($1::text, 4)::integer, $1::text || '.sql', $2)`,
  prove: `update vault.migrations set checksum = $2 where name = $1::text || '.sql'`,
  remove: `delete from vault.migrations where name = $1::text || '.sql'`,
};

/** How the schema `vault` came to be. */
export const vaultHistory = async (): Promise<History> => ({
  files: await readMigrations(
    await readdir(MIGRATIONS),
    (name) => readFile(new URL(name, MIGRATIONS), 'utf8'),
    (text) => createHash('sha256').update(text).digest('hex'),
  ),
  removed: {},
  adoption: {
    through: '0004-audit-head-and-statistics',
    facts: async () =>
      (await readFile(new URL('adopted-schema.txt', MIGRATIONS), 'utf8')).trimEnd().split('\n'),
  },
});

/**
 * Brings schema `vault` to this program's version; two vaults that start at once take turns. Throws `StartupError`
 * where the database is ahead of the program, or was made by edited migrations.
 */
export async function migrate(
  database: Database,
  report: Log = () => {},
  known?: History,
): Promise<void> {
  try {
    const history = known ?? (await vaultHistory());
    const transaction: Migration['transaction'] = (work) =>
      database.transaction(work, { statement_timeout_ms: MIGRATING_MS });
    await runMigrations({ transaction, wait, report, book: BOOK, history });
  } catch (error) {
    if (!(error instanceof MigrationRefusal)) throw error;
    throw new StartupError(`The vault cannot use its database. ${error.message}`);
  }
}
