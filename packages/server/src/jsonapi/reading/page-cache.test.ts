import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database, Db } from '../../platform/database/db.ts';
import type { RequestContext } from '../behaviour.ts';
import { createShopDatabase } from '../filter-to-sql/testing/database.ts';
import { at, insertRows, shopA, shopB, uuid } from '../filter-to-sql/testing/rows.ts';
import { shopModels } from '../testing/shop.ts';
import { createReader, type Reader } from './read.ts';

const context = (merchant_id: string, mode: 'live' | 'sandbox' = 'sandbox'): RequestContext => ({
  scope: { merchant_id, mode },
  now: () => 0,
  request_id: 'r',
  base_url: 'https://api.example',
  permissions: 'all',
  settings: { currencies: new Set(), timezone: 'UTC', threeds: 'off', merchant_status: 'active' },
});

let db: Database;
let statements: string[] = [];
let isFailing = false;
let reader: Reader;
beforeAll(async () => {
  db = await createShopDatabase();
  const countingDb: Db = {
    query(sql, values, name) {
      statements.push(sql);
      if (isFailing) return Promise.reject(new Error('the reading fails'));
      return db.query(sql, values, name);
    },
  };
  reader = createReader({ db: countingDb, models: shopModels, cursor_key: 'test' });
  await insertRows(db, 'shops', [{ id: shopA }, { id: shopB }]);
});
afterAll(() => db[Symbol.asyncDispose]());

const orders = shopModels.get('orders');
const listOrders = async (ctx: RequestContext, query: string, listReader: Reader = reader) =>
  (await listReader.listRecords(ctx, orders, query)).body.toString();

/** Requests the page until it is cached. */
async function warmCache(ctx: RequestContext, query: string): Promise<void> {
  for (let i = 0; i < 3; i++) await listOrders(ctx, query);
}

it('a page that is requested again is read again only if it has changed', async () => {
  const ctx = context(shopA);
  await insertRows(db, 'orders', [{ id: uuid('c', 1), amount: '10' }]);
  await warmCache(ctx, 'page[size]=5');
  statements = [];
  const cachedPage = await listOrders(ctx, 'page[size]=5');
  expect(statements.map((sql) => sql.includes('as versions'))).toEqual([true]);
  await db.query('update orders set amount = 11', []);
  expect(await listOrders(ctx, 'page[size]=5')).toBe(
    cachedPage.replace('"amount":10', '"amount":11'),
  );
  await insertRows(db, 'orders', [{ id: uuid('c', 2), amount: '12', created_at: at(1) }]);
  expect(JSON.parse(await listOrders(ctx, 'page[size]=5')).data).toHaveLength(2);
});

it('concurrent requests for one page share a read', async () => {
  const ctx = context(shopA);
  await warmCache(ctx, 'page[size]=7');
  statements = [];
  const pages = await Promise.all(
    Array.from({ length: 20 }, () => listOrders(ctx, 'page[size]=7')),
  );
  expect(new Set(pages).size).toBe(1);
  expect(statements.length).toBeLessThanOrEqual(2);
});

it('callers that share a failing read fail together, and the next one reads again', async () => {
  const ctx = context(shopA);
  await warmCache(ctx, 'page[size]=8');
  statements = [];
  isFailing = true;
  const pages = await Promise.allSettled(
    Array.from({ length: 20 }, () => listOrders(ctx, 'page[size]=8')),
  );
  isFailing = false;
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(statements.length).toBeLessThanOrEqual(2);
  expect(await listOrders(ctx, 'page[size]=8')).toContain('"data":[');
});

it('a page requested once costs one statement, and is not cached', async () => {
  statements = [];
  await listOrders(context(shopA), 'filter[amount]=10');
  expect(statements).toHaveLength(1);
});

it.each(['include=buyer', 'page[total]=true', 'sort=buyer.name', 'page[offset]=1'])(
  'a page that shows more than its rows is never cached: %s',
  async (query) => {
    await warmCache(context(shopA), query);
    statements = [];
    await listOrders(context(shopA), query);
    expect(statements.join()).not.toContain('as versions');
  },
);

it('each merchant and mode has its own pages', async () => {
  await insertRows(db, 'orders', [{ id: uuid('c', 3), merchant_id: shopB }]);
  const scopes = [context(shopA), context(shopB), context(shopA, 'live')];
  for (const ctx of scopes) await warmCache(ctx, '');
  const pages = await Promise.all(scopes.map((ctx) => listOrders(ctx, '')));
  expect(pages.map((page) => JSON.parse(page).data.length)).toEqual([2, 1, 0]);
});

it('a list equals the database during concurrent writes', async () => {
  const queries = ['page[size]=2', 'sort=amount', 'filter[status]=paid', 'fields[orders]=note'];
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ list: fc.constantFrom(...queries) }) },
    { weight: 1, arbitrary: fc.record({ paid: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ added: fc.nat(99) }) },
  );
  let number = 100;
  const ctx = context(shopA);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      for (const step of steps) {
        if ('paid' in step) {
          const sql = `update orders set status = 'paid', note = $1 where amount % 10 = $2`;
          await db.query(sql, [`note ${number}`, step.paid]);
        } else if ('added' in step) {
          number += 1;
          await insertRows(db, 'orders', [{ id: uuid('c', number), amount: String(step.added) }]);
        } else {
          const freshReader = createReader({ db, models: shopModels, cursor_key: 'test' });
          expect(await listOrders(ctx, step.list)).toBe(
            await listOrders(ctx, step.list, freshReader),
          );
        }
      }
    }),
    { numRuns: 40 },
  );
});
