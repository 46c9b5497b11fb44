import { ProblemError } from '@florin/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import { shopModels } from '../testing/shop.ts';
import { parseQuery } from './parse-query.ts';
import type { Filter, Path, Query } from './query.ts';

const parse = (text: string, type = 'orders', shape: 'list' | 'document' = 'list'): Query =>
  parseQuery(shopModels, shopModels.get(type), text, shape);

const nameOf = ({ hops, field }: Path): string =>
  [...hops.map(({ name }) => name), field.name].join('.');

/** Formats a filter, such as `buyer.email eq a,b`. */
function formatFilter(filter: Filter): string {
  const values = 'values' in filter ? filter.values.join() : 'value' in filter ? filter.value : '';
  return `${nameOf(filter)} ${filter.operator} ${values}`.trim();
}

function problemOf(text: string, shape: 'list' | 'document' = 'list'): string {
  try {
    parse(text, 'orders', shape);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const [firstProblem] = error.problems;
    const source =
      firstProblem?.source && 'parameter' in firstProblem.source
        ? ` ${firstProblem.source.parameter}`
        : '';
    return `${firstProblem?.code}${source}`;
  }
  return 'understood';
}

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

const longPath = (hops: number): string => `${'buyer.orders.'.repeat(hops)}amount`;

describe('filters', () => {
  it.each([
    ['filter[status]=open', ['status eq open']],
    ['filter%5Bstatus%5D=open,paid', ['status eq open,paid']],
    ['filter[state]=open&filter[paid]=true', ['state eq open', 'paid eq true']],
    ['filter[note]= a ,, b ', ['note eq a,b']],
    ['filter[note]=a\\,b,c\\\\d', ['note eq a,b,c\\d']],
    ['filter[note]=a+b%2Bc', ['note eq a b+c']],
    ['filter[note]=&filter[currency]=USD', ['currency eq USD']],
    ['filter[note]=null,x', ['note eq ,x']],
    [
      'filter[buyer]=01890a5d-ac96-774b-bcce-b302099a8057',
      ['buyer eq 01890a5d-ac96-774b-bcce-b302099a8057'],
    ],
    [
      'filter[buyer.id]=01890a5d-ac96-774b-bcce-b302099a8057',
      ['buyer eq 01890a5d-ac96-774b-bcce-b302099a8057'],
    ],
    ['filter[buyer]=NULL', ['buyer eq']],
    ['filter[buyer.email]=x', ['buyer.email eq x']],
    ['filter[buyer][email]=x', ['buyer.email eq x']],
    ['filter[buyer.orders.buyer.friend.name][like]=x', ['buyer.orders.buyer.friend.name like x']],
    ['filter[amount][gte]=5&filter[amount][lt]=9', ['amount gte 5', 'amount lt 9']],
    ['filter[created_at_gte]=2026-01-01', ['created_at gte 2026-01-01T00:00:00.000000Z']],
    [
      'filter[buyer.created_at_lt]=2026-01-01T00:00:00Z',
      ['buyer.created_at lt 2026-01-01T00:00:00.000000Z'],
    ],
    ['filter[status][in]=open', ['status eq open']],
    ['filter[status][]=open&filter[status][]=paid', ['status eq open,paid']],
    ['filter[status][0]=open&filter[status][1]=paid', ['status eq open,paid']],
    ['filter[status][ne]=open', ['status ne open']],
    ['filter[note][null]=true', ['note eq']],
    ['filter[note][null]=false', ['note ne']],
    ['filter[country]=us', ['country eq USA']],
    ['filter=&page=&sort=', []],
    ['', []],
    ['&&=&', []],
  ])('reads %s', (text, expected) => {
    expect(parse(text).filters.map(formatFilter)).toEqual(expected);
  });

  it.each([
    ['filter[orders]=null', 'orders.id absent'],
    ['filter[orders][null]=false', 'orders.id present'],
    [
      'filter[orders]=01890a5d-ac96-774b-bcce-b302099a8057',
      'orders.id eq 01890a5d-ac96-774b-bcce-b302099a8057',
    ],
  ])('reads %s on a to-many relationship', (text, expected) => {
    expect(parse(text, 'people').filters.map(formatFilter)).toEqual([expected]);
  });

  it.each([
    ['filter[nope]=x', 'invalid_filter filter[nope]'],
    ['filter[nope]=', 'invalid_filter filter[nope]'],
    ['filter[]=x', 'invalid_filter filter[]'],
    ['filter=x', 'invalid_filter filter'],
    ['filter[buyer.]=x', 'invalid_filter filter[buyer.]'],
    ['filter[buyer.secret]=x', 'invalid_filter filter[buyer.secret]'],
    ['filter[hidden]=x', 'invalid_filter filter[hidden]'],
    ['filter[items]=x', 'invalid_filter filter[items]'],
    ['filter[note_gte]=x', 'invalid_filter filter[note_gte]'],
    ['filter[amount][like]=x', 'invalid_filter filter[amount][like]'],
    ['filter[amount_gt]=1&filter[amount_gt]=2', 'invalid_value filter[amount_gt]'],
    ['filter[id_gte]=01890a5d-ac96-774b-bcce-b302099a8057', 'invalid_filter filter[id_gte]'],
    ['filter[status]=nope', 'invalid_value filter[status]'],
    ['filter[amount]=1.5', 'invalid_value filter[amount]'],
    ['filter[amount]=99999999999999999', 'invalid_value filter[amount]'],
    ['filter[paid]=yes', 'invalid_value filter[paid]'],
    ['filter[created_at]=yesterday', 'invalid_value filter[created_at]'],
    ['filter[due_on]=2026-02-30', 'invalid_value filter[due_on]'],
    ['filter[buyer]=7', 'invalid_value filter[buyer]'],
    ['filter[amount_gt]=1,2', 'invalid_value filter[amount_gt]'],
    ['filter[amount_gt]=null', 'invalid_value filter[amount_gt]'],
    ['filter[note]=a%00', 'invalid_value filter[note]'],
    ['filter[note][null]=maybe', 'invalid_value filter[note][null]'],
    [`filter[${longPath(5)}]=1`, `query_too_costly filter[${longPath(5)}]`],
    [`filter[amount]=${'1,'.repeat(501)}`, 'query_too_costly filter[amount]'],
    [`filter[note][like]=${'x'.repeat(201)}`, 'query_too_costly filter[note][like]'],
    ['filter[note]=a\\', 'invalid_value filter[note]'],
    ['filter[note]=a,b\\\\\\', 'invalid_value filter[note]'],
  ])('refuses %s', (text, expected) => {
    expect(problemOf(text)).toBe(expected);
  });

  it('names the unknown name, and the types on its path', () => {
    expect(() => parse('filter[buyer.nope]=x')).toThrow('Accepted: id, email, name,');
    expect([...parse('filter[buyer.email]=x').touchedModels].map(({ type }) => type)).toEqual([
      'people',
    ]);
  });
});

