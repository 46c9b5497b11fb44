import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

export const MIGRATIONS = join(import.meta.dirname, '..', '..', 'src/platform/database/migrations');
/** Original versions of migrations that were edited on main, and a withdrawn one. */
const EDITED = join(import.meta.dirname, 'fixtures');

const migrationNames: readonly string[] = readdirSync(MIGRATIONS)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.replace(/\.sql$/, ''))
  .sort();

/** A database as a commit of main created it. */
export interface EarlierVersion {
  /** The first migration that it had not applied. */
  readonly before: string;
  /** Migrations that it applied in their original version. */
  readonly edited?: readonly string[];
  /** Migrations below `before` that it had not applied. */
  readonly without?: readonly string[];
  /** Migrations that were withdrawn later. */
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

/** As created by the library that ran migrations then. */
const LIST = `
  create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
  create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0);
  insert into kysely_migration_lock values ('migration_lock', 0)`;
const LISTED = `insert into kysely_migration values ($1,
  to_char(clock_timestamp() at time zone 'UTC' + interval '1 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
