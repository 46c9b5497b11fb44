import { describe, expect, it } from 'vitest';
import { at } from './filter-to-sql/testing/rows.ts';
import { shopModels } from './testing/shop.ts';
import {
  base_url,
  ctx,
  order,
  parse,
  person,
  problemOf,
  toNumbers,
  useShop,
} from './testing/use-shop.ts';

const shop = useShop();
const { list } = shop;

describe('documents', () => {
  const fetch = async (id: string, query = '', type = 'orders') =>
    parse(await shop.reader.fetchRecord(ctx, shopModels.get(type), id, query));

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
    expect(toNumbers(included)?.sort()).toEqual([1, 2]);
    const ann = included?.find(({ id }) => id === person(1));
    expect(ann?.relationships.orders?.data).toEqual([
      { type: 'orders', id: order(2) },
      { type: 'orders', id: order(1) },
    ]);
    expect(ann?.relationships.friend?.data).toEqual({ type: 'people', id: person(2) });
  });

  it('include nothing of another scope, even if a foreign key leads there', async () => {
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

  it('keep included records if a fieldset hides the relation to them', async () => {
    const { data, included } = await list(
      `filter[id]=${order(1)}&include=buyer&fields[orders]=amount&fields[people]=name`,
    );
    expect(data[0]).not.toHaveProperty('relationships');
    expect(included).toEqual([expect.objectContaining({ attributes: { name: 'Ann' } })]);
  });

  it('have no included member unless requested', async () => {
    expect(await fetch(order(1))).not.toHaveProperty('included');
    expect((await fetch(order(1), 'include=')).included).toEqual([]);
  });

  it('need the permission to read every type they touch', async () => {
    const limitedContext = { ...ctx, permissions: new Set(['transaction.orders.read']) };
    const orders = shopModels.get('orders');
    expect(await problemOf(shop.reader.listRecords(limitedContext, orders, 'include=buyer'))).toBe(
      '403 forbidden',
    );
    expect(
      await problemOf(shop.reader.listRecords(limitedContext, orders, 'filter[buyer.name]=Ann')),
    ).toBe('403 forbidden');
    expect(
      await problemOf(shop.reader.listRecords(limitedContext, orders, 'sort=buyer.name')),
    ).toBe('403 forbidden');
    expect(
      await problemOf(
        shop.reader.listRecords(limitedContext, orders, `filter[buyer]=${person(1)}`),
      ),
    ).toBe('fine');
  });
});

describe('relationships', () => {
  const fetchRelated = async (id: string, name: string, query = '', type = 'orders') => {
    const model = shopModels.get(type);
    const relation = model.relations.get(name);
    if (!relation) throw new Error(name);
    return parse(await shop.reader.fetchRelated(ctx, model, id, relation, query));
  };

  it('to one return the record, or null', async () => {
    const setBuyer = await fetchRelated(order(1), 'buyer', 'fields[people]=name');
    expect(setBuyer.data).toMatchObject({
      type: 'people',
      id: person(1),
      attributes: { name: 'Ann' },
    });
    expect(setBuyer.links.self).toBe(
      `${base_url}/v2/orders/${order(1)}/relationships/buyer?fields%5Bpeople%5D=name`,
    );
    expect((await fetchRelated(order(4), 'buyer')).data).toBeNull();
    expect((await fetchRelated(order(8), 'buyer')).data).toBeNull();
  });

  it('to many are lists with all features of a list', async () => {
    const page = await fetchRelated(
      person(1),
      'orders',
      'page[size]=1&sort=amount&include=buyer',
      'people',
    );
    expect(toNumbers(page.data)).toEqual([1]);
    expect(page.links.next).toContain(
      `/v2/people/${person(1)}/relationships/orders?page%5Bsize%5D=1&sort=amount`,
    );
    expect(toNumbers(page.included)).toEqual([1]);
    const nextPage = await fetchRelated(
      person(1),
      'orders',
      page.links.next.split('?')[1],
      'people',
    );
    expect(toNumbers(nextPage.data)).toEqual([2]);
    expect(
      (await fetchRelated(person(1), 'orders', 'filter[amount]=20', 'people')).data,
    ).toHaveLength(1);
  });

  it.each([
    ['orders', 9, 'buyer'],
    ['people', 9, 'orders'],
    ['people', 8, 'orders'],
  ])('of %s %i, which is invisible, do not exist', async (type, number, name) => {
    const id = type === 'orders' ? order(number) : person(number);
    expect(await problemOf(fetchRelated(id, name, '', type))).toBe('404 not_found');
  });
});