describe('the steps of a query', () => {
  /** `count` filters on the path, which combines to-many `orders` and to-one `buyer`. */
  const filters = (count: number, path: string) =>
    Array.from(
      { length: count },
      (_, at) => `filter[${path}.created_at][${comparisons[at]}]=2026-01-01`,
    );
  const comparisons = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'null'];

  it.each([
    [filters(7, 'buyer.friend.friend').join('&'), 'understood'],
    [
      [...filters(7, 'buyer.friend.friend'), 'sort=buyer.friend.friend.name'].join('&'),
      'understood',
    ],
    [
      [...filters(7, 'buyer.friend.friend'), 'sort=buyer.friend.friend.friend.name'].join('&'),
      'query_too_costly filter',
    ],
    [filters(4, 'buyer.orders.buyer.orders').join('&'), 'understood'],
    [filters(5, 'buyer.orders.buyer.orders').join('&'), 'query_too_costly filter'],
    [
      [...filters(4, 'buyer.orders.buyer.orders'), 'include=buyer'].join('&'),
      'query_too_costly filter',
    ],
    [[...filters(2, 'buyer.orders.buyer.orders'), 'page[total]=true'].join('&'), 'understood'],
    [
      [...filters(3, 'buyer.orders.buyer.orders'), 'page[total]=true'].join('&'),
      'query_too_costly filter',
    ],
    [
      ['name', 'email', 'created_at', 'updated_at']
        .map((name) => `buyer.friend.friend.friend.friend.friend.friend.${name}`)
        .join()
        .replace(/^/, 'sort='),
      'query_too_costly sort',
    ],
  ])('are few: %s', (text, expected) => {
    const knownText = text.replace(/\[(null)\]=[^&]*/g, '[$1]=true');
    expect(problemOf(knownText)).toBe(expected);
  });
});

