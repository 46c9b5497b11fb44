import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileModels } from './model.ts';
import { createReader } from './reading/read.ts';
import { orders as orderType, people, shops } from './testing/shop.ts';
import {
  base_url,
  ctx,
  type Document,
  order,
  parse,
  person,
  problemOf,
  toNumbers,
  useShop,
} from './testing/use-shop.ts';

const shop = useShop();
const { list, ids } = shop;

describe('filters', () => {
  it.each<[string, number[]]>([
    ['', [8, 7, 4, 3, 2, 1]],
    ['filter[amount]=20', [3, 2]],
    ['filter[amount]=99999999999', []],
    ['filter[amount]=10,99999999999', [1]],
    ['filter[amount_gte]=20&filter[amount_lt]=30', [3, 2]],
    ['filter[amount][ne]=20', [8, 7, 4, 1]],
    ['filter[status]=paid', [2]],
    ['filter[paid]=true', [2]],
    ['filter[note]=a\\,b', [1]],
    ['filter[note]=null', [8, 7, 4, 3]],
    ['filter[note][null]=false', [2, 1]],
    ['filter[note]=null,100%25', [8, 7, 4, 3, 2]],
    ['filter[note][ne]=100%25', [8, 7, 4, 3, 1]],
    ['filter[note][ne]=null,100%25', [1]],
    ['filter[note][like]=0%25', [2]],
    ['filter[note][like]=A\\,b', [1]],
    ['filter[due_on]=2026-03-01', [3]],
    ['filter[due_at_gt]=2026-01-01T00:00:05Z', [1]],
    ['filter[created_at]=2026-01-01T00:00:03.000001Z', [3]],
    [`filter[id]=${order(1)},${order(9)}`, [1]],
    [`filter[buyer]=${person(1)}`, [2, 1]],
    ['filter[buyer]=null', [4]],
    ['filter[buyer.email]=ann@x.example', [2, 1]],
    ['filter[buyer.name]=null', [3]],
    ['filter[buyer.friend.email]=bob@x.example', [2, 1]],
    ['filter[buyer.orders.amount]=10', [2, 1]],
    ['filter[merchant.name]=A', [8, 7, 4, 3, 2, 1]],
    ['filter[merchant.name]=B', []],
    ['filter[merchant.people.name]=Other', []],
    ['filter[buyer.name]=Live,Other', []],
  ])('%s finds %j', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it.each<[string, number[]]>([
    ['filter[orders.amount_gte]=10', [2, 1]],
    ['filter[orders]=null', [3]],
    ['filter[orders][null]=false', [2, 1]],
    [`filter[orders]=${order(1)},${order(2)}`, [1]],
    ['filter[friend.orders][null]=false', [1]],
  ])('%s finds each person once: %j', async (query, expected) => {
    expect(await ids(query, 'people')).toEqual(expected);
  });

  it('that a type has for all its lists apply with those of the client, but not to a fetch', async () => {
    const modelsUnlisting = (unlisted: Record<string, string>) =>
      compileModels({ shops, people, orders: { ...orderType, unlisted } });
    const models = modelsUnlisting({ status: 'paid' });
    const openReader = createReader({ db: shop.db, models, cursor_key: 'test' });
    const orders = models.get('orders');
    const foundOrders = parse(await openReader.listRecords(ctx, orders, 'filter[amount]=20'));
    expect(toNumbers(foundOrders.data)).toEqual([3]);
    expect(parse(await openReader.fetchRecord(ctx, orders, order(2), '')).data.id).toBe(order(2));
    expect(() =>
      createReader({ db: shop.db, models: modelsUnlisting({ x: '1' }), cursor_key: 'test' }),
    ).toThrow('orders has no filter `x`');
  });

  it('never leave the merchant, whatever the path', async () => {
    const paths = ['buyer.merchant.people.orders', 'merchant.people.orders.buyer', 'buyer'];
    for (const path of paths) {
      expect(
        await ids(
          `filter[${path}]=${order(9)},${person(9)},${person(8)}&filter[buyer.email]=ann@x.example`,
        ),
      ).toEqual([]);
    }
    expect(await ids('', 'shops')).toEqual([1]);
  });
});

describe('pages', () => {
  const readAllPages = async (
    query: string,
    step: 'next' | 'prev',
  ): Promise<(number[] | undefined)[]> => {
    const pages: (number[] | undefined)[] = [];
    let nextQuery: string | undefined = query;
    while (nextQuery !== undefined && pages.length < 20) {
      const page: Document = await list(nextQuery);
      pages.push(toNumbers(page.data));
      nextQuery = page.links[step]?.split('?')[1];
    }
    return pages;
  };

  const sorts = [
    '',
    'sort=created_at',
    'sort=amount',
    'sort=-amount,note',
    'sort=note',
    'sort=-note,amount',
    'sort=buyer.name',
    'sort=-buyer.created_at',
    'sort=-due_at,-id',
    'sort=status,-id',
  ];

  it.each(sorts)(
    'of %j follow each other without gap or repeat, in both directions',
    async (sort) => {
      const wholeList = await ids(sort);
      for (const size of [1, 2, 3]) {
        const forwardPages = await readAllPages(`${sort}&page[size]=${size}`, 'next');
        expect(forwardPages.flat()).toEqual(wholeList);
        const lastQuery = (
          await list(`${sort}&page[size]=${size}&page[total]=true`)
        ).links.last?.split('?')[1];
        const backwardPages = await readAllPages(lastQuery ?? '', 'prev');
        expect(backwardPages.reverse().flat()).toEqual(wholeList);
      }
    },
  );

  it('sort NULL as the largest value', async () => {
    expect(await ids('sort=note,created_at&fields[orders]=')).toEqual([2, 1, 3, 4, 7, 8]);
    expect(await ids('sort=-note,created_at')).toEqual([3, 4, 7, 8, 1, 2]);
  });

  it('carry exact links', async () => {
    const firstPage = await list('page[size]=2&filter[amount_gte]=10&fields[orders]=amount');
    expect(firstPage.links.self).toBe(
      `${base_url}/v2/orders?page%5Bsize%5D=2&filter%5Bamount_gte%5D=10&fields%5Borders%5D=amount`,
    );
    expect(firstPage.links).not.toHaveProperty('prev');
    expect(firstPage.links).not.toHaveProperty('last');
    expect(firstPage.links.next).toMatch(/page%5Bafter%5D=[\w-]+$/);
    expect(firstPage.meta.pagination).toEqual({ limit: 2 });
    const allOrders = await list('');
    expect(Object.keys(allOrders.links)).toEqual(['self', 'first']);
  });

  it('by number and by offset continue with cursors', async () => {
    const secondPage = await list('page[number]=2&page[size]=2');
    expect(toNumbers(secondPage.data)).toEqual([4, 3]);
    expect(await ids(secondPage.links.next?.split('?')[1] ?? '')).toEqual([2, 1]);
    expect(await ids(secondPage.links.prev?.split('?')[1] ?? '')).toEqual([8, 7]);
    expect(await ids('page[offset]=5&page[limit]=2')).toEqual([1]);
  });

  it('past the end are empty and link back', async () => {
    const pagePastEnd = await list('page[offset]=100&page[limit]=4');
    expect(pagePastEnd.data).toEqual([]);
    expect(pagePastEnd.links).not.toHaveProperty('next');
    expect(await ids(pagePastEnd.links.prev?.split('?')[1] ?? '')).toEqual([4, 3, 2, 1]);
  });

  it('count only on request', async () => {
    expect((await list('page[total]=true&filter[amount]=20&page[size]=1')).meta.pagination).toEqual(
      { limit: 1, total: 2 },
    );
  });

  it('refuse a cursor that was changed, or made for another list or order', async () => {
    const { next = '' } = (await list('page[size]=1')).links;
    const cursor = next.split('page%5Bafter%5D=')[1] ?? '';
    for (const query of [
      `page[after]=${cursor}&sort=amount`,
      `page[after]=${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`,
      `page[before]=x${cursor}`,
      'page[after]=garbage',
    ]) {
      expect(await problemOf(list(query))).toBe('400 invalid_cursor');
    }
    expect(await problemOf(list(`page[after]=${cursor}`, 'people'))).toBe('400 invalid_cursor');
  });
});

describe('any query', () => {
  const names = [
    'id',
    'status',
    'amount',
    'note',
    'paid',
    'due_at',
    'due_on',
    'buyer',
    'buyer.email',
    'buyer.orders.note',
    'buyer.friend.name',
    'merchant.people.orders',
    'nope',
  ];
  const values = [
    'null',
    '1',
    'true',
    'open',
    order(1),
    '2026-01-01',
    "'; drop table orders; --",
    '%',
    '\\',
    'a,null',
    '\u0000',
    '💶',
  ];
  const operators = [
    '',
    '[eq]',
    '[ne]',
    '[in]',
    '[gt]',
    '[lte]',
    '[like]',
    '[null]',
    '_gte',
    '_lt',
  ];

  it('is answered or refused with a problem, never with an error of the database', async () => {
    const filter = fc
      .tuple(
        fc.constantFrom(...names),
        fc.constantFrom(...operators),
        fc.oneof(fc.constantFrom(...values), fc.string({ unit: 'grapheme' })),
      )
      .map(([name, operator, value]) => {
        const key = operator.startsWith('_')
          ? `filter[${name}${operator}]`
          : `filter[${name}]${operator}`;
        return `${encodeURIComponent(key)}=${encodeURIComponent(value)}`;
      });
    const sort = fc.subarray(['amount', '-note', 'buyer.name', '-due_on', 'paid'], {
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(filter, { maxLength: 3 }), sort, async (filters, keys) => {
        const query = [...filters, `sort=${keys.join(',')}`, 'page[size]=2'].join('&');
        expect(await problemOf(list(query))).toMatch(/^fine$|^4(00|22) /);
      }),
      { seed: 20_261_121, numRuns: 300 },
    );
  });
});
