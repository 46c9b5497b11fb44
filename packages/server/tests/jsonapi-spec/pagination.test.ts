import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { Document, ResourceObject } from '../support/client.ts';
import { makeAddress, makeCustomer } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
const COUNT = 7;
/** Ids in the order of the lists: the newest first. */
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

const LIST = '/v2/consumer_addresses';
const get = async (query: string): Promise<Document> =>
  (await api.client.get(`${LIST}?${query}`)).body;
const idsOf = ({ data }: Document): string[] => data.map(({ id }: ResourceObject) => id);

/** All pages from an address on, over their links. */
async function walk(path: string, link: 'next' | 'prev' = 'next'): Promise<Document[]> {
  const pages: Document[] = [];
  for (let at: string | undefined = path; at && pages.length < 20; at = pages.at(-1)?.links[link]) {
    pages.push((await api.client.get(at)).body);
  }
  return pages;
}

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
  ])('79. by %s holds its share of the list', async (_way, first, [second, third]) => {
    expect(idsOf(await get(first))).toEqual(ids.slice(0, 3));
    expect(idsOf(await get(second!))).toEqual(ids.slice(3, 6));
    expect(idsOf(await get(third!))).toEqual(ids.slice(6));
  });

  it.each([
    'page[size]=3',
    'page[limit]=3',
    'page[size]=3&sort=city',
    'page[limit]=2&sort=-city,zip',
  ])('78, 88. leads over next through the whole list, each record once: %s', async (query) => {
    const whole = idsOf(await get(query.replace(/page\[\w+\]=\d&?/, '')));
    const pages = await walk(`${LIST}?${query}`);
    expect(pages.flatMap(idsOf)).toEqual(whole);
    expect(pages.slice(0, -1).every(({ data }) => data.length === pages[0]?.data.length)).toBe(
      true,
    );
  });

  it.each(['page[size]=3', 'page[limit]=2&sort=city'])(
    '90. leads over prev back to the first page: %s',
    async (query) => {
      const forwards = await walk(`${LIST}?${query}`);
      const backwards = await walk(forwards.at(-1)!.links.self!, 'prev');
      const size = forwards[0]?.data.length;
      const whole = forwards.flatMap(idsOf);
      expect(backwards.toReversed().flatMap(idsOf)).toEqual(whole);
      expect(backwards.slice(1, -1).every(({ data }) => data.length === size)).toBe(true);
    },
  );

  it('76, 77. has prev but on the first, next but on the last, and no null', async () => {
    const pages = await walk(`${LIST}?page[size]=3`);
    expect(pages.map(({ links }) => Object.keys(links).sort())).toEqual([
      ['first', 'next', 'self'],
      ['first', 'next', 'prev', 'self'],
      ['first', 'prev', 'self'],
    ]);
  });

  it('77. that holds exactly all of the list has no next', async () => {
    expect((await get(`page[size]=${COUNT}`)).links.next).toBeUndefined();
    expect((await get(`page[size]=${COUNT - 1}`)).links.next).toBeDefined();
  });

  it('78. keeps filter, sort, fields and include in its links', async () => {
    const query =
      'filter[city]=Even&sort=zip&fields[consumer_addresses]=city,customer&include=customer&page[size]=2';
    const pages = await walk(`${LIST}?${query}`);
    expect(pages.flatMap(({ data }) => data).map(({ attributes }) => attributes)).toEqual(
      Array(4).fill({ city: 'Even' }),
    );
    expect(pages.every(({ included }) => included?.[0]?.id === owner.id)).toBe(true);
    expect((await api.client.get(pages[1]!.links.first!)).body.data).toEqual(pages[0]!.data);
  });

  it('79. has a hundred records where nothing is said, and says so', async () => {
    expect((await get('')).meta.pagination).toEqual({ limit: 100 });
    expect((await get('page[size]=500')).meta.pagination).toEqual({ limit: 500 });
  });

  it('82. far past the end is empty, with prev and without next', async () => {
    const { data, links } = await get('page[size]=3&page[number]=1000');
    expect(data).toEqual([]);
    expect([typeof links.prev, links.next]).toEqual(['string', undefined]);
    expect(idsOf((await api.client.get(links.prev!)).body)).toEqual(ids.slice(-3));
  });

  it('85. counts the matches and has a last link where that is asked for', async () => {
    const body = await get('filter[city]=Even&page[size]=3&page[total]=true');
    expect(body.meta.pagination).toEqual({ limit: 3, total: 4 });
    const last = (await api.client.get(body.links.last!)).body;
    const all = idsOf(await get('filter[city]=Even'));
    expect(idsOf(last)).toEqual(all.slice(-3));
    expect(last.links.next).toBeUndefined();
    expect((await get('page[size]=3')).links.last).toBeUndefined();
  });

  it('117. of related records is walked in the same way', async () => {
    const pages = await walk(`/v2/customers/${owner.id}/relationships/addresses?page[size]=4`);
    expect(pages.map(({ data }) => data.length)).toEqual([4, 3]);
    expect(pages.flatMap(idsOf)).toEqual(ids);
  });
});

