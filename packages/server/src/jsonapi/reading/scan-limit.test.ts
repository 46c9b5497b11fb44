import { ProblemError } from '@florin/contract/errors.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Restriction } from '../filter-to-sql/select.ts';
import { shopModels } from '../testing/shop.ts';
import { ctx, parse, toNumbers, useShop } from '../testing/use-shop.ts';
import type { ListSearch } from './list-page.ts';
import { createReader, type Reader } from './read.ts';

const shop = useShop();
const orders = shopModels.get('orders');
/** The merchant has six orders: 8, 7, 4, 3, 2 and 1, newest first. */
const list_limits = { total_max: 3, scanned_max: 4 };

let reader: Reader;
beforeAll(async () => {
  reader = createReader({ db: shop.db, models: shopModels, cursor_key: 'test', list_limits });
  await shop.db.query(`update orders set note = 'blue' where id::text like '%00_'`, []);
});

const list = async (query: string) => parse(await reader.listRecords(ctx, orders, query));
/** Every order in an order that no index has. */
const listAll = async (query: string) => {
  const limitless = { total_max: 3, scanned_max: 6 };
  const options = { db: shop.db, models: shopModels, cursor_key: 'test', list_limits: limitless };
  return parse(await createReader(options).listRecords(ctx, orders, query));
};
const errorOf = async (query: string) => {
  const error = await reader.listRecords(ctx, orders, query).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(ProblemError);
  const [{ code, detail, meta }] = (error as ProblemError).problems as [
    { code: string; detail: string; meta?: unknown },
  ];
  return { code, detail, meta };
};

describe('page[total]', () => {
  it('counts to a limit, and says that there are more', async () => {
    const { meta } = await list('page[total]=true&page[size]=1');
    const total = { total: 3, total_is_minimum: true };
    expect(meta).toEqual({ pagination: { limit: 1, ...total }, ...total });
  });

  it('is exact up to the limit', async () => {
    const { meta } = await list('page[total]=true&page[size]=1&filter[amount]=20');
    expect(meta).toEqual({ pagination: { limit: 1, total: 2 }, total: 2 });
  });

  it('is an estimate in the cursor profile, which allows no other', async () => {
    const { links } = await list('page[size]=1');
    const { meta } = await list(`page[total]=true&${links.next.split('?')[1]}`);
    expect(meta.page).toEqual({ estimatedTotal: { bestGuess: 3 } });
  });
});

describe('a search among more records than may be read', () => {
  it('finds what fills a page among the first, and the rest from there on', async () => {
    const firstPage = await list('filter[note][like]=LU&page[size]=2');
    expect(toNumbers(firstPage.data)).toEqual([8, 7]);
    const lastPage = await list(firstPage.links.next.split('?')[1]);
    expect(toNumbers(lastPage.data)).toEqual([4, 3]);
  });

  it.each(['filter[note][like]=red', 'filter[note][like]=lu&page[size]=4'])(
    'is refused where the page may not be complete: %s',
    async (query) => {
      expect(await errorOf(query)).toEqual({
        code: 'query_too_costly',
        detail:
          'No index serves filter[note][like], and the other filters leave more than 4 records. Filter by more, such as created_at_gte.',
        meta: { limit: 4, without_index: ['filter[note][like]'] },
      });
    },
  );

  it.each([
    'filter[due_at][null]=true',
    'filter[buyer.name][null]=true',
    'filter[note][ne]=blue&page[size]=4',
    'filter[limit][eq]=null,5',
  ])('names the filter that no index serves: %s', async (query) => {
    const { code, meta } = await errorOf(query);
    expect({ code, meta }).toMatchObject({
      code: 'query_too_costly',
      meta: { limit: 4, without_index: [expect.stringMatching(/^filter.*\[(null|ne|eq)\]$/)] },
    });
  });

  it('reads only records with a related one, where a filter needs it', async () => {
    await shop.db.query("update orders set buyer_id = null where id::text ~ '[1-3]$'", []);
    await expect(list('filter[buyer.name][ne]=nobody&page[size]=6')).resolves.toBeDefined();
  });

  it.each([
    'filter[note][null]=false',
    'filter[note][ne]=null,red',
    'filter[amount][ne]=7',
    'filter[status][ne]=paid',
    'filter[currency][null]=true',
  ])('does not concern filters that an index serves: %s', async (query) => {
    await expect(list(`${query}&page[size]=6`)).resolves.toBeDefined();
  });

  it('is complete where other filters leave fewer', async () => {
    expect(toNumbers((await list('filter[note][like]=red&filter[amount]=20')).data)).toEqual([]);
  });
});

