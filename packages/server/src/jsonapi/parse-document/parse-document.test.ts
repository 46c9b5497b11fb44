import { type ErrorCode, type Problem, ProblemError } from '@florin/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { shopModels } from '../testing/shop.ts';
import { parseAction, parseCreate, parseUpdate } from './parse-document.ts';
import { changedColumns, newRow } from './rows.ts';

const orders = shopModels.get('orders');
const people = shopModels.get('people');
const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const buyer = { data: { type: 'people', id } };

type Members = Record<string, unknown>;

const createText = (
  attributes: unknown,
  relationships: unknown = { buyer },
  extraMembers: Members = {},
) => JSON.stringify({ data: { type: 'orders', attributes, relationships, ...extraMembers } });

const create = (attributes: Members) =>
  parseCreate(orders, createText({ amount: 100, ...attributes })).attributes;

/** Validation errors that `work` throws. */
function problemsOf(work: () => unknown): readonly Problem[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems;
  }
  return [];
}

/** `code pointer` of every validation error that `work` throws. */
const errorsOf = (work: () => unknown): string[] =>
  problemsOf(work).map(
    ({ code, source }) => `${code} ${source && 'pointer' in source ? source.pointer : '-'}`,
  );

describe('the document', () => {
  it.each<[string, string]>([
    ['not JSON', 'malformed_json -'],
    ['', 'malformed_json -'],
    ['[]', 'invalid_document -'],
    ['null', 'invalid_document -'],
    ['{}', 'invalid_document '],
    ['{"data":[]}', 'invalid_document /data'],
    ['{"data":null}', 'invalid_document /data'],
    [`{"data":${'['.repeat(30)}${']'.repeat(30)}}`, 'invalid_document -'],
  ])('is refused: %s', (text, expected) => {
    expect(errorsOf(() => parseCreate(orders, text))).toEqual([expected]);
  });

  it('is refused when it is not UTF-8', () => {
    expect(errorsOf(() => parseCreate(orders, Buffer.from([0x22, 0xff, 0x22])))).toEqual([
      'malformed_json -',
    ]);
  });

  it('never repeats the sent values', () => {
    const secret = '4005519200000004';
    const bodies = [
      secret,
      `{${secret}`,
      createText({ amount: secret, currency: secret, state: secret, [`n${secret}`]: 1 }),
    ];
    for (const body of bodies) {
      try {
        parseCreate(orders, body);
        expect.unreachable();
      } catch (error) {
        const details = (error as ProblemError).problems.map(({ detail }) => detail).join();
        expect(details).not.toContain(secret);
        expect((error as ProblemError).message).not.toContain(secret);
      }
    }
  });

  it.each([
    ['a missing type', { type: undefined }, ['invalid_document /data']],
    ['another type', { type: 'people' }, ['type_conflict /data/type']],
    ['an id of its own', { id }, ['client_id_forbidden /data/id']],
  ])('of a create is refused with %s', (_, more, expected) => {
    expect(
      errorsOf(() => parseCreate(orders, createText({ amount: 10 }, { buyer }, more))),
    ).toEqual(expected);
  });

  it.each([
    ['no id', {}, ['invalid_document /data']],
    ['another id', { id: id.replace('0', '1') }, ['id_conflict /data/id']],
    ['its id in capitals', { id: id.toUpperCase() }, []],
  ])('of an update with %s', (_, more, expected) => {
    const text = JSON.stringify({ data: { type: 'orders', ...more } });
    expect(errorsOf(() => parseUpdate(orders, text, id))).toEqual(expected);
    expect(errorsOf(() => parseAction(orders, text, id))).toEqual(expected);
  });

  it('of an action may be empty, and its attributes are ignored', () => {
    const emptyInput = { attributes: {}, relationships: {} };
    expect(parseAction(orders, undefined, id)).toEqual(emptyInput);
    expect(
      parseAction(
        orders,
        JSON.stringify({ data: { type: 'orders', id, attributes: { x: 1 } } }),
        id,
      ),
    ).toEqual(emptyInput);
  });

  it('of an action with fields is validated', () => {
    const fields = { tip: { type: 'integer', min: 0, max: 9 } } as const;
    const actions = { pay: { summary: 'Pay it', fields } };
    const payableModel = { ...orders, resource: { ...orders.resource, actions } };
    const parse = (attributes: unknown) =>
      parseAction(
        payableModel,
        JSON.stringify({ data: { type: 'orders', id, attributes } }),
        id,
        'pay',
      );
    expect(parse(undefined).attributes).toEqual({});
    expect(parse({ tip: 5 }).attributes).toEqual({ tip: 5 });
    expect(errorsOf(() => parse({ tip: 10, toString: 1 }))).toEqual([
      'too_large /data/attributes/tip',
      'unknown_attribute /data/attributes/toString',
    ]);
    expect(errorsOf(() => parse([]))).toEqual(['invalid_document /data/attributes']);
  });

  it('says that an attribute is a relationship, or names the nearest attribute', () => {
    const text = createText(
      { friend: id, friend_id: id, emial: 'a@x.example', email: 'b@x.example' },
      { friend: { data: { type: 'persons', id } } },
      { type: 'poeple' },
    );
    const details = problemsOf(() => parseCreate(people, text)).map(({ detail }) => detail);
    const relationship = 'friend is a relationship. Send it in relationships, by type and id.';
    expect(details).toEqual([
      'This address has no type `poeple`; the nearest is `people`. Accepted: people.',
      relationship,
      relationship,
      expect.stringContaining('the nearest is `email`'),
      'friend has no type `persons`; the nearest is `people`. Accepted: people.',
    ]);
  });

  it('reports all problems in one response', () => {
    const text = createText(
      { amount: 1, nope: 1, state: 'open', currency: 'XX1', note: 'short', limit: 101 },
      { merchant: buyer, orders: buyer },
      { type: 'people', id },
    );
    expect(errorsOf(() => parseCreate(orders, text))).toEqual([
      'type_conflict /data/type',
      'client_id_forbidden /data/id',
      'too_small /data/attributes/amount',
      'unknown_attribute /data/attributes/nope',
      'read_only /data/attributes/state',
      'invalid /data/attributes/currency',
      'too_few_characters /data/attributes/note',
      'over_limit /data/attributes/limit',
      'read_only /data/relationships/merchant',
      'unknown_relationship /data/relationships/orders',
      'blank /data/relationships/buyer',
    ]);
  });
});

