import { errorTable, ProblemError } from '@florin/contract/errors.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../store/db.ts';
import type { RequestContext } from './behaviour.ts';
import { createShopDatabase } from './filter-to-sql/testing/database.ts';
import { at, insertRows, shopA, shopB, uuid } from './filter-to-sql/testing/rows.ts';
import { compileModels } from './model.ts';
import { createReader, type Reader } from './read.ts';
import { orders as orderType, people, shopModels, shops } from './testing/shop.ts';

const base_url = 'https://api.example';
const person = (number: number) => uuid('b', number);
const order = (number: number) => uuid('c', number);

const ctx: RequestContext = {
  scope: { merchant_id: shopA, mode: 'sandbox' },
  now: () => 0,
  request_id: 'r',
  base_url,
  permissions: 'all',
  settings: { currencies: new Set(), timezone: 'UTC', threeds: 'off' },
};

let db: Database;
let reader: Reader;

beforeAll(async () => {
  db = await createShopDatabase();
  reader = createReader({ db, models: shopModels, cursor_key: 'test' });
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
    // The foreign keys of these lead out of their scope, as no row's should.
    { id: order(7), buyer_id: person(8), created_at: at(5) },
    { id: order(8), buyer_id: person(9), created_at: at(6) },
    { id: order(9), buyer_id: person(9), merchant_id: shopB },
  ]);
});

afterAll(async () => {
  await db[Symbol.asyncDispose]();
});

interface Resource {
  id: string;
  type: string;
  attributes: Record<string, unknown>;
  relationships: Record<string, { data?: unknown }>;
  links: { self: string };
}

interface Document {
  data: Resource[];
  included?: Resource[];
  links: Record<string, string>;
  meta: { pagination: { limit: number; total?: number } };
}

const parse = ({ body }: { readonly body: Buffer }) => JSON.parse(body.toString());

const list = async (query = '', type = 'orders'): Promise<Document> =>
  parse(await reader.listRecords(ctx, shopModels.get(type), query));

/** Last digits of the ids, as short names. */
const short = (resources: readonly { id: string }[] | undefined) =>
  resources?.map(({ id }) => Number(id.slice(-3)));

const ids = async (query: string, type?: string) => short((await list(query, type)).data);