describe('a sort without an index', () => {
  it.each([
    ['note', 'an attribute that may be null'],
    ['buyer.name', 'an attribute of another record'],
    ['status', 'an attribute of few values'],
  ])('by %s is refused among more records than may be read: %s', async (sort) => {
    const { code, meta } = await errorOf(`sort=${sort}`);
    expect({ code, meta }).toEqual({
      code: 'query_too_costly',
      meta: { limit: 4, without_index: ['sort'] },
    });
    expect((await list(`sort=${sort}&filter[amount]=20`)).data).toHaveLength(2);
  });

  it('does not concern orders that an index has', async () => {
    for (const sort of ['created_at', '-created_at', 'id'])
      expect((await list(`sort=${sort}`)).data).toHaveLength(6);
  });
});

describe('a list that a search of a feature restricts', () => {
  const searchOf = (restriction: Partial<Restriction>): ListSearch => ({
    path: '/found',
    parameter: { name: 'q', value: 'a text' },
    restriction: { tested: [2, 4], matches: (alias) => `${alias}.note is null`, ...restriction },
    meta: { is_complete: true },
  });
  const listFound = async (query: string, restriction: Partial<Restriction> = {}) =>
    parse(await reader.listRecords(ctx, orders, query, searchOf(restriction)));
  const all = async () => (await list('')).data.map(({ id }: { id: string }) => id);

  it('has the found records that its filters leave, in pages of any order', async () => {
    const ids = (await all()).slice(1);
    const page = await listFound('page[size]=2&sort=amount&filter[amount][gte]=1', { ids });
    expect(page.data).toHaveLength(2);
    expect(page.meta.search).toEqual({ is_complete: true });
    const next = new URL(page.links.next);
    expect([next.pathname, next.searchParams.get('q')]).toEqual(['/found', 'a text']);
    next.searchParams.delete('q');
    const others = await listFound(next.searchParams.toString(), { ids });
    const listed = [...page.data, ...others.data].map(({ id }: { id: string }) => id);
    expect(listed.every((id) => ids.includes(id))).toBe(true);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('without their ids tests its records in order, and says if there are too many', async () => {
    const isNever = { matches: () => 'false' };
    expect((await listFound('', isNever)).meta.search).toEqual({ is_complete: false });
    expect((await listFound('', { ...isNever, tested: [2, 6] })).meta.search).toEqual({
      is_complete: true,
    });
    const isAlways = { matches: () => 'true' };
    const { data, meta } = await listFound('page[size]=2', isAlways);
    expect([data.length, meta.search.is_complete]).toEqual([2, true]);
  });

  it('without their ids has the order of a related record', async () => {
    const isAlways: Partial<Restriction> = { matches: () => 'true', tested: [2, 6] };
    const page = await listFound('page[size]=4&sort=-buyer.name,-id', isAlways);
    const next = new URL(page.links.next).searchParams;
    next.delete('q');
    const others = await listFound(next.toString(), isAlways);
    const unrestricted = await listAll('sort=-buyer.name,-id');
    expect(toNumbers([...page.data, ...others.data])).toEqual(toNumbers(unrestricted.data));
  });

  it('is not complete for a caller of all pages, if a later page may lack records', async () => {
    const ofAll: Partial<Restriction> = { matches: () => 'true', reads_all: true };
    const { data, meta } = await listFound('page[size]=2', ofAll);
    expect([data, meta.search]).toEqual([[], { is_complete: false }]);
    const few = await listFound('page[size]=2&filter[amount]=20', ofAll);
    expect([few.data.length, few.meta.search]).toEqual([2, { is_complete: true }]);
  });
});
