import { readdir, readFile } from 'node:fs/promises';
import { StartupError } from '../kernel/errors.ts';
import type { Database, Db } from './db.ts';

const MIGRATIONS = new URL('./migrations/', import.meta.url);

/** Any number that no other program locks on in the same database. */
const MIGRATION_LOCK = 7_238_104_511;

/**
 * Brings schema `vault` to this program's version in one transaction; two vaults that start at once
 * take turns. Throws `StartupError` where the database is ahead of the program.
 */
export async function migrate(database: Database): Promise<void> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort();
  await database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const version = await currentVersion(tx);
    refuseNewer(version, files);
    for (const file of files.filter((name) => versionOf(name) > version)) await apply(tx, file);
  });
}

const versionOf = (file: string): number => Number(file.slice(0, 4));

async function currentVersion(tx: Db): Promise<number> {
  // "if not exists" asks for the right to create schemas even where the schema is there already.
  const [found] = await tx.query<{ exists: boolean }>(
    `select to_regnamespace('vault') is not null as exists`,
  );
  if (!found?.exists) await tx.query('create schema vault');
  await tx.query(
    `create table if not exists vault.migrations (
       version integer primary key,
       name text not null,
       applied_at timestamptz not null default now()
     )`,
  );
  const [row] = await tx.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from vault.migrations',
  );
  return row?.version ?? 0;
}

function refuseNewer(version: number, files: readonly string[]): void {
  const known = Math.max(...files.map(versionOf));
  if (version <= known) return;
  throw new StartupError(
    `The vault's database was made by a newer Florin (version ${version}, this one knows ${known}): start that version, or use another database.`,
  );
}

async function apply(tx: Db, file: string): Promise<void> {
  await tx.query(await readFile(new URL(file, MIGRATIONS), 'utf8'));
  await tx.query('insert into vault.migrations (version, name) values ($1, $2)', [
    versionOf(file),
    file,
  ]);
}
