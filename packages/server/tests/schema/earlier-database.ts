import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

export const MIGRATIONS = join(import.meta.dirname, '..', '..', 'src/platform/database/migrations');
/** Migrations as they were before they were edited on main, and one that was taken back. */
const EDITED = join(import.meta.dirname, 'fixtures');

export const migrationNames: readonly string[] = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.replace(/\.sql$/, ''))
  .sort();

/** A database as a commit of main made it. */
export interface EarlierVersion {
  /** The first migration that it did not have yet. */
  readonly before: string;
  /** Those that it applied as they were before they were edited. */
  readonly edited?: readonly string[];
  /** Those below `before` that it had not. */
  readonly without?: readonly string[];
  /** Those that were taken back later. */
  readonly removed?: readonly string[];
}

/** Applies the migrations of a version to an empty schema, and lists them as that version did. */
export async function buildEarlier(
  client: pg.Client,
  { before, edited = [], without = [], removed = [] }: EarlierVersion,
  fill: (name: string) => Promise<unknown> = async () => {},
): Promise<void> {
  await client.query(LIST);
  const own = migrationNames.filter((name) => name < before && !without.includes(name));
  for (const name of [...own, ...removed]) {
    await fill(name);
    const old = edited.includes(name) || removed.includes(name);
    await client.query(readFileSync(join(old ? EDITED : MIGRATIONS, `${name}.sql`), 'utf8'));
    await client.query(LISTED, [name]);
  }
}

/** As the library made it that ran migrations then. */
const LIST = `
  create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
  create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0);
  insert into kysely_migration_lock values ('migration_lock', 0)`;
const LISTED = `insert into kysely_migration values ($1,
  to_char(clock_timestamp() at time zone 'UTC' + interval '1 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