describe('attributes', () => {
  it.each<[Members, Members]>([
    [{ note: 'ten letters' }, { note: 'ten letters' }],
    [{ note: '' }, { note: null }],
    [{ note: null }, { note: null }],
    [{ paid: null }, { paid: false }],
    [{ currency: 'usd' }, { currency: 'USD' }],
    [{ country: 'US' }, { country: 'USA' }],
    [{ country: 'XKX' }, { country: 'XKX' }],
    [{ zone: 'Europe/Berlin' }, { zone: 'Europe/Berlin' }],
    [{ zone: 'US/Pacific' }, { zone: 'US/Pacific' }],
    [{ phone: '(202) 555-0123' }, { phone: '+12025550123' }],
    [{ phone: '+49 30 901820' }, { phone: '+4930901820' }],
    [{ page: 'http://localhost:8080/x' }, { page: 'http://localhost:8080/x' }],
    [{ due_at: '2026-11-21T03:44:00+01:30' }, { due_at: '2026-11-21T02:14:00.000000Z' }],
    [{ due_at: '2026-11-21T03:44:00.1234567Z' }, { due_at: '2026-11-21T03:44:00.123456Z' }],
    [{ due_on: '2024-02-29' }, { due_on: '2024-02-29' }],
    [{ tags: ['a', 'b'] }, { tags: ['a', 'b'] }],
    [{ extra: { any: ['thing'] } }, { extra: { any: ['thing'] } }],
    [{ items: [{ quantity: 2 }] }, { items: [{ sku: null, quantity: 2, tax: 0 }] }],
    [{ '@context': {} }, {}],
  ])('%j become %j', (given, expected) => {
    expect(create(given)).toEqual({ amount: 100, ...expected });
  });

  it.each<[Members, ErrorCode, string]>([
    [{ amount: 10.5 }, 'invalid', 'amount'],
    [{ amount: '100' }, 'invalid', 'amount'],
    [{ amount: 1e300 }, 'invalid', 'amount'],
    [{ amount: null }, 'blank', 'amount'],
    [{ note: 5 }, 'invalid', 'note'],
    [{ note: 'x'.repeat(101) }, 'too_long', 'note'],
    [{ note: 'with a \u0000 inside' }, 'invalid', 'note'],
    [{ note: 'half a pair \ud800' }, 'invalid', 'note'],
    [{ paid: 'true' }, 'invalid', 'paid'],
    [{ country: 'Atlantis' }, 'invalid', 'country'],
    [{ zone: 'Mars/Olympus' }, 'invalid', 'zone'],
    [{ zone: '+01:00' }, 'invalid', 'zone'],
    [{ phone: '12' }, 'invalid_phone', 'phone'],
    [{ page: 'ftp://x.example' }, 'invalid', 'page'],
    [{ page: 'javascript:alert(1)' }, 'invalid', 'page'],
    [{ page: 'https://' }, 'invalid', 'page'],
    [{ due_at: 'tomorrow' }, 'invalid', 'due_at'],
    [{ due_at: '2026-13-01T00:00:00Z' }, 'invalid', 'due_at'],
    [{ due_on: '2026-02-29' }, 'invalid', 'due_on'],
    [{ tags: [] }, 'too_few_items', 'tags'],
    [{ tags: ['c'] }, 'not_in_list', 'tags/0'],
    [{ tags: 'a' }, 'invalid', 'tags'],
    [{ extra: [] }, 'invalid', 'extra'],
    [{ extra: { deep: ['\u0000'] } }, 'invalid', 'extra'],
    [{ extra: { long: 'x'.repeat(20_000) } }, 'too_long', 'extra'],
    [{ items: [{ quantity: 0 }] }, 'too_small', 'items/0/quantity'],
    [{ items: [{}] }, 'blank', 'items/0/quantity'],
    [{ items: [{ quantity: 1, 'a/b~c': 1 }] }, 'unknown_attribute', 'items/0/a~1b~0c'],
    [{ items: [1] }, 'invalid', 'items/0'],
    [{ items: [1, 1, 1, 1] }, 'too_long', 'items'],
    [{ created_at: '2026-01-01T00:00:00Z' }, 'read_only', 'created_at'],
  ])('%j are refused with %s at %s', (given, code, location) => {
    expect(errorsOf(() => create(given))).toEqual([`${code} /data/attributes/${location}`]);
  });

  it('counts characters, not UTF-16 units', () => {
    expect(create({ note: '💶'.repeat(100) })).toHaveProperty('note');
    expect(errorsOf(() => create({ note: '💶'.repeat(9) }))).toEqual([
      'too_few_characters /data/attributes/note',
    ]);
  });

  it('must be an object', () => {
    expect(
      errorsOf(() =>
        parseUpdate(orders, JSON.stringify({ data: { type: 'orders', id, attributes: [] } }), id),
      ),
    ).toEqual(['invalid_document /data/attributes']);
  });

  it.each([
    ['', 'blank'],
    ['  ', 'blank'],
    ['nobody', 'invalid'],
    ['a@b', 'invalid'],
    ['a b@c.example', 'invalid'],
  ])('refuse the email %j as %s', (email, code) => {
    const text = JSON.stringify({ data: { type: 'people', attributes: { email } } });
    expect(errorsOf(() => parseCreate(people, text))).toEqual([`${code} /data/attributes/email`]);
  });

  it('that only a create may set must equal the stored value in an update', () => {
    const text = JSON.stringify({ data: { type: 'orders', id, attributes: { currency: 'USD' } } });
    expect(parseUpdate(orders, text, id)).toEqual({
      attributes: {},
      relationships: {},
      read_only: { attributes: { currency: 'USD' }, relationships: {} },
    });
  });
});

