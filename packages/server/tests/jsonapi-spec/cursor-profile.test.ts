import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { type Document, documentOf, MEDIA_TYPE, type ResourceObject } from '../support/client.ts';
import { violationsOf } from '../support/json-api-document.ts';
import { makeAddress, makeCustomer, makeDemand } from '../support/make.ts';

const api = useApi();
const PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';
const accept = `${MEDIA_TYPE}; profile="${PROFILE}"`;
const LIST_PATH = '/v2/consumer_addresses';
const ADDRESS_COUNT = 5;
/** Ids in list order: newest first. */
let ids: string[];
let owner: ResourceObject;

beforeAll(async () => {
  owner = await makeCustomer(api.client);
  const addressIds: string[] = [];
  for (let number = 0; number < ADDRESS_COUNT; number += 1) {
    const city = number % 2 ? 'Odd' : 'Even';
    addressIds.unshift((await makeAddress(api.client, { city }, { customer: owner })).id);
  }
  ids = addressIds;
});

const list = (query: string) => api.client.get(`${LIST_PATH}?${query}`, { accept });
const get = async (query: string): Promise<Document> => (await list(query)).body;
const idsOf = ({ data }: Document): string[] => data.map(({ id }: ResourceObject) => id);
const cursorsOf = ({ data }: Document): string[] =>
  data.map(({ meta }: ResourceObject) => (meta!.page as { cursor: string }).cursor);
/** Cursors of all records, in list order. */
const fetchAllCursors = async (): Promise<string[]> => cursorsOf(await get(''));

async function readListError(query: string, headers: Record<string, string> = { accept }) {
  const answer = await api.client.get(`${LIST_PATH}?${query}`, headers);
  expect([violationsOf(answer.body), answer.headers.get('content-type')]).toEqual([[], MEDIA_TYPE]);
  const { code, source, links, meta } = answer.body.errors![0]!;
  return [answer.status, code, source?.parameter, links?.type?.replace(PROFILE, '…/'), meta];
}