describe('links that repeat a query', () => {
  const brackets = (length: number) => `filter[note]=${'['.repeat(length)}`;

  it.each([
    ['a list leaves room for a cursor', brackets(6_000), 'list', 'understood'],
    ['percent-encoded it can be too long', brackets(7_000), 'list', 'query_too_costly'],
    ['500 ids are not too long', `filter[id]=${Array(500).fill(ID).join()}`, 'list', 'understood'],
  ] as const)('%s', (_what, text, shape, expected) => {
    expect(problemOf(text, shape)).toBe(expected);
  });
});

describe('parameters', () => {
  it.each([
    ['foo=1', 'unknown_parameter foo'],
    ['foo=', 'unknown_parameter foo'],
    ['Sort=id', 'unknown_parameter Sort'],
    ['[x]=1', 'unknown_parameter [x]'],
    ['page[=1', 'unknown_parameter page['],
    ['filter[a=1', 'unknown_parameter filter[a'],
    ['sort[x]=1', 'unknown_parameter sort[x]'],
    ['filter[note]=%zz', 'invalid_url'],
    ['filter[note]=%ff', 'invalid_url'],
    [`filter[note]=${'x'.repeat(40_000)}`, 'query_too_costly'],
    ['a=1&'.repeat(101), 'query_too_costly'],
  ])('refuses %s', (text, expected) => {
    expect(problemOf(text)).toBe(expected);
  });

  it.each(['sort=id', 'filter[note]=x', 'page[size]=1'])(
    'refuses %s on a single record',
    (text) => {
      expect(problemOf(text, 'document')).toMatch(/^unknown_parameter/);
    },
  );
});

describe('include', () => {
  it('merges repeats and shared prefixes', () => {
    const { include } = parse('include=buyer,buyer.friend&include[]=buyer.orders', 'orders');
    expect([...(include?.get('buyer')?.keys() ?? [])]).toEqual(['friend', 'orders']);
  });

  it('distinguishes an empty include from none', () => {
    expect(parse('include=').include?.size).toBe(0);
    expect(parse('').include).toBeUndefined();
  });

  it.each([
    ['include=nope', 'invalid_include include'],
    ['include=buyer.nope', 'invalid_include include'],
    ['include=buyer.friend.friend.friend', 'query_too_costly include'],
    [
      `include=${Array.from({ length: 11 }, (_, at) => `x${at}`).join()}`,
      'query_too_costly include',
    ],
  ])('refuses %s', (text, expected) => {
    expect(problemOf(text)).toBe(expected);
  });
});