describe('a cursor', () => {
  const cursorOf = (link: string): string =>
    new URL(link).searchParams.get('page[after]') ??
    new URL(link).searchParams.get('page[before]')!;

  it.each(['size', 'limit'])('89. continues after its record, with page[%s]', async (key) => {
    const { links } = await get(`page[${key}]=2`);
    const after = encodeURIComponent(cursorOf(links.next!));
    expect(idsOf(await get(`page[after]=${after}&page[${key}]=3`))).toEqual(ids.slice(2, 5));
  });

  it('89. after the last record is an empty page', async () => {
    const [, , last] = await walk(`${LIST}?page[size]=3`);
    const { data } = (await api.client.get(last!.links.self!)).body;
    expect(data).toHaveLength(1);
    const whole = await get('page[size]=7');
    const end = await get(`page[size]=7&page[number]=2`);
    expect([whole.data.length, end.data]).toEqual([COUNT, []]);
  });

  it('90. goes before its record, in the order of the list', async () => {
    const pages = await walk(`${LIST}?page[size]=3`);
    const before = encodeURIComponent(cursorOf(pages[2]!.links.prev!));
    expect(idsOf(await get(`page[before]=${before}&page[size]=2`))).toEqual(ids.slice(4, 6));
  });

  it('96. stays good when records come before it', async () => {
    const { links } = await get('page[size]=3');
    const newer = await makeAddress(api.client);
    expect(idsOf((await api.client.get(links.next!)).body)).toEqual(ids.slice(3, 6));
    ids.unshift(newer.id);
  });

  it.each([
    ['that is not one', () => 'page[after]=abc'],
    ['that was changed', (cursor: string) => `page[after]=${cursor.slice(0, -4)}AAAA`],
    ['of another order', (cursor: string) => `page[after]=${cursor}&sort=city`],
  ])('92. %s is 400', async (_what, query) => {
    const cursor = cursorOf((await get('page[size]=3')).links.next!);
    const answer = await api.client.get(`${LIST}?${query(cursor)}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['invalid_cursor', 'page[after]']]]);
  });

  it('92. of another type is 400', async () => {
    const cursor = cursorOf((await get('page[size]=3')).links.next!);
    const answer = await api.client.get(`/v2/customers?page[before]=${cursor}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['invalid_cursor', 'page[before]']]]);
  });
});

describe('page parameters that do not fit', () => {
  it.each([
    ['81. number and offset', 'page[number]=1&page[offset]=0', 400, 'invalid_page', 'page[offset]'],
    ['81. number and limit', 'page[number]=1&page[limit]=2', 400, 'invalid_page', 'page[limit]'],
    ['81. size and offset', 'page[size]=2&page[offset]=0', 400, 'invalid_page', 'page[offset]'],
    ['81. size and limit', 'page[size]=2&page[limit]=2', 400, 'invalid_page', 'page[limit]'],
    ['81. number and after', 'page[number]=1&page[after]=x', 400, 'invalid_page', 'page[after]'],
    ['94. after and before', 'page[after]=x&page[before]=y', 400, 'invalid_page', 'page[before]'],
    ['79. more than the most', 'page[size]=501', 400, 'invalid_page', 'page[size]'],
    ['79. more than the most', 'page[limit]=501', 400, 'invalid_page', 'page[limit]'],
    ['84. an unknown key', 'page[foo]=1', 400, 'invalid_page', 'page[foo]'],
    ['84. no key', 'page=1', 400, 'invalid_page', 'page'],
    ['a key twice', 'page[size]=1&page[size]=2', 400, 'invalid_page', 'page[size]'],
    ...['0', '-1', 'abc', '1.5', '2147483648', '1e1'].map(
      (size) => [`80. ${size}`, `page[size]=${size}`, 422, 'invalid_value', 'page[size]'] as const,
    ),
    ['80. number 0', 'page[number]=0', 422, 'invalid_value', 'page[number]'],
    ['80. offset -1', 'page[offset]=-1', 422, 'invalid_value', 'page[offset]'],
    ['too deep a number', 'page[number]=2147483647', 400, 'invalid_page', 'page[number]'],
    ['85. a total that is neither', 'page[total]=yes', 422, 'invalid_value', 'page[total]'],
  ] as const)('%s (%s) are refused', async (_what, query, status, code, parameter) => {
    const answer = await api.client.get(`${LIST}?${query}`);
    expect([answer.status, errorsOf(answer)]).toEqual([status, [[code, parameter]]]);
  });

  it('79. say the most there may be', async () => {
    const answer = await api.client.get(`${LIST}?page[size]=501`);
    expect(answer.body.errors?.[0]?.meta).toEqual({ page: { maxSize: 500 } });
  });

  it('83. on a single record are 400', async () => {
    const answer = await api.client.get(`${LIST}/${ids[0]}?page[size]=1`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['unknown_parameter', 'page[size]']]]);
  });
});
