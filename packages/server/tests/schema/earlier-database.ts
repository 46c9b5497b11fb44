import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

export const MIGRATIONS_PATH = join(
  import.meta.dirname,
  '..',
  '..',
  'src/platform/database/migrations',
);
/** Original versions of migrations that were edited on main, and a withdrawn one. */
const ORIGINALS_PATH = join(import.meta.dirname, 'fixtures');

const migrationNames: readonly string[] = readdirSync(MIGRATIONS_PATH)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => name.replace(/\.sql$/, ''))
  .sort();

/** A database as a commit of main created it. */
export interface EarlierVersion {
  /** The first migration that it had not applied. */
  readonly firstUnapplied: string;
  /** Migrations that it applied in their original version. */
  readonly editedNames?: readonly string[];
  /** Migrations below `firstUnapplied` that it had not applied. */
  readonly skippedNames?: readonly string[];
  /** Migrations that were withdrawn later. */
  readonly withdrawnNames?: readonly string[];
}

/** Applies the migrations of a version to an empty schema, and lists them as that version did. */
export async function applyEarlierMigrations(
  client: pg.Client,
  { firstUnapplied, editedNames = [], skippedNames = [], withdrawnNames = [] }: EarlierVersion,
  fillDatabase: (name: string) => Promise<unknown> = async () => {},
): Promise<void> {
  await client.query(CREATE_LIST);
  const appliedNames = migrationNames.filter(
    (name) => name < firstUnapplied && !skippedNames.includes(name),
  );
  for (const name of [...appliedNames, ...withdrawnNames]) {
    await fillDatabase(name);
    const isOriginal = editedNames.includes(name) || withdrawnNames.includes(name);
    await client.query(
      readFileSync(join(isOriginal ? ORIGINALS_PATH : MIGRATIONS_PATH, `${name}.sql`), 'utf8'),
    );
    await client.query(INSERT_NAME, [name]);
  }
}

/** Tables of the library that ran migrations then. */
const CREATE_LIST = `
  create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null);
  create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null default 0);
  insert into kysely_migration_lock values ('migration_lock', 0)`;
const INSERT_NAME = `insert into kysely_migration values ($1,
  to_char(clock_timestamp() at time zone 'UTC' + interval '1 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
