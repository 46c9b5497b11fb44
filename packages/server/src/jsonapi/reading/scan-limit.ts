import { problem } from '@florin/contract/errors.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { isSearch } from '../filter-to-sql/filter.ts';
import type { Run } from '../filter-to-sql/run.ts';
import { countSearched, type ListSelection } from '../filter-to-sql/select.ts';
import type { Model } from '../model.ts';
import type { Filter, Query } from '../parse-query/query.ts';
import type { HasOrder } from '../schema/indexes.ts';

/** Parameters of a list that no index serves. */
interface Unserved {
  /** The sort, or undefined if an index has its order. */
  readonly sort: string | undefined;
  readonly searches: readonly string[];
}

/** Limits of what one list may read and count. */
export interface ListLimits {
  /** Records that `page[total]` counts. */
  readonly total_max: number;
  /** Records that a sort or a search without an index reads. */
  readonly scanned_max: number;
  readonly hasOrder: HasOrder;
}

/** Parsed queries are cached, so each is examined once. */
const knownQueries = new WeakMap<Query, Unserved>();

/** Finds the parts of a query that read every record which the other filters leave. */
export function unservedOf(hasOrder: HasOrder, model: Model, query: Query): Unserved {
  const unserved = knownQueries.get(query) ?? findUnserved(hasOrder, model, query);
  knownQueries.set(query, unserved);
  return unserved;
}

function findUnserved(
  hasOrder: HasOrder,
  model: Model,
  { filters, sort: [firstKey] }: Query,
): Unserved {
  const isServed = !firstKey || (firstKey.hops.length === 0 && hasOrder(model, firstKey.field));
  const searches = model.resource.few ? [] : filters.filter(isSearch).map(nameOf);
  return { sort: isServed ? undefined : 'sort', searches: [...new Set(searches)] };
}

const nameOf = (filter: Filter): string =>
  `filter[${[...filter.hops, filter.field].map(({ name }) => name).join('.')}][${operatorName(filter)}]`;

/** The operator as clients write it. */
function operatorName(filter: Filter): string {
  if (filter.operator === 'absent' || filter.operator === 'present') return 'null';
  const comparesNull = 'values' in filter && filter.values.every((value) => value === null);
  return comparesNull ? 'null' : filter.operator;
}

/** Names of the unserved parts. */
export const namesOf = ({ sort, searches }: Unserved): readonly string[] => [
  ...(sort ? [sort] : []),
  ...searches,
];

/**
 * Names of the parts to blame for a query that took too long: the unserved ones, or comparisons with related records.
 * Their index finds few records only where the comparison leaves few related ones.
 */
export function slowNames(unserved: Unserved, { filters }: Query): readonly string[] {
  const names = namesOf(unserved);
  if (names.length > 0) return names;
  return filters.filter(({ hops }) => hops.length > 0).map(nameOf);
}

export interface ScanRequest {
  readonly model: Model;
  readonly query: Query;
  readonly scope: Scope;
  readonly selection: ListSelection;
  readonly list_limits: ListLimits;
}

/**
 * Limits how many records a list may read for its unserved parts, before it runs. Searches in more records look at the
 * first `scanned_max` only, see `requireFullPage`. Throws `query_too_costly` for an unserved sort of more records.
 */
export async function limitScan(run: Run, request: ScanRequest): Promise<ListSelection> {
  const { model, query, scope, selection, list_limits } = request;
  const { hasOrder, scanned_max } = list_limits;
  const unserved = unservedOf(hasOrder, model, query);
  if (namesOf(unserved).length === 0) return selection;
  const [row] = await run(countSearched(model, scope, selection, scanned_max));
  if (Number(row?.total) <= scanned_max) return selection;
  if (unserved.sort) throw withoutIndex(unserved, scanned_max);
  const isLimitable = selection.sort.every(({ hops }) => hops.length === 0);
  return isLimitable ? { ...selection, scanned_max } : selection;
}

/** Throws `query_too_costly` if a limited search did not fill its page, since more may follow. */
export function requireFullPage(
  { model, query, selection, list_limits }: Omit<ScanRequest, 'scope'>,
  foundCount: number,
): void {
  const { scanned_max, limit } = selection;
  if (scanned_max === undefined || foundCount === limit) return;
  throw withoutIndex(unservedOf(list_limits.hasOrder, model, query), scanned_max);
}

function withoutIndex(unserved: Unserved, limit: number) {
  const names = namesOf(unserved);
  return problem(
    'query_too_costly',
    `No index serves ${names.join(' and ')}, and the other filters leave more than ${limit} records. Filter by more, such as created_at_gte.`,
    { parameter: names[0] as string },
    { meta: { limit, without_index: names } },
  );
}
