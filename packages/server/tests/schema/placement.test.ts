import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import {
  copiedTables,
  directoryTables,
  globalTables,
  moveTables,
  ownTables,
  tenantTables,
} from '../../src/platform/database/installation/placement.ts';

let db: Database;
beforeAll(async () => {
  const clone = await cloneDatabase();
  db = openDatabase({ url: clone.url, connections_max: 2 });
  return async () => {
    await db[Symbol.asyncDispose]();
    await clone[Symbol.asyncDispose]();
  };
});

it('every table of the database has one place', async () => {
  const rows = await db.query(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by 1`,
    [],
  );
  const placed = [
    ...globalTables,
    ...directoryTables,
    ...copiedTables,
    ...moveTables,
    ...tenantTables,
    ...ownTables,
  ].sort();
  expect(placed).toEqual(rows.map(({ name }) => name));
});

it('each row of a cell has a merchant, and rows of the global database need none', async () => {
  const rows = await db.query(
    `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and a.attname = 'merchant_id' and a.attnotnull`,
    [],
  );
  const owned = new Set(rows.map(({ name }) => name));
  expect(tenantTables.filter((name) => name !== 'merchants' && !owned.has(name))).toEqual([]);
  expect(
    [...globalTables, ...copiedTables, ...ownTables].filter((name) => owned.has(name)),
  ).toEqual([]);
});

it('no foreign key crosses from one database to the other', async () => {
  const rows = await db.query(
    `select distinct conrelid::regclass::text as source, confrelid::regclass::text as target,
       (select string_agg(attname, ', ' order by attnum) from pg_attribute
        where attrelid = conrelid and attnum = any(conkey)) as columns
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
    [],
  );
  const isGlobal = (table: string | null | undefined): boolean =>
    globalTables.some((name) => name === table);
  const isOfCells = (table: string | null | undefined): boolean =>
    [...tenantTables, ...ownTables].some((name) => name === table);
  const crossing = rows
    .filter(
      ({ source, target }) =>
        (isOfCells(source) && isGlobal(target)) || (!isOfCells(source) && isOfCells(target)),
    )
    .map(({ source, columns, target }) => `${source}.${columns} -> ${target}`)
    .sort();
  expect(rows.length).toBeGreaterThan(80);
  expect(crossing).toEqual([]);
});
