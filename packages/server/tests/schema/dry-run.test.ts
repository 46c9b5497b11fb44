import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { dryRunOf } from '../../src/platform/dry-run.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
let db: Database;
beforeAll(() => {
  db = openDatabase({ url: database.url, connections_max: 1 });
});
afterAll(() => db[Symbol.asyncDispose]());

const INSERT =
  "insert into installation_facts (name, value) values ('tried', 'once') returning value";
const countFacts = () =>
  db.query("select count(*) as count from installation_facts where name = 'tried'", []);

it('a dry run returns what work and statements return, and commits none', async () => {
  const dry = dryRunOf(db);
  expect(await dry.query(INSERT, [])).toEqual([{ value: 'once' }]);
  expect(await dry.transaction(async (tx) => (await tx.query(INSERT, [])).length)).toBe(1);
  expect(await countFacts()).toEqual([{ count: '0' }]);
});

it('a dry run fails as the work does', async () => {
  const refused = dryRunOf(db).transaction(async (tx) => {
    await tx.query(INSERT, []);
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  expect(await countFacts()).toEqual([{ count: '0' }]);
});
