import { resources } from '@florin/contract/resources/index.ts';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStoredAsSent } from '../../src/features/index.ts';
import { compileModels } from '../../src/jsonapi/model.ts';
import { expectedTables } from '../../src/jsonapi/schema/tables.ts';
import { type Database, type Db, openDatabase } from '../../src/platform/database/db.ts';
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

it('new amounts of a balance change no index', async () => {
  const hotUpdates = await db.transaction(async (tx) => {
    await tx.query(
      `insert into balances (merchant_id, mode, id, amount_currency, owed_cents, unsettled_cents, reserved_cents,
         disputed_cents, captured_cents, settled_cents, refunded_cents, lost_cents, fees_cents, paid_out_cents,
         created_at, updated_at)
       values (gen_random_uuid(), 'live', gen_random_uuid(), 'USD', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, now(), now())`,
      [],
    );
    await tx.query('update balances set owed_cents = 2, fees_cents = 2, updated_at = now()', []);
    const [row] = await tx.query(
      `select pg_stat_get_xact_tuples_hot_updated('balances'::regclass) as count`,
      [],
    );
    return row?.count;
  });
  expect(hotUpdates).toBe('1');
});

describe('the check at start', () => {
  it('accepts the migrated database', () =>
    expect(requireIndexes(db, tables)).resolves.toBeUndefined());

  it.each([
    [
      'payment_demands_combined',
      'processor_state of payment_demands',
      '(merchant_id, mode, status)',
    ],
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
      await tx.query('drop index payment_demands_combined', []);
      await tx.query(
        `create index payment_demands_combined on payment_demands (merchant_id, mode, status) where status = 'failed'`,
        [],
      );
      await requireIndexes(tx, tables);
    });
    await expect(failure).rejects.toThrow('processor_state of payment_demands');
  });

  it('accepts one with more columns, or without the mode', async () => {
    await withChanges(async (tx) => {
      await tx.query('drop index customers_newest, customers_email', []);
      await tx.query(
        'create index on customers (merchant_id, mode, created_at desc, id desc, name)',
        [],
      );
      await tx.query('create index on customers (merchant_id, email)', []);
      await expect(requireIndexes(tx, tables)).resolves.toBeUndefined();
    });
  });

  it.each([
    [
      'accepts',
      'columns of few values',
      'purchase_kind, confirmed, status, capture_method, amount_currency',
    ],
    ['rejects', 'a column of many values', 'amount_cents, status'],
  ])('%s a column of few values behind %s', async (verdict, _behind, columns) => {
    await withChanges(async (tx) => {
      await tx.query('drop index payment_demands_combined', []);
      await tx.query(`create index on payment_demands (merchant_id, mode, ${columns})`, []);
      const check = expect(requireIndexes(tx, tables));
      await (verdict === 'accepts'
        ? check.resolves.toBeUndefined()
        : check.rejects.toThrow('processor_state of payment_demands'));
    });
  });

  it('rejects a column of many values behind one of few', async () => {
    await withChanges(async (tx) => {
      await tx.query('drop index payment_demands_amount_cents', []);
      await tx.query(
        'create index on payment_demands (merchant_id, mode, status, amount_cents)',
        [],
      );
      await expect(requireIndexes(tx, tables)).rejects.toThrow('amount_cents of payment_demands');
    });
  });
});

class Undone extends Error {}

/** Runs changes of the schema in a transaction, and rolls it back. */
async function withChanges(work: (tx: Db) => Promise<unknown>): Promise<void> {
  const changed = db.transaction(async (tx) => {
    await work(tx);
    throw new Undone();
  });
  await expect(changed).rejects.toBeInstanceOf(Undone);
}