describe('fields', () => {
  it.each([
    ['fields[orders]=amount,buyer', ['amount', 'buyer']],
    ['fields[orders]=amount&fields[orders]=note', ['amount', 'note']],
    ['fields[orders][]=amount&fields[orders][1]=note', ['amount', 'note']],
    ['fields[orders]=', []],
  ])('reads %s', (text, expected) => {
    expect([...(parse(text).fields.get('orders') ?? ['none'])]).toEqual(expected);
  });

  it.each([
    ['fields[orders]=nope', 'invalid_fields fields[orders]'],
    ['fields[orders]=hidden', 'invalid_fields fields[orders]'],
    ['fields[nope]=x', 'invalid_fields fields[nope]'],
    ['fields=x', 'invalid_fields fields'],
  ])('refuses %s', (text, expected) => {
    expect(problemOf(text)).toBe(expected);
  });
});

describe('sort', () => {
  const sortOf = (text: string) =>
    parse(text).sort.map((key) => `${key.descending ? '-' : ''}${nameOf(key)}`);

  it.each([
    ['', ['-created_at', '-id']],
    ['sort=amount', ['amount', 'id']],
    ['sort=-amount,note', ['-amount', 'note', 'id']],
    ['sort=-buyer.name', ['-buyer.name', '-id']],
    ['sort=id,amount', ['id']],
    ['sort=amount&sort=note', ['amount', 'note', 'id']],
  ])('reads %s', (text, expected) => {
    expect(sortOf(text)).toEqual(expected);
  });

  it.each([
    ['sort=nope', 'invalid_sort sort'],
    ['sort=items', 'invalid_sort sort'],
    ['sort=buyer', 'invalid_sort sort'],
    ['sort=buyer.orders.amount', 'invalid_sort sort'],
    ['sort=buyer.secret', 'invalid_sort sort'],
    ['sort=amount,note,paid,due_at,due_on,limit', 'query_too_costly sort'],
    [`sort=buyer${'.friend'.repeat(8)}.name`, 'query_too_costly sort'],
  ])('refuses %s', (text, expected) => {
    expect(problemOf(text)).toBe(expected);
  });

  it('lists the sortable names, and names the unknown one', () => {
    expect(() => parse('sort=buyer.MISTAKE')).toThrow(
      /^invalid_sort: people has no sort key `MISTAKE`\. Accepted: id, email/,
    );
  });
});

describe('page', () => {
  it.each([
    ['', { limit: 100, offset: 0, anchor: undefined }],
    ['page[size]=500', { limit: 500, offset: 0 }],
    ['page[size]=25&page[number]=3', { limit: 25, offset: 50 }],
    ['page[limit]=5&page[offset]=7', { limit: 5, offset: 7 }],
    ['page[after]=x&page[limit]=2', { limit: 2, anchor: { side: 'after', cursor: 'x' } }],
    ['page[before]=x&page[size]=2', { limit: 2, anchor: { side: 'before', cursor: 'x' } }],
    ['page[total]=true', { total: true }],
    ['page[size]=', { limit: 100 }],
  ])('reads %s', (text, expected) => {
    expect(parse(text).page).toMatchObject(expected);
  });

  it.each([
    ['page[number]=1&page[offset]=1', 'invalid_page page[offset]'],
    ['page[size]=1&page[limit]=1', 'invalid_page page[limit]'],
    ['page[after]=x&page[before]=y', 'invalid_page page[before]'],
    ['page[number]=1&page[after]=x', 'invalid_page page[after]'],
    ['page[size]=1&page[size]=2', 'invalid_page page[size]'],
    ['page[foo]=1', 'invalid_page page[foo]'],
    ['page[size]=501', 'invalid_page page[size]'],
    ['page[number]=102', 'invalid_page page[number]'],
    ['page[offset]=10001', 'invalid_page page[offset]'],
    ['page[size]=0', 'invalid_value page[size]'],
    ['page[size]=-1', 'invalid_value page[size]'],
    ['page[size]=abc', 'invalid_value page[size]'],
    ['page[size]=2147483648', 'invalid_value page[size]'],
    ['page[total]=1', 'invalid_value page[total]'],
  ])('refuses %s', (text, expected) => {
    expect(problemOf(text)).toBe(expected);
  });
});
