import { resources } from '@florin/contract/resources/index.ts';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStoredAsSent } from '../../src/features/index.ts';
import { compileModels } from '../../src/jsonapi/model.ts';
import { expectedTables } from '../../src/jsonapi/schema/tables.ts';
import { type Database, openDatabase } from '../../src/platform/database/db.ts';
import { readTables } from '../../src/platform/database/schema/actual.ts';
import { diffSchema } from '../../src/platform/database/schema/diff.ts';
import { requireIndexes } from '../../src/platform/database/schema/index-check.ts';
import { migrationSql } from '../../src/platform/database/schema/migration-sql.ts';

const models = compileModels(resources);
const tables = expectedTables(models);

let clone: ClonedDatabase;
let db: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  db = openDatabase({ url: clone.url, connections_max: 3 });
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await clone[Symbol.asyncDispose]();
});

it('the migrated database matches the definitions; `npm run db:diff` writes a missing migration', async () => {
  const { changes, notes } = diffSchema(tables, await readTables(db), {
    isStoredAsSent: (table) => isStoredAsSent(models, table),
  });
  expect({ migration: migrationSql(changes), notes }).toEqual({ migration: '', notes: [] });
});

describe('the check at start', () => {
  it('accepts the migrated database', () =>
    expect(requireIndexes(db, tables)).resolves.toBeUndefined());

  it.each([
    ['payment_demands_status', 'processor_state of payment_demands', '(merchant_id, mode, status)'],
    [
      'payment_demands_newest',
      'created_at of payment_demands',
      '(merchant_id, mode, created_at desc, id desc)',
    ],
    [
      'payment_demands_payer',
      'payer of payment_demands',
      '(merchant_id, payer_id) where payer_id is not null',
    ],
    [
      'customers_description',
      'description of customers',
      '(merchant_id, mode, "left"(description, 200))',
    ],
  ])('names the field and the statement after %s was dropped', async (index, field, statement) => {
    const failure = db.transaction(async (tx) => {
      await tx.query(`drop index ${index}`, []);
      await requireIndexes(tx, tables);
    });
    await expect(failure).rejects.toThrow(field);
    await expect(failure).rejects.toThrow(statement);
  });

  it('rejects an index that omits rows a filter may ask for', async () => {
    const failure = db.transaction(async (tx) => {
      await tx.query('drop index payment_demands_status', []);
      await tx.query(
        `create index payment_demands_status on payment_demands (merchant_id, mode, status) where status = 'failed'`,
        [],
      );
      await requireIndexes(tx, tables);
    });
    await expect(failure).rejects.toThrow('processor_state of payment_demands');
  });

  it('accepts one with more columns, or without the mode', async () => {
    await db.transaction(async (tx) => {
      await tx.query('drop index payment_demands_status, customers_email', []);
      await tx.query(
        'create index a on payment_demands (merchant_id, mode, status, created_at)',
        [],
      );
      await tx.query('create index b on customers (merchant_id, email)', []);
      await expect(requireIndexes(tx, tables)).resolves.toBeUndefined();
      await tx.query('drop index a, b', []);
      await tx.query(
        'create index payment_demands_status on payment_demands (merchant_id, mode, status)',
        [],
      );
      await tx.query('create index customers_email on customers (merchant_id, mode, email)', []);
    });
  });
});