describe('the cursor profile', () => {
  it('#86 is named in the Content-Type and the document if it is requested or its parameters are used', async () => {
    const [cursor] = await fetchAllCursors();
    const firstPage = await list('page[size]=2');
    const impliedAnswers = await Promise.all(
      ['after', 'before'].map((side) => api.client.get(`${LIST_PATH}?page[${side}]=${cursor}`)),
    );
    const relatedAnswer = await api.client.get(
      `/v2/customers/${owner.id}/relationships/addresses`,
      {
        accept,
      },
    );
    for (const { status, headers, body } of [firstPage, ...impliedAnswers, relatedAnswer]) {
      expect([status, headers.get('content-type')]).toEqual([200, accept]);
      expect(body).toMatchObject({ jsonapi: { version: '1.1', profile: [PROFILE] } });
      expect(violationsOf(body)).toEqual([]);
    }
    const plainAnswer = await api.client.get(`${LIST_PATH}?page[size]=2`);
    expect([plainAnswer.headers.get('content-type'), plainAnswer.body]).toEqual([
      MEDIA_TYPE,
      expect.objectContaining({ jsonapi: { version: '1.1' } }),
    ]);
  });

  it('#87 has prev and next in every list, null if there is none', async () => {
    const fullList = await get('');
    expect([fullList.links.prev, fullList.links.next]).toEqual([null, null]);
    const [firstCursor, , thirdCursor] = await fetchAllCursors();
    const startPage = await get(`page[size]=2`);
    const middlePage = await get(`page[size]=2&page[after]=${firstCursor}`);
    const endPage = await get(`page[size]=2&page[after]=${thirdCursor}`);
    const linkKinds = [startPage, middlePage, endPage].map(({ links }) =>
      [links.prev, links.next].map((link) => link && 'link'),
    );
    expect(linkKinds).toEqual([
      [null, 'link'],
      ['link', 'link'],
      ['link', null],
    ]);
    const emptyList = await get('filter[city]=Nowhere');
    expect([emptyList.data, emptyList.links.prev, emptyList.links.next]).toEqual([[], null, null]);
  });

  it('#88 says exactly whether there is a next page', async () => {
    for (const size of [1, 2, 3, 4, 5, 6]) {
      const pages: Document[] = [];
      for (
        let url: string | null = `${LIST_PATH}?page[size]=${size}`;
        url;
        url = pages.at(-1)!.links.next!
      ) {
        pages.push((await api.client.get(url, { accept })).body);
      }
      expect(pages.map(({ data }) => data.length)).toEqual(
        Array.from({ length: Math.ceil(ADDRESS_COUNT / size) }, (_, page) =>
          Math.min(size, ADDRESS_COUNT - page * size),
        ),
      );
    }
  });

  it.each(['size', 'limit'])(
    '#89 continues after the record of a cursor, and is empty past the end: page[%s]',
    async (parameter) => {
      const cursors = await fetchAllCursors();
      expect(idsOf(await get(`page[after]=${cursors[1]}&page[${parameter}]=2`))).toEqual(
        ids.slice(2, 4),
      );
      expect(idsOf(await get(`page[after]=${cursors[4]}&page[${parameter}]=2`))).toEqual([]);
    },
  );

  it('#90 returns the records closest before a cursor, in the order of the list', async () => {
    const cursors = await fetchAllCursors();
    expect(idsOf(await get(`page[before]=${cursors[4]}&page[size]=2`))).toEqual(ids.slice(2, 4));
    expect(idsOf(await get(`page[before]=${cursors[0]}&page[size]=2`))).toEqual([]);
  });

  it('#91 has the cursor of each record in its meta, usable as is', async () => {
    for (const query of ['sort=city,-created_at', 'filter[city]=Even']) {
      const fullList = await get(query);
      const nextPages = await Promise.all(
        cursorsOf(fullList).map((cursor) => get(`${query}&page[size]=1&page[after]=${cursor}`)),
      );
      expect(nextPages.map((page) => idsOf(page)[0])).toEqual([
        ...idsOf(fullList).slice(1),
        undefined,
      ]);
    }
    const plainAnswer = await api.client.get(LIST_PATH);
    expect(plainAnswer.body.data.every((record: object) => !('meta' in record))).toBe(true);
  });

  it.each([
    ['a text that is no cursor', () => 'page[after]=abc', 'after'],
    ['a changed cursor', (cursor: string) => `page[after]=${cursor.slice(0, -4)}AAAA`, 'after'],
    ['a cursor of another order', (cursor: string) => `page[before]=${cursor}&sort=city`, 'before'],
  ])('#92 refuses an invalid cursor with 400: %s', async (_title, query, side) => {
    const [cursor] = await fetchAllCursors();
    expect(await readListError(query(cursor!))).toEqual([
      400,
      'invalid_cursor',
      `page[${side}]`,
      undefined,
      undefined,
    ]);
  });

  it('refuses a cursor of another type with 400', async () => {
    const [cursor] = await fetchAllCursors();
    const answer = await api.client.get(`/v2/customers?page[before]=${cursor}`);
    expect([answer.status, answer.body.errors?.[0]]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_cursor', source: { parameter: 'page[before]' } }),
    ]);
  });

  it('#93 refuses a too large page with 400, by the error type that it defines', async () => {
    const expectedError = [
      400,
      'invalid_page',
      'page[size]',
      '…/max-size-exceeded',
      { limit: 500, page: { maxSize: 500 } },
    ];
    expect(await readListError('page[size]=501')).toEqual(expectedError);
    const [cursor] = await fetchAllCursors();
    expect(await readListError(`page[size]=501&page[after]=${cursor}`, {})).toEqual(expectedError);
  });

  it('refuses an ill-typed size with 400, which is 422 otherwise', async () => {
    for (const size of ['0', 'abc']) {
      expect((await readListError(`page[size]=${size}`)).slice(0, 3)).toEqual([
        400,
        'invalid_page',
        'page[size]',
      ]);
      expect((await readListError(`page[size]=${size}`, {}))[0]).toBe(422);
    }
  });

  it('#94 refuses after and before together with 400, by the error type that it defines', async () => {
    const [firstCursor, secondCursor] = await fetchAllCursors();
    expect(
      await readListError(`page[after]=${firstCursor}&page[before]=${secondCursor}`, {}),
    ).toEqual([400, 'invalid_page', 'page[before]', '…/range-pagination-not-supported', undefined]);
  });

  it.each(['unknown', 'customer.addresses.city'])(
    '#95 refuses an unknown order with 400, by the error type that it defines: %s',
    async (sort) => {
      expect(await readListError(`sort=${sort}`)).toEqual([
        400,
        'invalid_sort',
        'sort',
        '…/unsupported-sort',
        undefined,
      ]);
      expect((await readListError(`sort=${sort}`, {}))[3]).toBeUndefined();
    },
  );

  it('#96 continues from a record that is no longer in the list', async () => {
    const customer = await makeCustomer(api.client, { name: 'Zoe' });
    const listPath = '/v2/customers?filter[name]=Zoe&page[size]=1';
    const newerCustomer = await makeCustomer(api.client, { name: 'Zoe' });
    const { body } = await api.client.get(listPath, { accept });
    expect(idsOf(body)).toEqual([newerCustomer.id]);
    await api.client.send(
      'PATCH',
      `/v2/customers/${newerCustomer.id}`,
      documentOf('customers', { name: 'Ada' }, {}, newerCustomer.id),
    );
    const nextAnswer = await api.client.get(body.links.next!, { accept });
    expect(idsOf(nextAnswer.body)).toEqual([customer.id]);
  });

  it('has its own total on request', async () => {
    const { meta } = await get('page[size]=2&page[total]=true');
    const total = ADDRESS_COUNT;
    expect(meta).toEqual({ pagination: { limit: 2, total }, total, page: { total } });
  });

  it('keeps other meta of a record beside its cursor', async () => {
    await makeDemand(api.client);
    const { body } = await api.client.get('/v2/payment_demands', { accept });
    const plainAnswer = await api.client.get('/v2/payment_demands');
    expect(plainAnswer.body.data[0].meta).toHaveProperty('allowed_actions');
    const withoutCursors = body.data.map(({ meta, ...record }: ResourceObject) => {
      const { page: _page, ...otherMeta } = meta as Record<string, unknown>;
      return Object.keys(otherMeta).length > 0 ? { ...record, meta: otherMeta } : record;
    });
    expect(withoutCursors).toEqual(plainAnswer.body.data);
  });
});
