import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { Document, ResourceObject } from '../support/client.ts';
import { violationsOf } from '../support/json-api-document.ts';
import { makeAddress, makeCustomer } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
const ADDRESS_COUNT = 7;
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

const LIST_PATH = '/v2/consumer_addresses';
const get = async (query: string): Promise<Document> =>
  (await api.client.get(`${LIST_PATH}?${query}`)).body;
const idsOf = ({ data }: Document): string[] => data.map(({ id }: ResourceObject) => id);

/** Follows the links from an address through all pages. */
async function followLinks(
  path: string,
  link: 'next' | 'prev' = 'next',
  pages_max = 20,
): Promise<Document[]> {
  const pages: Document[] = [];
  for (
    let url: string | undefined = path;
    url && pages.length < pages_max;
    url = pages.at(-1)?.links[link]
  ) {
    pages.push((await api.client.get(url)).body);
  }
  return pages;
}

const readPageError = async (query: string, headers: Record<string, string> = {}) => {
  const answer = await api.client.get(`${LIST_PATH}?${query}`, headers);
  expect(violationsOf(answer.body)).toEqual([]);
  const { code, source, detail, meta, links } = answer.body.errors![0]!;
  return {
    status: answer.status,
    code,
    parameter: source?.parameter,
    detail,
    meta,
    type: links?.type,
  };
};

