import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Document, documentOf, MEDIA_TYPE, type ResourceObject } from '../support/client.ts';
import { flawsOf } from '../support/json-api-document.ts';
import { makeAddress, makeCustomer, makeDemand } from '../support/make.ts';

const api = useApi();
const PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';
const accept = `${MEDIA_TYPE}; profile="${PROFILE}"`;
const LIST = '/v2/consumer_addresses';
const COUNT = 5;
/** Ids in list order: newest first. */
let ids: string[];
let owner: ResourceObject;

beforeAll(async () => {
  owner = await makeCustomer(api.client);
  const made: string[] = [];
  for (let number = 0; number < COUNT; number += 1) {
    const city = number % 2 ? 'Odd' : 'Even';
    made.unshift((await makeAddress(api.client, { city }, { customer: owner })).id);
  }
  ids = made;
});

const list = (query: string) => api.client.get(`${LIST}?${query}`, { accept });
const get = async (query: string): Promise<Document> => (await list(query)).body;
const idsOf = ({ data }: Document): string[] => data.map(({ id }: ResourceObject) => id);
const cursorsOf = ({ data }: Document): string[] =>
  data.map(({ meta }: ResourceObject) => (meta!.page as { cursor: string }).cursor);
/** Cursors of all records, in list order. */
const allCursors = async (): Promise<string[]> => cursorsOf(await get(''));

interface ErrorObject {
  readonly status: string;
  readonly code: string;
  readonly source?: { readonly parameter?: string };
  readonly links?: { readonly type: string };
  readonly meta?: object;
}

async function listError(query: string, headers: Record<string, string> = { accept }) {
  const answer = await api.client.get(`${LIST}?${query}`, headers);
  expect([flawsOf(answer.body), answer.headers.get('content-type')]).toEqual([[], MEDIA_TYPE]);
  const { code, source, links, meta } = answer.body.errors![0]! as ErrorObject;
  return [answer.status, code, source?.parameter, links?.type.replace(PROFILE, '…/'), meta];
}

