import { errorTable, ProblemError } from '@florin/contract/errors.ts';
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../../platform/database/db.ts';
import type { RequestContext } from '../behaviour.ts';
import { createShopDatabase } from '../filter-to-sql/testing/database.ts';
import { at, insertRows, shopA, shopB, uuid } from '../filter-to-sql/testing/rows.ts';
import { createReader, type Reader } from '../reading/read.ts';
import { shopModels } from './shop.ts';

export const base_url = 'https://api.example';
export const person = (number: number) => uuid('b', number);
export const order = (number: number) => uuid('c', number);

export const ctx: RequestContext = {
  scope: { merchant_id: shopA, mode: 'sandbox' },
  now: () => 0,
  request_id: 'r',
  base_url,
  permissions: 'all',
  settings: { currencies: new Set(), timezone: 'UTC', threeds: 'off', merchant_status: 'active' },
};

export interface Resource {
  id: string;
  type: string;
  attributes: Record<string, unknown>;
  relationships: Record<string, { data?: unknown }>;
  links: { self: string };
}

export interface Document {
  data: Resource[];
  included?: Resource[];
  links: Record<string, string>;
  meta: { pagination: { limit: number; total?: number } };
}

export const parse = ({ body }: { readonly body: Buffer }) => JSON.parse(body.toString());

/** Last three digits of each id, as a number. */
export const toNumbers = (resources: readonly { id: string }[] | undefined) =>
  resources?.map(({ id }) => Number(id.slice(-3)));

/** Status and code of the problem that the work throws. */
export async function problemOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [firstProblem] = error.problems;
    return `${firstProblem && errorTable[firstProblem.code].status} ${firstProblem?.code}`;
  }
  return 'fine';
}

/** The shop's records in a separate database, read by merchant A in its sandbox. */
export interface ShopHandle {
  readonly db: Database;
  readonly reader: Reader;
  list(query?: string, type?: string): Promise<Document>;
  /** Ids of a list's records, as the short numbers that the test gave them. */
  ids(query: string, type?: string): Promise<number[] | undefined>;
}

export function useShop(): ShopHandle {
  let db: Database;
  let reader: Reader;
  beforeAll(async () => {
    db = await createShopDatabase();
    reader = createReader({ db, models: shopModels, cursor_key: 'test' });
    await insertShop(db);
  });
  afterAll(() => db[Symbol.asyncDispose]());
  const list: ShopHandle['list'] = async (query = '', type = 'orders') =>
    parse(await reader.listRecords(ctx, shopModels.get(type), query));
  return {
    get db() {
      return db;
    },
    get reader() {
      return reader;
    },
    list,
    ids: async (query, type) => toNumbers((await list(query, type)).data),
  };
}

async function insertShop(db: Database): Promise<void> {
  await insertRows(db, 'shops', [
    { id: shopA, name: 'A' },
    { id: shopB, name: 'B' },
  ]);
  await insertRows(db, 'people', [
    { id: person(1), email: 'ann@x.example', name: 'Ann', friend_id: person(2) },
    { id: person(2), email: 'bob@x.example', name: null, created_at: at(1) },
    { id: person(3), email: 'eve@x.example', name: 'Eve', created_at: at(2) },
    { id: person(8), email: 'ann@x.example', name: 'Live', mode: 'live' },
    { id: person(9), email: 'ann@x.example', name: 'Other', merchant_id: shopB },
  ]);
  await insertRows(db, 'orders', [
    {
      id: order(1),
      buyer_id: person(1),
      amount: '10',
      note: 'a,b',
      due_at: at(5),
      created_at: at(1),
    },
    {
      id: order(2),
      buyer_id: person(1),
      amount: '20',
      note: '100%',
      status: 'paid',
      paid: 'true',
      created_at: at(2),
    },
    { id: order(3), buyer_id: person(2), amount: '20', due_on: '2026-03-01', created_at: at(3) },
    { id: order(4), amount: '30', tags: '["a"]', extra: '{"k": 1.50}', created_at: at(4) },
    // Foreign keys that cross the scope, which correct code never writes.
    { id: order(7), buyer_id: person(8), created_at: at(5) },
    { id: order(8), buyer_id: person(9), created_at: at(6) },
    { id: order(9), buyer_id: person(9), merchant_id: shopB },
  ]);
}