async function problemOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [first] = error.problems;
    return `${first && errorTable[first.code].status} ${first?.code}`;
  }
  return 'fine';
}

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

  it('that a type has for all its lists hold beside those of the client, but not for a fetch', async () => {
    const unlisting = (unlisted: Record<string, string>) =>
      compileModels({ shops, people, orders: { ...orderType, unlisted } });
    const models = unlisting({ status: 'paid' });
    const open = createReader({ db, models, cursor_key: 'test' });
    const orders = models.get('orders');
    const found = parse(await open.listRecords(ctx, orders, 'filter[amount]=20'));
    expect(short(found.data)).toEqual([3]);
    expect(parse(await open.fetchRecord(ctx, orders, order(2), '')).data.id).toBe(order(2));
    expect(() => createReader({ db, models: unlisting({ x: '1' }), cursor_key: 'test' })).toThrow(
      'orders has no filter of that name',
    );
  });

  it('never leaves the merchant, whatever the path', async () => {
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
  const rowsOf = async (
    query: string,
    step: 'next' | 'prev',
  ): Promise<(number[] | undefined)[]> => {
    const pages: (number[] | undefined)[] = [];
    let at: string | undefined = query;
    while (at !== undefined && pages.length < 20) {
      const page: Document = await list(at);
      pages.push(short(page.data));
      at = page.links[step]?.split('?')[1];
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
      const whole = await ids(sort);
      for (const size of [1, 2, 3]) {
        const forwards = await rowsOf(`${sort}&page[size]=${size}`, 'next');
        expect(forwards.flat()).toEqual(whole);
        const end = (await list(`${sort}&page[size]=${size}&page[total]=true`)).links.last?.split(
          '?',
        )[1];
        const backwards = await rowsOf(end ?? '', 'prev');
        expect(backwards.reverse().flat()).toEqual(whole);
      }
    },
  );

  it('place NULL as the largest value', async () => {
    expect(await ids('sort=note,created_at&fields[orders]=')).toEqual([2, 1, 3, 4, 7, 8]);
    expect(await ids('sort=-note,created_at')).toEqual([3, 4, 7, 8, 1, 2]);
  });

  it('carry exact links', async () => {
    const first = await list('page[size]=2&filter[amount_gte]=10&fields[orders]=amount');
    expect(first.links.self).toBe(
      `${base_url}/v2/orders?page%5Bsize%5D=2&filter%5Bamount_gte%5D=10&fields%5Borders%5D=amount`,
    );
    expect(first.links).not.toHaveProperty('prev');
    expect(first.links).not.toHaveProperty('last');
    expect(first.links.next).toMatch(/page%5Bafter%5D=[\w-]+$/);
    expect(first.meta.pagination).toEqual({ limit: 2 });
    const all = await list('');
    expect(Object.keys(all.links)).toEqual(['self', 'first']);
  });

  it('by number and by offset go on with cursors', async () => {
    const second = await list('page[number]=2&page[size]=2');
    expect(short(second.data)).toEqual([4, 3]);
    expect(await ids(second.links.next?.split('?')[1] ?? '')).toEqual([2, 1]);
    expect(await ids(second.links.prev?.split('?')[1] ?? '')).toEqual([8, 7]);
    expect(await ids('page[offset]=5&page[limit]=2')).toEqual([1]);
  });

  it('past the end are empty and lead back', async () => {
    const past = await list('page[offset]=100&page[limit]=4');
    expect(past.data).toEqual([]);
    expect(past.links).not.toHaveProperty('next');
    expect(await ids(past.links.prev?.split('?')[1] ?? '')).toEqual([4, 3, 2, 1]);
  });

  it('count only when asked', async () => {
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

describe('documents', () => {
  const fetch = async (id: string, query = '', type = 'orders') =>
    parse(await reader.fetchRecord(ctx, shopModels.get(type), id, query));

  it('show values as they are stored', async () => {
    const { data } = await fetch(order(4));
    expect(data.attributes).toMatchObject({
      state: 'open',
      status: 'open',
      amount: 30,
      paid: false,
      tags: ['a'],
      extra: { k: 1.5 },
    });
    expect(data.attributes.created_at).toBe(at(4));
    expect((await fetch(order(3))).data.attributes.due_on).toBe('2026-03-01');
  });

  it.each([order(9), order(6), 'not-a-uuid'])('of %s do not exist', async (id) => {
    expect(await problemOf(fetch(id))).toBe('404 not_found');
  });

  it('include each record once, fully linked', async () => {
    const { data, included } = await list('include=buyer.orders,buyer.friend&sort=created_at');
    const keys = [...data, ...(included ?? [])].map(({ type, id }) => `${type} ${id}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(short(included)?.sort()).toEqual([1, 2]);
    const ann = included?.find(({ id }) => id === person(1));
    expect(ann?.relationships.orders?.data).toEqual([
      { type: 'orders', id: order(2) },
      { type: 'orders', id: order(1) },
    ]);
    expect(ann?.relationships.friend?.data).toEqual({ type: 'people', id: person(2) });
  });

  it('include nothing of another scope, even where a foreign key leads there', async () => {
    const { included } = await list(`filter[id]=${order(7)},${order(8)}&include=buyer`);
    expect(included).toEqual([]);
  });

  it('include an empty to-many as empty linkage', async () => {
    const { data, included } = await fetch(person(3), 'include=orders', 'people');
    expect(data.relationships.orders.data).toEqual([]);
    expect(included).toEqual([]);
    expect((await fetch(person(3), '', 'people')).data.relationships.orders).not.toHaveProperty(
      'data',
    );
  });

  it('keep included records that a fieldset hides the way to', async () => {
    const { data, included } = await list(
      `filter[id]=${order(1)}&include=buyer&fields[orders]=amount&fields[people]=name`,
    );
    expect(data[0]).not.toHaveProperty('relationships');
    expect(included).toEqual([expect.objectContaining({ attributes: { name: 'Ann' } })]);
  });

  it('have no included member unless asked', async () => {
    expect(await fetch(order(1))).not.toHaveProperty('included');
    expect((await fetch(order(1), 'include=')).included).toEqual([]);
  });

  it('need the permission to read every type they touch', async () => {
    const limited = { ...ctx, permissions: new Set(['transaction.orders.read']) };
    const orders = shopModels.get('orders');
    expect(await problemOf(reader.listRecords(limited, orders, 'include=buyer'))).toBe(
      '403 forbidden',
    );
    expect(await problemOf(reader.listRecords(limited, orders, 'filter[buyer.name]=Ann'))).toBe(
      '403 forbidden',
    );
    expect(await problemOf(reader.listRecords(limited, orders, 'sort=buyer.name'))).toBe(
      '403 forbidden',
    );
    expect(await problemOf(reader.listRecords(limited, orders, `filter[buyer]=${person(1)}`))).toBe(
      'fine',
    );
  });
});

describe('relationships', () => {
  const related = async (id: string, name: string, query = '', type = 'orders') => {
    const model = shopModels.get(type);
    const relation = model.relations.get(name);
    if (!relation) throw new Error(name);
    return parse(await reader.fetchRelated(ctx, model, id, relation, query));
  };

  it('to one answer the record, or null', async () => {
    const set = await related(order(1), 'buyer', 'fields[people]=name');
    expect(set.data).toMatchObject({ type: 'people', id: person(1), attributes: { name: 'Ann' } });
    expect(set.links.self).toBe(
      `${base_url}/v2/orders/${order(1)}/relationships/buyer?fields%5Bpeople%5D=name`,
    );
    expect((await related(order(4), 'buyer')).data).toBeNull();
    expect((await related(order(8), 'buyer')).data).toBeNull();
  });

  it('to many are lists with everything a list can do', async () => {
    const page = await related(
      person(1),
      'orders',
      'page[size]=1&sort=amount&include=buyer',
      'people',
    );
    expect(short(page.data)).toEqual([1]);
    expect(page.links.next).toContain(
      `/v2/people/${person(1)}/relationships/orders?page%5Bsize%5D=1&sort=amount`,
    );
    expect(short(page.included)).toEqual([1]);
    const next = await related(person(1), 'orders', page.links.next.split('?')[1], 'people');
    expect(short(next.data)).toEqual([2]);
    expect((await related(person(1), 'orders', 'filter[amount]=20', 'people')).data).toHaveLength(
      1,
    );
  });

  it.each([
    ['orders', 9, 'buyer'],
    ['people', 9, 'orders'],
    ['people', 8, 'orders'],
  ])('of %s %i, which is out of sight, do not exist', async (type, number, name) => {
    const id = type === 'orders' ? order(number) : person(number);
    expect(await problemOf(related(id, name, '', type))).toBe('404 not_found');
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