describe('relationships', () => {
  const errorsOfBuyer = (value: unknown) =>
    errorsOf(() => parseCreate(orders, createText({ amount: 10 }, { buyer: value })));

  it.each([
    [buyer, []],
    [undefined, ['blank /data/relationships/buyer']],
    [{}, ['invalid_document /data/relationships/buyer']],
    [{ data: null }, ['blank /data/relationships/buyer']],
    [{ data: [] }, ['invalid_document /data/relationships/buyer/data']],
    [{ data: { id } }, ['invalid_document /data/relationships/buyer/data']],
    [{ data: { type: 'orders', id } }, ['type_conflict /data/relationships/buyer/data/type']],
    [{ data: { type: 'people', id: '7' } }, ['relationship_not_found /data/relationships/buyer']],
  ])('%j to a required record', (value, expected) => {
    expect(errorsOfBuyer(value)).toEqual(expected);
  });

  it('are cleared by null if they are optional', () => {
    const text = JSON.stringify({
      data: { type: 'people', id, relationships: { friend: { data: null } } },
    });
    expect(parseUpdate(people, text, id).relationships).toEqual({ friend: null });
  });

  it('to many are not written by an update, and may omit data', () => {
    const orders = { data: [], links: {} };
    const relationships = { orders, friend: { links: { related: '/x' } } };
    const text = JSON.stringify({ data: { type: 'people', id, relationships } });
    expect(parseUpdate(people, text, id)).toEqual({
      attributes: {},
      relationships: {},
      read_only: { attributes: {}, relationships: { orders } },
    });
  });
});

describe('rows', () => {
  const scope = { merchant_id: 'm', mode: 'sandbox' } as const;

  it('of a create are complete', () => {
    const input = parseCreate(orders, createText({ amount: 100, tags: ['a'], due_on: null }));
    expect(newRow(orders, input, { id, scope, now: 1_795_232_640_123_456 })).toEqual({
      id,
      merchant_id: 'm',
      mode: 'sandbox',
      status: 'open',
      amount: '100',
      paid: 'false',
      tags: '["a"]',
      buyer_id: id,
      created_at: '2026-11-21T03:44:00.123456Z',
      updated_at: '2026-11-21T03:44:00.123456Z',
    });
  });

  it('of an update have only the changed columns', () => {
    const text = JSON.stringify({
      data: {
        type: 'orders',
        id,
        attributes: { amount: 20, note: null },
        relationships: { buyer },
      },
    });
    expect(changedColumns(orders, parseUpdate(orders, text, id))).toEqual({
      amount: '20',
      note: null,
      buyer_id: id,
    });
  });
});