describe('a page', () => {
  it.each([
    [
      'number and size',
      'page[size]=3',
      ['page[size]=3&page[number]=2', 'page[size]=3&page[number]=3'],
    ],
    [
      'offset and limit',
      'page[limit]=3',
      ['page[limit]=3&page[offset]=3', 'page[limit]=3&page[offset]=6'],
    ],
  ])('by %s has its part of the list', async (_way, firstQuery, [secondQuery, thirdQuery]) => {
    expect(idsOf(await get(firstQuery))).toEqual(ids.slice(0, 3));
    expect(idsOf(await get(secondQuery!))).toEqual(ids.slice(3, 6));
    expect(idsOf(await get(thirdQuery!))).toEqual(ids.slice(6));
  });

  it.each([
    'page[size]=3',
    'page[limit]=3',
    'page[size]=3&sort=city',
    'page[limit]=2&sort=-city,zip',
  ])('leads by next through the full list, each record once: %s', async (query) => {
    const allIds = idsOf(await get(query.replace(/page\[\w+\]=\d&?/, '')));
    const pages = await followLinks(`${LIST_PATH}?${query}`);
    expect(pages.flatMap(idsOf)).toEqual(allIds);
    expect(pages.slice(0, -1).every(({ data }) => data.length === pages[0]?.data.length)).toBe(
      true,
    );
  });

  it.each(['page[size]=3', 'page[limit]=2&sort=city'])(
    'leads by prev back to the first page: %s',
    async (query) => {
      const forwardPages = await followLinks(`${LIST_PATH}?${query}`);
      const backwardPages = await followLinks(forwardPages.at(-1)!.links.self!, 'prev');
      const size = forwardPages[0]?.data.length;
      const allIds = forwardPages.flatMap(idsOf);
      expect(backwardPages.toReversed().flatMap(idsOf)).toEqual(allIds);
      expect(backwardPages.slice(1, -1).every(({ data }) => data.length === size)).toBe(true);
    },
  );

  it('#76 has first, last, prev and next as its only links to others', async () => {
    const { links } = await get('page[size]=3&page[number]=2&page[total]=true');
    expect(Object.keys(links).sort()).toEqual(
      ['describedby', 'first', 'last', 'next', 'prev', 'self'].sort(),
    );
  });

  it('#77 has no prev on the first page, and no next on the last', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((number) => get(`page[size]=3&page[number]=${number}`)),
    );
    expect(pages.map(({ links }) => ['prev' in links, 'next' in links])).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ]);
    expect('next' in (await get(`page[size]=${ADDRESS_COUNT}`)).links).toBe(false);
    expect('next' in (await get(`page[size]=${ADDRESS_COUNT - 1}`)).links).toBe(true);
  });

  it('#78 keeps filter, sort, fields and include in its links', async () => {
    const query =
      'filter[city]=Even&sort=zip&fields[consumer_addresses]=city,customer&include=customer&page[size]=2';
    const pages = await followLinks(`${LIST_PATH}?${query}`);
    expect(pages.flatMap(({ data }) => data).map(({ attributes }) => attributes)).toEqual(
      Array(4).fill({ city: 'Even' }),
    );
    expect(pages.every(({ included }) => included?.[0]?.id === owner.id)).toBe(true);
    expect((await api.client.get(pages[1]!.links.first!)).body.data).toEqual(pages[0]!.data);
  });

  it.each([
    'sort=-description',
    'sort=description,created_at',
    'sort=-name,description,-email,phone_number,-created_at',
    'sort=merchant.business_website,merchant.business_terms_url,-description,name,email',
  ])('has a next link for sort texts of any length: %s', async (sort) => {
    const longTexts = ['\u{1f600}', '\u0001', 'é'].flatMap((character) => [
      character.repeat(1_000),
      `${character.repeat(999)}!`,
      `${character.repeat(199)}?`,
    ]);
    const customers = await Promise.all(
      longTexts.map((description) =>
        makeCustomer(api.client, {
          description,
          name: description.slice(0, 200).toWellFormed(),
          email: `long@${'x'.repeat(60)}.example`,
        }),
      ),
    );
    const listPath = `/v2/customers?filter[email]=long@${'x'.repeat(60)}.example&${sort}`;
    const allIds = idsOf((await api.client.get(listPath)).body);
    const pages = await followLinks(`${listPath}&page[size]=1`, 'next', 200);
    expect(pages.flatMap(idsOf)).toEqual(allIds);
    expect(allIds).toEqual(expect.arrayContaining(customers.map(({ id }) => id)));
    const backwardPages = await followLinks(pages.at(-1)!.links.self!, 'prev', 200);
    expect(backwardPages.toReversed().flatMap(idsOf)).toEqual(allIds);
  });

  it('#79 has the requested size, a hundred by default, and 500 at most', async () => {
    expect((await get('page[size]=2')).data).toHaveLength(2);
    expect((await get('')).meta.pagination).toEqual({ limit: 100 });
    expect((await get('page[size]=500')).meta.pagination).toEqual({ limit: 500 });
    for (const parameter of ['size', 'limit']) {
      expect(await readPageError(`page[${parameter}]=501`)).toEqual({
        status: 400,
        code: 'invalid_page',
        parameter: `page[${parameter}]`,
        detail: 'A page can have at most 500 records.',
        meta: { limit: 500, page: { maxSize: 500 } },
        type: undefined,
      });
    }
  });

  it.each([
    ...['0', '-1', 'abc', '1.5', '2147483648', '1e1'].map((size) => `page[size]=${size}`),
    'page[limit]=0',
    'page[number]=0',
    'page[offset]=-1',
    'page[total]=yes',
  ])('#80 by an ill-typed value is 422: %s', async (query) => {
    expect(await readPageError(query)).toMatchObject({
      status: 422,
      code: 'invalid_value',
      parameter: query.split('=')[0],
    });
  });

  it.each([
    ['page[number]=1&page[offset]=0', 'page[offset]'],
    ['page[number]=1&page[limit]=2', 'page[limit]'],
    ['page[size]=2&page[offset]=0', 'page[offset]'],
    ['page[size]=2&page[limit]=2', 'page[limit]'],
    ['page[number]=1&page[after]=x', 'page[after]'],
    ['page[offset]=1&page[before]=x', 'page[before]'],
  ])('#81 by two paging methods is 400: %s', async (query, parameter) => {
    expect(await readPageError(query)).toMatchObject({
      status: 400,
      code: 'invalid_page',
      parameter,
    });
  });

  it('#82 far past the end is empty, with prev and without next', async () => {
    const { data, links } = await get('page[size]=3&page[number]=1000');
    expect(data).toEqual([]);
    expect([typeof links.prev, links.next]).toEqual(['string', undefined]);
    expect(idsOf((await api.client.get(links.prev!)).body)).toEqual(ids.slice(-3));
  });

  it('deeper than ten thousand records is 400, with advice', async () => {
    expect(await readPageError('page[number]=2147483647')).toMatchObject({
      status: 400,
      detail: expect.stringContaining('links.next'),
      meta: { limit: 10_000 },
    });
  });

  it('#83 of a single record is 400', async () => {
    const answer = await api.client.get(`${LIST_PATH}/${ids[0]}?page[size]=1`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['unknown_parameter', 'page[size]']]]);
  });

  it.each([
    ['page[foo]=1', 'page[foo]'],
    ['page=1', 'page'],
    ['page[size][x]=1', 'page[size][x]'],
  ])('#84 by an unknown key is 400: %s', async (query, parameter) => {
    expect(await readPageError(query)).toMatchObject({
      status: 400,
      code: 'invalid_page',
      parameter,
    });
  });

  it('#85 has a count and a last link only on request', async () => {
    const body = await get('filter[city]=Even&page[size]=3&page[total]=true');
    expect(body.meta).toEqual({ pagination: { limit: 3, total: 4 }, total: 4 });
    const lastPage = (await api.client.get(body.links.last!)).body;
    const evenIds = idsOf(await get('filter[city]=Even'));
    expect(idsOf(lastPage)).toEqual(evenIds.slice(-3));
    expect(lastPage.links.next).toBeFalsy();
    const uncountedPage = await get('page[size]=3');
    expect(['last' in uncountedPage.links, uncountedPage.meta]).toEqual([
      false,
      { pagination: { limit: 3 } },
    ]);
  });
});
