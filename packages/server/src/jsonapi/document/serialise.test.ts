import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { parseQuery } from '../parse-query/parse-query.ts';
import { shopModels } from '../testing/shop.ts';
import { attributesJson, resourceJson } from './serialise.ts';
import { createViews, noLinkage } from './view.ts';
import type { LinkageText } from './view-type.ts';

const orders = shopModels.get('orders');
const people = shopModels.get('people');
const baseUrl = 'https://api.example';
const viewsOf = createViews();

const viewOf = (
  query: string,
  type = 'orders',
  isVisible?: (type: string, field: string) => boolean,
) => {
  const model = shopModels.get(type);
  return viewsOf(parseQuery(shopModels, model, query, 'list'), model, baseUrl, isVisible)(model);
};

const writeResource = (
  query: string,
  row: Row,
  linkage: LinkageText = noLinkage,
  type = 'orders',
) => JSON.parse(viewOf(query, type).write(row, linkage));

const micros = fc.integer({ min: 0, max: 999_999 });
const seconds = fc.date({
  min: new Date('0001-01-02'),
  max: new Date('9999-12-30'),
  noInvalidDate: true,
});

/** A timestamp in PostgreSQL's form, without trailing zeros, and in the form of API responses. */
const timestamp = fc.tuple(seconds, micros).map(([date, micro]) => {
  const wholeSeconds = date.toISOString().slice(0, 19);
  const digits = String(micro).padStart(6, '0');
  const trimmedDigits = digits.replace(/0+$/, '');
  return {
    stored: `${wholeSeconds.replace('T', ' ')}${trimmedDigits && `.${trimmedDigits}`}+00`,
    shown: `${wholeSeconds}.${digits}Z`,
  };
});

const text = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), { nil: null });

describe('attributesJson', () => {
  it('equals JSON.stringify of the plain mapping, whatever the values', () => {
    fc.assert(
      fc.property(
        fc.record({
          note: text,
          amount: fc.maxSafeInteger(),
          paid: fc.option(fc.boolean(), { nil: null }),
          due_at: fc.option(timestamp, { nil: null }),
          extra: fc.option(fc.jsonValue(), { nil: undefined }),
        }),
        ({ note, amount, paid, due_at, extra }) => {
          const row: Row = {
            note,
            amount: String(amount),
            paid: paid === null ? null : paid ? 't' : 'f',
            due_at: due_at?.stored ?? null,
            extra: extra === undefined ? null : JSON.stringify(extra),
          };
          const nullAttributes = Object.fromEntries(
            [...orders.fields.values()]
              .filter(({ readable }) => readable)
              .map(({ name }) => [name, null]),
          );
          const expectedAttributes = {
            ...nullAttributes,
            note,
            amount,
            paid,
            due_at: due_at?.shown ?? null,
            extra: extra ?? null,
          };
          expect(attributesJson(orders, row)).toBe(JSON.stringify(expectedAttributes));
        },
      ),
      { seed: 20_261_121 },
    );
  });

  it.each([
    ['2026-11-21 03:44:00+00', '2026-11-21T03:44:00.000000Z'],
    ['2026-11-21 03:44:00.1+00', '2026-11-21T03:44:00.100000Z'],
    ['2026-11-21T03:44:00.123456Z', '2026-11-21T03:44:00.123456Z'],
    ['2026-11-21T03:44:00Z', '2026-11-21T03:44:00.000000Z'],
  ])('shows the timestamp %s with six decimals', (stored, shown) => {
    expect(JSON.parse(attributesJson(orders, { due_at: stored })).due_at).toBe(shown);
  });

  it('shows a column under every name, and omits sensitive and write-only fields', () => {
    const snapshot = JSON.parse(resourceJson(orders, { id: '1', status: 'paid', hidden: 'x' }));
    expect(snapshot).toMatchObject({
      id: '1',
      type: 'orders',
      attributes: { state: 'paid', status: 'paid' },
    });
    expect(snapshot.attributes).not.toHaveProperty('hidden');
    expect(JSON.parse(attributesJson(people, { secret: 's', name: 'n' }))).toEqual({
      email: null,
      name: 'n',
      created_at: null,
      updated_at: null,
    });
  });
});

describe('views', () => {
  it('writes a resource object with linkage and links', () => {
    expect(writeResource('', { id: '1', buyer_id: '2' })).toMatchObject({
      type: 'orders',
      id: '1',
      attributes: { amount: null },
      relationships: {
        merchant: { data: null },
        buyer: {
          data: { type: 'people', id: '2' },
          links: {
            self: `${baseUrl}/v2/orders/1/relationships/buyer`,
            related: `${baseUrl}/v2/orders/1/relationships/buyer`,
          },
        },
      },
      links: { self: `${baseUrl}/v2/orders/1` },
    });
  });

  it('gives a to-many relationship data only if it is included', () => {
    expect(
      writeResource('', { id: '1' }, noLinkage, 'people').relationships.orders,
    ).not.toHaveProperty('data');
    const linkedResource = writeResource('', { id: '1' }, () => ',"data":[]', 'people');
    expect(linkedResource.relationships.orders.data).toEqual([]);
  });

  it('shows and reads only the selected fields', () => {
    const sparseView = viewOf('fields[orders]=amount,buyer');
    expect(sparseView.columns).toEqual(['id', 'amount', 'buyer_id']);
    const resource = JSON.parse(
      sparseView.write({ id: '1', amount: '5', buyer_id: null }, noLinkage),
    );
    expect(resource.attributes).toEqual({ amount: 5 });
    expect(Object.keys(resource.relationships)).toEqual(['buyer']);
  });

  it('omits attributes and relationships if no field is selected', () => {
    expect(Object.keys(writeResource('fields[orders]=', { id: '1' }))).toEqual([
      'type',
      'id',
      'links',
    ]);
  });

  it('reads the foreign key of an included relation that is not shown', () => {
    expect(viewOf('fields[orders]=amount&include=buyer').columns).toContain('buyer_id');
  });

  it('hides a sensitive field from callers without permission, and does not read it', () => {
    expect(viewOf('', 'people').columns).toContain('secret');
    const hidingView = viewOf('', 'people', () => false);
    expect(hidingView.columns).not.toContain('secret');
    expect(
      JSON.parse(hidingView.write({ id: '1', secret: 's' }, noLinkage)).attributes,
    ).not.toHaveProperty('secret');
  });

  it('takes a value that is shown once from the given row, and never reads it', () => {
    const fullView = viewOf('', 'people');
    expect(fullView.columns).not.toContain('key');
    expect(JSON.parse(fullView.write({ id: '1', key: 'k' }, noLinkage)).attributes.key).toBe('k');
  });

  it('compiles each shape once', () => {
    expect(viewOf('fields[orders]=note,amount').write).toBe(
      viewOf('fields[orders]=amount,note').write,
    );
    expect(viewOf('fields[orders]=note').write).not.toBe(viewOf('fields[orders]=amount').write);
  });
});
