import { parseDatabaseAddress } from '@florin/contract/database/address.ts';
import type { Db } from '../../../platform/database/db.ts';
import { factOf } from '../../../platform/database/installation/installation-facts.ts';
import { PLACE, readDatabasePlace } from '../../../platform/database/installation/place.ts';
import { readServerHistory } from '../../../platform/database/migrate.ts';
import type { CellCandidate } from '../decide.ts';

/** Looks at a database that shall become a cell. Changes nothing. Rejects if the database cannot be reached. */
export async function probe(
  cell: Db,
  address: string,
  global: Db,
  global_address: string,
): Promise<CellCandidate> {
  const { schema } = parseDatabaseAddress(address);
  const [row] = await cell.query(
    `select current_user::text as login,
       (select count(*) from pg_class
        where relnamespace = to_regnamespace($1) and relkind in ('r', 'p', 'v', 'm', 'f')) as tables,
       m.oid is not null as is_florin, pg_get_userbyid(m.relowner)::text as owner,
       coalesce(pg_has_role(m.relowner, 'usage'), false) as owns,
       coalesce(has_schema_privilege(to_regnamespace($1)::oid, 'create'),
         has_database_privilege(current_database(), 'create')) as may_create,
       ${PLACE} = $2 as is_same_database
     from (select 1) one left join pg_class m
       on m.relnamespace = to_regnamespace($1) and m.relname = 'kysely_migration'`,
    [schema, await readDatabasePlace(global)],
  );
  const is_florin = row?.is_florin === 't';
  return {
    login: row?.login as string,
    tables: Number(row?.tables),
    is_florin,
    owner: row?.owner ?? null,
    owns: row?.owns === 't',
    may_create: row?.may_create === 't',
    is_global:
      row?.is_same_database === 't' && parseDatabaseAddress(global_address).schema === schema,
    ...(is_florin && row?.owns === 't' ? await lookInside(cell) : NOTHING_INSIDE),
  };
}

const NOTHING_INSIDE = { cell: undefined, has_merchants: false, newer: [] } as const;

async function lookInside(
  cell: Db,
): Promise<Pick<CellCandidate, 'cell' | 'has_merchants' | 'newer'>> {
  const applied = await cell.query('select name from kysely_migration order by name', []);
  const { files, removed } = await readServerHistory();
  const known = new Set([...files.map(({ name }) => name), ...Object.keys(removed)]);
  const newer = applied.map(({ name }) => name as string).filter((name) => !known.has(name));
  // A migration that was interrupted may have made neither table.
  const [found] = await cell.query(
    `select to_regclass('installation_facts') is not null as facts, to_regclass('merchants') is not null as merchants`,
    [],
  );
  const merchants =
    found?.merchants === 't' ? await cell.query('select 1 from merchants limit 1', []) : [];
  return {
    newer,
    has_merchants: merchants.length > 0,
    cell: found?.facts === 't' ? await factOf(cell, 'cell') : undefined,
  };
}

/** Applied migrations of a cell, and how they differ from those of this version. */
export interface SchemaVersion {
  /** Number of the newest migration. */
  readonly version: string;
  /** Migrations of this version that the cell lacks. */
  readonly missing: readonly string[];
  /** Migrations of the cell that this version does not know. */
  readonly unknown: readonly string[];
}

export async function schemaVersion(cell: Db): Promise<SchemaVersion> {
  const rows = await cell.query('select name from kysely_migration order by name', []);
  const applied = rows.map(({ name }) => name as string);
  const { files, removed } = await readServerHistory();
  const names = files.map(({ name }) => name);
  const known = new Set([...names, ...Object.keys(removed)]);
  return {
    version: applied.at(-1)?.slice(0, 4) ?? 'none',
    missing: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.has(name)),
  };
}
