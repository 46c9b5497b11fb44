import { renderTable } from '../table.ts';
import type { Testbed } from '../testbed.ts';
import { listQueriesOf, type SampleRow } from './list-queries.ts';

/** One list, once. */
export interface ListTiming {
  readonly query: string;
  readonly ms: number;
  readonly status: number;
  /** Parameters without an index, for refused lists. */
  readonly without_index?: readonly string[];
  readonly detail?: string;
}

const TYPE = 'payment_demands';
const SLOWEST = 5;

/** Sends each filter and each sort of payments once, as single requests of the merchant with the payments. */
export async function measureLists(testbed: Testbed): Promise<ListTiming[]> {
  const merchant_id = await testbed.merchantId();
  const queries = await listQueriesOf(TYPE, (table) => readSample(testbed, table, merchant_id));
  const timings: ListTiming[] = [];
  for (const query of queries) timings.push(await measureList(testbed, query));
  return timings;
}

/** A record of the merchant; of the platform, where the type has no merchant. */
export async function readSample(
  testbed: Testbed,
  table: string,
  merchant_id: string,
): Promise<SampleRow | undefined> {
  const [column] = await testbed.query(
    "select from information_schema.columns where table_name = $1 and column_name = 'merchant_id'",
    [table],
  );
  const [row] = column
    ? await testbed.query(`select * from ${table} where merchant_id = $1 limit 1`, [merchant_id])
    : await testbed.query(`select * from ${table} limit 1`);
  return row;
}

export async function measureList(
  { florin, headers }: Pick<Testbed, 'florin' | 'headers'>,
  query: string,
): Promise<ListTiming> {
  const startedAt = performance.now();
  const response = await fetch(`${florin.baseUrl}/v2/${TYPE}?${query}`, { headers });
  const document = (await response.json()) as {
    readonly errors?: readonly { detail: string; meta?: { without_index?: string[] } }[];
  };
  const ms = performance.now() - startedAt;
  const [error] = document.errors ?? [];
  const { without_index } = error?.meta ?? {};
  return {
    query: decodeURIComponent(query),
    ms,
    status: response.status,
    ...(without_index && { without_index }),
    ...(error && { detail: error.detail }),
  };
}

const TIMED_OUT = /took too long/;
const isTimedOut = ({ detail = '' }: ListTiming): boolean => TIMED_OUT.test(detail);

/** How many lists were answered, refused and timed out; the slowest; all that timed out or failed without a reason. */
export function renderLists(timings: readonly ListTiming[]): string {
  const refused = timings.filter((timing) => timing.without_index && !isTimedOut(timing));
  const failed = timings.filter((timing) => timing.status !== 200 && !refused.includes(timing));
  const slowest = timings.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  const refusedNames = new Set(
    refused.flatMap(({ query, without_index = [] }) =>
      without_index.map((name) => (name === 'sort' ? query : name)),
    ),
  );
  const answeredCount = timings.length - refused.length - failed.length;
  return [
    `${timings.length} lists with a filter or a sort: ${answeredCount} answered, ${refused.length} refused since an index is missing, ${failed.length} timed out or failed`,
    renderTable(['slowest', 'ms', 'status'], slowest.map(lineOf)),
    ...(failed.length > 0 ? [renderTable(['failed', 'ms', 'status'], failed.map(lineOf))] : []),
    `no index serves: ${[...refusedNames].join(', ') || 'none'}`,
  ].join('\n\n');
}

const lineOf = ({ query, ms, status }: ListTiming): string[] => [
  query,
  String(Math.round(ms)),
  String(status),
];
