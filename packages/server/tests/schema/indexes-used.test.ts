import { resources } from '@florin/contract/resources/index.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../src/jsonapi/behaviour.ts';
import { compileModels, type FieldModel } from '../../src/jsonapi/model.ts';
import { createReader } from '../../src/jsonapi/reading/read.ts';
import type { Database, Db } from '../../src/platform/database/db.ts';
import { idOf, MERCHANT_COUNT, openManyRows, ROW_COUNT } from './many-rows.ts';

const models = compileModels(resources);
const ctx: RequestContext = {
  scope: { merchant_id: idOf('merchant', 0), mode: 'sandbox' },
  now: () => 0,
  request_id: 'r',
  base_url: 'https://api.example',
  permissions: 'all',
  settings: { currencies: new Set(), timezone: 'UTC', threeds: 'off', merchant_status: 'active' },
};

let db: Database;
beforeAll(async () => {
  db = await openManyRows();
}, 300_000);
afterAll(() => db[Symbol.asyncDispose]());

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

interface ReadCost {
  /** Rows read from tables, including discarded ones. */
  readonly rowsRead: number;
  /** Tables that were read completely. */
  readonly scannedTables: readonly string[];
  /** Rows of the result. */
  readonly rowsFound: number;
  /** Query of the next page. */
  readonly nextQuery: string | undefined;
}

/** Measures what PostgreSQL reads for one list of a merchant, with the engine's own statements. */
async function measureQuery(type: string, query: string, merchant = 0): Promise<ReadCost> {
  const plans: Plan[] = [];
  const explainingDb: Db = {
    async query(sql, values) {
      const [row] = await db.query(`explain (analyze, format json) ${sql}`, values);
      plans.push(JSON.parse(row?.['QUERY PLAN'] as string)[0].Plan);
      return db.query(sql, values);
    },
  };
  const reader = createReader({ db: explainingDb, models, cursor_key: 'test' });
  const scope = { ...ctx.scope, merchant_id: idOf('merchant', merchant) };
  const { body } = await reader.listRecords({ ...ctx, scope }, models.get(type), query);
  const document = JSON.parse(body.toString());
  const scans = plans.flatMap(scansOf);
  return {
    rowsRead: scans.reduce((sum, scan) => sum + rowsOf(scan), 0),
    scannedTables: scans.filter((scan) => scan['Node Type'] === 'Seq Scan').map(relationOf),
    rowsFound: document.data.length,
    nextQuery: document.links.next?.split('?')[1],
  };
}

const relationOf = (scan: Plan): string => scan['Relation Name'] ?? '';
const rowsOf = (scan: Plan): number =>
  (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'];
const scansOf = (plan: Plan): Plan[] => [
  ...(plan['Relation Name'] ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];

/** Limit of rows read for a page of 20. A merchant has ten times as many payments. */
const READ_MAX = 500;

/** Creation time of a row, in seconds after the first row's. */
const timeOf = (seconds: number): string => new Date(START_MS + seconds * 1_000).toISOString();
const START_MS = Date.parse('2026-01-01T00:00:00Z');
/** An offset near the last of a merchant's rows. */
const FAR_OFFSET = Math.round((ROW_COUNT / MERCHANT_COUNT) * 0.9);

describe('with many merchants, a list of one uses indexes:', () => {
  it.each<[query: string, rowsFound: number]>([
    ['page[size]=20', 20],
    ['filter[status]=failed&page[size]=20', 20],
    ['filter[status]=disputed', 0],
    ['filter[status]=disputed,canceled', 0],
    ['filter[payer.email]=c9@x.example', 5],
    ['filter[payment_method.customer.email]=c9@x.example', 5],
    [`filter[payer]=${idOf('customer', 9)}`, 5],
    [`filter[id]=${idOf('payment', 9)}`, 1],
    ['filter[description]=Order 9', 1],
    [`filter[amount_cents][gte]=${ROW_COUNT + 100 - 9}&page[size]=20`, 3],
    [`filter[created_at_gt]=${timeOf(ROW_COUNT - 20)}&page[size]=20`, 6],
    ['sort=amount_cents&page[size]=20', 20],
    ['sort=-amount_cents&page[size]=20', 20],
    ['sort=-updated_at&page[size]=20', 20],
  ])('%s', async (query, rowsFound) => {
    const cost = await measureQuery('payment_demands', query);
    expect(cost).toMatchObject({ rowsFound, scannedTables: [] });
    expect(cost.rowsRead).toBeLessThan(READ_MAX);
  });

  it('of failed payments, where the newest payments all succeeded', async () => {
    await db.query(
      `update payment_demands set created_at = created_at - interval '1 day'
       where merchant_id = $1 and status = 'failed'`,
      [idOf('merchant', 1)],
    );
    const query = 'filter[status]=failed&page[size]=20';
    const { rowsRead, rowsFound } = await measureQuery('payment_demands', query, 1);
    expect(rowsFound).toBe(20);
    expect(rowsRead).toBeLessThan(READ_MAX);
  });

  it.each(['', 'sort=amount_cents&'])('%spage[after] far from the beginning', async (sort) => {
    const farPage = await measureQuery(
      'payment_demands',
      `${sort}page[offset]=${FAR_OFFSET}&page[limit]=20`,
    );
    const { rowsRead, scannedTables, rowsFound } = await measureQuery(
      'payment_demands',
      farPage.nextQuery ?? '',
    );
    expect({ scannedTables, rowsFound }).toEqual({ scannedTables: [], rowsFound: 20 });
    expect(rowsRead).toBeLessThan(READ_MAX);
  });
});

/** A value that no row has. */
function absentValue({ definition: { type, values } }: FieldModel): string {
  switch (type) {
    case 'integer':
      return '7654321';
    case 'boolean':
      return 'false';
    case 'timestamp':
      return '1999-12-31T00:00:00Z';
    case 'uuid':
      return idOf('customer', 999_999);
    case 'enum':
      return values?.at(-1) ?? '';
    case 'currency':
      return 'JPY';
    case 'country':
      return 'AUT';
    default:
      return values?.at(-1) ?? 'nothing@x.example';
  }
}

const BUSY_TYPES = [
  'customers',
  'consumer_addresses',
  'payment_methods',
  'payment_demands',
  'events',
  'webhook_deliveries',
];
const searchableFields = BUSY_TYPES.flatMap((type) => {
  const { fields, toOne } = models.get(type);
  const attributes = [...fields.values()].filter(
    // A field with a single value matches every row.
    ({ queryable, column, definition }) =>
      queryable && column !== 'mode' && definition.values?.length !== 1,
  );
  return [
    ...attributes.map((field) => [type, field.name, absentValue(field)] as const),
    ...[...toOne.keys()]
      .filter((name) => name !== 'merchant')
      .map((name) => [type, name, idOf('customer', 999_999)] as const),
  ];
});

it.each(searchableFields)(
  'a search without results among %s by %s reads almost nothing',
  async (type, name, value) => {
    const cost = await measureQuery(type, `filter[${name}]=${value}`);
    expect(cost).toMatchObject({ rowsFound: 0, scannedTables: [] });
    expect(cost.rowsRead).toBeLessThan(READ_MAX);
  },
);

it('references to a removed attempt are found by an index', async () => {
  const unindexed = await db.query(
    `select c.conrelid::regclass::text as named_in, c.conname from pg_constraint c
     where c.contype = 'f' and c.confrelid = 'attempts'::regclass and not exists (
       select from pg_index i where i.indrelid = c.conrelid
         and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`,
    [],
  );
  expect(unindexed).toEqual([]);
});
