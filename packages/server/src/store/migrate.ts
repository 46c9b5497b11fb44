import { readdir, readFile } from 'node:fs/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type pg from 'pg';
import { poolOf } from './db.ts';

/** 0027 and 0032 were never used. */
const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** The database was made by a newer Florin, or is otherwise not one this program may touch. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}

async function loadMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, MIGRATIONS), 'utf8')));
  return Object.fromEntries(
    files.map((name, at) => [
      name.replace(/\.sql$/, ''),
      {
        up: (db: Kysely<unknown>) =>
          sql
            .raw(texts[at] as string)
            .execute(db)
            .then(() => {}),
      },
    ]),
  );
}

/**
 * Brings the database to this program's schema; safe to run by several processes at once.
 * Throws `MigrationError` where the database is ahead of the program.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const pool = poolOf({ connectionString: databaseUrl, max: 1 });
  try {
    const migrations = await loadMigrations();
    const known = Object.keys(migrations);
    const applied = await appliedMigrations(pool);
    refuseNewer(applied, known);
    // Kysely would first read the description of every table: half of what a start asks of the database.
    if (applied.size === known.length) return;
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    const { error } = await migrator.migrateToLatest();
    if (error) throw error;
  } finally {
    await pool.end();
  }
}

async function appliedMigrations(pool: pg.Pool): Promise<ReadonlySet<string>> {
  const exists = await pool.query(`select to_regclass('kysely_migration') as found`);
  if (!exists.rows[0].found) return new Set();
  const applied = await pool.query<{ name: string }>('select name from kysely_migration');
  return new Set(applied.rows.map(({ name }) => name));
}

function refuseNewer(applied: ReadonlySet<string>, known: readonly string[]): void {
  const ahead = [...applied].filter((name) => !known.includes(name));
  if (ahead.length === 0) return;
  throw new MigrationError(
    `The database was made by a newer Florin (it has ${ahead.join(', ')}). Start that version, or use another data directory.`,
  );
}
