import { ProblemError } from '@florin/contract/errors.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isPassingError } from '../platform/concurrency/batcher.ts';
import type { Database, Db } from '../platform/database/db.ts';
import type { RequestContext } from './behaviour.ts';
import { createShopDatabase } from './filter-to-sql/testing/database.ts';
import { insertRows, shopA, uuid } from './filter-to-sql/testing/rows.ts';
import { createReader, type Reader } from './reading/read.ts';
import { shopModels } from './testing/shop.ts';

const ctx: RequestContext = {
  scope: { merchant_id: shopA, mode: 'sandbox' },
  now: () => 0,
  request_id: 'r',
  base_url: 'https://api.example',
  permissions: 'all',
  settings: { currencies: new Set(), timezone: 'UTC', threeds: 'off', merchant_status: 'active' },
};
const orders = shopModels.get('orders');

let db: Database;
let reader: Reader;
beforeAll(async () => {
  db = await createShopDatabase();
  const impatientDb: Db = {
    query: (sql, values) =>
      db.transaction(async (tx) => {
        await tx.query("set local statement_timeout = '50ms'", []);
        return tx.query(sql, values);
      }),
  };
  reader = createReader({ db: impatientDb, models: shopModels, cursor_key: 'test' });
  await insertRows(db, 'people', [{ id: uuid('b', 1) }]);
  await insertRows(db, 'orders', [{ id: uuid('c', 1), buyer_id: uuid('b', 1) }]);
});
afterAll(() => db[Symbol.asyncDispose]());

/** Runs a read while its table is locked; returns the error. */
const readWhileLocked = (table: string, read: () => Promise<unknown>): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.query(`lock table ${table} in access exclusive mode`, []);
    return read().catch((error) => error);
  });

it.each(['filter[amount]=1', 'sort=amount', 'page[total]=true'])(
  'a slow list is too costly if the client chose filters: %s',
  async (query) => {
    const error = await readWhileLocked('orders', () => reader.listRecords(ctx, orders, query));
    expect(error).toBeInstanceOf(ProblemError);
    expect((error as ProblemError).problems[0]?.code).toBe('query_too_costly');
  },
);

it.each<[string, table: string, read: () => Promise<unknown>]>([
  ['the list as it is', 'orders', () => reader.listRecords(ctx, orders, 'page[size]=5')],
  ['a record by its id', 'orders', () => reader.fetchRecord(ctx, orders, uuid('c', 1), '')],
  [
    'an include',
    'people',
    () => reader.listRecords(ctx, orders, 'filter[amount]=100&include=buyer'),
  ],
])('otherwise the database is slow, and a retry may help: %s', async (_what, table, read) => {
  const error = await readWhileLocked(table, read);
  expect(error).not.toBeInstanceOf(ProblemError);
  expect(isPassingError(error)).toBe(true);
});