describe('the cursor profile', () => {
  it('#86 is named in the Content-Type and the document if it is requested or its parameters are used', async () => {
    const [cursor] = await allCursors();
    const firstPage = await list('page[size]=2');
    const implied = await Promise.all(
      ['after', 'before'].map((side) => api.client.get(`${LIST}?page[${side}]=${cursor}`)),
    );
    const related = await api.client.get(`/v2/customers/${owner.id}/relationships/addresses`, {
      accept,
    });
    for (const { status, headers, body } of [firstPage, ...implied, related]) {
      expect([status, headers.get('content-type')]).toEqual([200, accept]);
      expect(body).toMatchObject({ jsonapi: { version: '1.1', profile: [PROFILE] } });
      expect(flawsOf(body)).toEqual([]);
    }
    const plain = await api.client.get(`${LIST}?page[size]=2`);
    expect([plain.headers.get('content-type'), plain.body]).toEqual([
      MEDIA_TYPE,
      expect.objectContaining({ jsonapi: { version: '1.1' } }),
    ]);
  });

  it('#87 has prev and next in every list, null if there is none', async () => {
    const whole = await get('');
    expect([whole.links.prev, whole.links.next]).toEqual([null, null]);
    const [first, , third] = await allCursors();
    const start = await get(`page[size]=2`);
    const middle = await get(`page[size]=2&page[after]=${first}`);
    const end = await get(`page[size]=2&page[after]=${third}`);
    const kinds = [start, middle, end].map(({ links }) =>
      [links.prev, links.next].map((link) => link && 'link'),
    );
    expect(kinds).toEqual([
      [null, 'link'],
      ['link', 'link'],
      ['link', null],
    ]);
    const empty = await get('filter[city]=Nowhere');
    expect([empty.data, empty.links.prev, empty.links.next]).toEqual([[], null, null]);
  });

  it('#88 says exactly whether there is a next page', async () => {
    for (const size of [1, 2, 3, 4, 5, 6]) {
      const pages: Document[] = [];
      for (
        let at: string | null = `${LIST}?page[size]=${size}`;
        at;
        at = pages.at(-1)!.links.next!
      ) {
        pages.push((await api.client.get(at, { accept })).body);
      }
      expect(pages.map(({ data }) => data.length)).toEqual(
        Array.from({ length: Math.ceil(COUNT / size) }, (_, page) =>
          Math.min(size, COUNT - page * size),
        ),
      );
    }
  });

  it.each(['size', 'limit'])(
    '#89 continues after the record of a cursor, and is empty past the end: page[%s]',
    async (key) => {
      const cursors = await allCursors();
      expect(idsOf(await get(`page[after]=${cursors[1]}&page[${key}]=2`))).toEqual(ids.slice(2, 4));
      expect(idsOf(await get(`page[after]=${cursors[4]}&page[${key}]=2`))).toEqual([]);
    },
  );

  it('#90 returns the records closest before a cursor, in the order of the list', async () => {
    const cursors = await allCursors();
    expect(idsOf(await get(`page[before]=${cursors[4]}&page[size]=2`))).toEqual(ids.slice(2, 4));
    expect(idsOf(await get(`page[before]=${cursors[0]}&page[size]=2`))).toEqual([]);
  });

  it('#91 has the cursor of each record in its meta, usable as is', async () => {
    for (const query of ['sort=city,-created_at', 'filter[city]=Even']) {
      const whole = await get(query);
      const continued = await Promise.all(
        cursorsOf(whole).map((cursor) => get(`${query}&page[size]=1&page[after]=${cursor}`)),
      );
      expect(continued.map((page) => idsOf(page)[0])).toEqual([
        ...idsOf(whole).slice(1),
        undefined,
      ]);
    }
    const plain = await api.client.get(LIST);
    expect(plain.body.data.every((record: object) => !('meta' in record))).toBe(true);
  });

  it.each([
    ['none', () => 'page[after]=abc', 'after'],
    ['one that was changed', (cursor: string) => `page[after]=${cursor.slice(0, -4)}AAAA`, 'after'],
    ['one of another order', (cursor: string) => `page[before]=${cursor}&sort=city`, 'before'],
  ])('#92 refuses an invalid cursor with 400: %s', async (_what, query, side) => {
    const [cursor] = await allCursors();
    expect(await listError(query(cursor!))).toEqual([
      400,
      'invalid_cursor',
      `page[${side}]`,
      undefined,
      undefined,
    ]);
  });

  it('refuses a cursor of another type with 400', async () => {
    const [cursor] = await allCursors();
    const answer = await api.client.get(`/v2/customers?page[before]=${cursor}`);
    expect([answer.status, answer.body.errors?.[0]]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_cursor', source: { parameter: 'page[before]' } }),
    ]);
  });

  it('#93 refuses a too large page with 400, by the error type that it defines', async () => {
    const problem = [
      400,
      'invalid_page',
      'page[size]',
      '…/max-size-exceeded',
      { limit: 500, page: { maxSize: 500 } },
    ];
    expect(await listError('page[size]=501')).toEqual(problem);
    const [cursor] = await allCursors();
    expect(await listError(`page[size]=501&page[after]=${cursor}`, {})).toEqual(problem);
  });

  it('refuses an ill-typed size with 400, which is 422 otherwise', async () => {
    for (const size of ['0', 'abc']) {
      expect((await listError(`page[size]=${size}`)).slice(0, 3)).toEqual([
        400,
        'invalid_page',
        'page[size]',
      ]);
      expect((await listError(`page[size]=${size}`, {}))[0]).toBe(422);
    }
  });

  it('#94 refuses after and before together with 400, by the error type that it defines', async () => {
    const [one, other] = await allCursors();
    expect(await listError(`page[after]=${one}&page[before]=${other}`, {})).toEqual([
      400,
      'invalid_page',
      'page[before]',
      '…/range-pagination-not-supported',
      undefined,
    ]);
  });

  it.each(['unknown', 'customer.addresses.city'])(
    '#95 refuses an unknown order with 400, by the error type that it defines: %s',
    async (sort) => {
      expect(await listError(`sort=${sort}`)).toEqual([
        400,
        'invalid_sort',
        'sort',
        '…/unsupported-sort',
        undefined,
      ]);
      expect((await listError(`sort=${sort}`, {}))[3]).toBeUndefined();
    },
  );

  it('#96 continues from a record that is no longer in the list', async () => {
    const customer = await makeCustomer(api.client, { name: 'Zoe' });
    const list = '/v2/customers?filter[name]=Zoe&page[size]=1';
    const older = await makeCustomer(api.client, { name: 'Zoe' });
    const { body } = await api.client.get(list, { accept });
    expect(idsOf(body)).toEqual([older.id]);
    await api.client.send(
      'PATCH',
      `/v2/customers/${older.id}`,
      documentOf('customers', { name: 'Ada' }, {}, older.id),
    );
    const next = await api.client.get(body.links.next!, { accept });
    expect(idsOf(next.body)).toEqual([customer.id]);
  });

  it('has its own total on request', async () => {
    const { meta } = await get('page[size]=2&page[total]=true');
    const total = COUNT;
    expect(meta).toEqual({ pagination: { limit: 2, total }, total, page: { total } });
  });

  it('keeps other meta of a record beside its cursor', async () => {
    await makeDemand(api.client);
    const { body } = await api.client.get('/v2/payment_demands', { accept });
    const plain = await api.client.get('/v2/payment_demands');
    expect(plain.body.data[0].meta).toHaveProperty('allowed_actions');
    const withoutCursors = body.data.map(({ meta, ...record }: ResourceObject) => {
      const { page: _page, ...rest } = meta as Record<string, unknown>;
      return Object.keys(rest).length > 0 ? { ...record, meta: rest } : record;
    });
    expect(withoutCursors).toEqual(plain.body.data);
  });
});
