import { cloneDatabase } from '@florin/dev-env/databases.ts';
import { beforeAll, expect, it } from 'vitest';
import { arrivalColumns } from '../../src/features/cell-moves/sql/arrival.ts';
import { peopleColumns } from '../../src/features/cell-moves/sql/people.ts';
import { readMovedTables } from '../../src/features/cell-moves/sql/tables.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { ownTables, tenantTables } from '../../src/platform/database/installation/placement.ts';

/** Tables of each database with rows of merchants, which stay when the merchant moves. */
const STAYING = [
  // The chain of the audit belongs to its database.
  'audit_entries',
  // Accounts of the cell, whose keys its vault has. Rules for the merchant alone are copied by `copyRules`.
  'processor_accounts',
  'routing_rules',
  // Lines of files, which the move marks.
  'processor_report_lines',
  'settlement_entries',
];

let db: Database;
beforeAll(async () => {
  const clone = await cloneDatabase();
  db = openDatabase({ url: clone.url, connections_max: 1 });
  return async () => {
    await db[Symbol.asyncDispose]();
    await clone[Symbol.asyncDispose]();
  };
});

it('a move copies every table of merchants, referenced tables first', async () => {
  const names = (await readMovedTables(db)).map(({ name }) => name);
  expect([...names].sort()).toEqual([...tenantTables]);
  const references = await db.query(
    `select distinct conrelid::regclass::text as source, confrelid::regclass::text as target
     from pg_constraint where contype = 'f' and conrelid <> confrelid`,
    [],
  );
  const wrong = references.filter(
    ({ source, target }) =>
      names.includes(source as string) &&
      names.indexOf(source as string) < names.indexOf(target as string),
  );
  expect(wrong).toEqual([]);
});

it('a move changes or follows every column that names a row of the database itself', async () => {
  const rows = await db.query(
    `select c.relname || '.' || a.attname as name from pg_constraint k
       join pg_class c on c.oid = k.conrelid join pg_class t on t.oid = k.confrelid
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
     where k.contype = 'f' and c.relname = any ($1::text[]) and t.relname <> all ($1::text[])
     union select table_name || '.' || column_name from information_schema.columns
     where table_schema = current_schema() and column_name = 'processor_account_id' and table_name = any ($1::text[])
     order by 1`,
    [[...tenantTables]],
  );
  const handled = new Set([...arrivalColumns, ...peopleColumns]);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.map(({ name }) => name).filter((name) => !handled.has(name as string))).toEqual([]);
});

it('tables of each database with merchants are known to stay', async () => {
  const rows = await db.query(
    `select table_name as name from information_schema.columns
     where table_schema = current_schema() and column_name = 'merchant_id' and table_name = any ($1::text[]) order by 1`,
    [[...ownTables]],
  );
  expect(rows.map(({ name }) => name)).toEqual([...STAYING].sort());
});
