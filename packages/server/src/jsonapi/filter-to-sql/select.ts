import type { Scope } from '../../platform/database/scope.ts';
import { isLong, PREFIX_CHARACTERS } from '../long-text.ts';
import type { Model, RelationModel } from '../model.ts';
import type { Filter, SortKey } from '../parse-query/query.ts';
import type { Position } from './cursor.ts';
import { filterCondition, foundBefore, isSearch, joinCondition, pairCondition } from './filter.ts';
import { afterCondition, type OrderKey, orderBy, reverseKeys } from './keyset.ts';
import { createParameters, type Parameters, type Statement } from './parameters.ts';
import { visibleColumn } from './tenant.ts';

const ROOT = 't0';

/** Rows that a search of a feature leaves, beside the filters. */
export interface Restriction {
  /** Ids of all rows that match. Absent: there may be too many, and the list tests its rows in order. */
  readonly ids?: readonly string[];
  /**
   * Numbers of rows that the list tests in order, until they fill its page. Few first: PostgreSQL sorts all rows of the
   * filters before it returns many. Beyond the last number the page says that more may match.
   */
  readonly tested: readonly [number, ...number[]];
  /** The caller reads all pages, so without ids the list has no page at all if it has more rows than the last number. */
  readonly reads_all?: boolean;
  /** SQL condition: the row `alias` matches. */
  matches(alias: string, parameters: Parameters): string;
}

/** Rows of a list: filters and start position. */
export interface ListSelection {
  readonly filters: readonly Filter[];
  readonly sort: readonly SortKey[];
  /** Only rows whose foreign key of this relation is `id`. */
  readonly relatedTo?: { readonly relation: RelationModel; readonly id: string };
  readonly anchor?: { readonly side: 'after' | 'before'; readonly position: Position } | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Number of rows among which filters without an index search; absent: all. */
  readonly scanned_max?: number;
  readonly restriction?: Restriction | undefined;
}

/** Name of the result column that holds a sort key. */
export const sortColumn = ({ hops, field }: SortKey, index: number): string =>
  hops.length === 0 && !isLong(field) ? field.column : `sort_${index}`;

/** Selects a page of a list. With an anchor `before`, the rows come in reverse order. */
export function selectList(
  model: Model,
  columns: readonly string[],
  scope: Scope,
  selection: ListSelection,
): Statement {
  const parameters = createParameters(scope);
  const parts = partsOf(model, selection, parameters);
  const { keys, joins } = parts;
  const selected = new Set([
    ...columns.map((column) => visibleColumn(model, column, ROOT, parameters)),
    ...parts.selected,
  ]);
  const { table, conditions } = sourceOf(model, selection, parts, parameters);
  const offset = selection.offset > 0 ? ` offset ${parameters.bind(selection.offset)}` : '';
  return parameters.statement(
    `select ${[...selected].join(', ')} from ${table} ${ROOT}${joins}${whereClause(conditions)} order by ${orderBy(keys)} limit ${parameters.bind(selection.limit)}${offset}`,
  );
}

/** SQL parts of a list. */
interface ListParts {
  readonly keys: readonly OrderKey[];
  readonly joins: string;
  /** Expressions of the sort keys. */
  readonly selected: readonly string[];
  /** Conditions, apart for filters that search. */
  readonly found: readonly string[];
  readonly searched: readonly string[];
}

function partsOf(model: Model, selection: ListSelection, parameters: Parameters): ListParts {
  const order = selection.sort.map((key, index) => orderKey(key, index, parameters));
  const { anchor } = selection;
  const sortKeys = order.map(({ key }) => key);
  const keys = anchor?.side === 'before' ? reverseKeys(sortKeys) : sortKeys;
  const { found, searched } = conditionsOf(model, selection, parameters);
  if (anchor && anchor.position.length > 0)
    found.push(afterCondition(keys, anchor.position, parameters));
  const joins = order.flatMap(({ joins: joinSqls }) => joinSqls).join('');
  return { keys, joins, selected: order.map(({ select }) => select), found, searched };
}

/** Table of a list: with `scanned_max`, the first rows before any is searched. */
function sourceOf(
  model: Model,
  { scanned_max, restriction }: ListSelection,
  { keys, joins, found, searched }: ListParts,
  parameters: Parameters,
): { readonly table: string; readonly conditions: readonly string[] } {
  const table = restrictedTable(model, restriction, parameters);
  if (scanned_max === undefined) return { table, conditions: [...found, ...searched] };
  const firstRows = `select ${ROOT}.* from ${table} ${ROOT}${joins}${whereClause(found)} order by ${orderBy(keys)} limit ${parameters.bind(scanned_max)}`;
  return { table: `(${firstRows})`, conditions: searched };
}

/** Table of a list, or the rows that a search found. `offset 0`: PostgreSQL would walk the list and test each id. */
function restrictedTable(
  model: Model,
  restriction: Restriction | undefined,
  parameters: Parameters,
): string {
  const { table } = model;
  if (!restriction?.ids) return table;
  const alias = parameters.nextAlias();
  const isFound = `${alias}.id = any(${parameters.bind(restriction.ids)}::uuid[])`;
  const conditions = [...parameters.tenantConditions(model, alias), isFound];
  return `(select ${alias}.* from ${table} ${alias}${whereClause(conditions)} offset 0)`;
}

/** Counts the rows from the start position on that a list without its searches has: at most `max` and one more. */
export function countSearched(
  model: Model,
  scope: Scope,
  selection: ListSelection,
  max: number,
): Statement {
  const parameters = createParameters(scope);
  const filters = selection.filters.filter((filter) => !isSearch(filter));
  // Only a start position needs the order. PostgreSQL refuses parameters of joins that are left out.
  const sort = selection.anchor ? selection.sort : [];
  const others = { ...selection, filters, sort, restriction: undefined };
  const { joins, found } = partsOf(model, others, parameters);
  const searches = selection.filters.filter(isSearch);
  const conditions = [...found, ...searches.flatMap((filter) => foundBefore(filter, ROOT))];
  return parameters.statement(
    `select count(*) as total from (select from ${model.table} ${ROOT}${joins}${whereClause(conditions)} limit ${parameters.bind(max + 1)}) counted`,
  );
}

/** Selects a text that changes whenever a row of the selection is added, removed or changed. */
export function selectVersions(
  model: Model,
  versionColumnName: string,
  scope: Scope,
  selection: ListSelection,
): Statement {
  const { sql, ...statement } = selectList(
    model,
    ['id', 'xmin', versionColumnName],
    scope,
    selection,
  );
  return {
    ...statement,
    sql: `select encode(sha256(convert_to(string_agg(concat_ws(' ', id, xmin, ${versionColumnName}), ','), 'UTF8')), 'hex')
      as versions from (${sql}) page`,
  };
}

/** Counts the rows of a list, at most `max` and one more. */
export function countList(
  model: Model,
  scope: Scope,
  selection: UnorderedSelection,
  max: number,
): Statement {
  const { sql, ...statement } = selectUnordered(model, [], scope, selection, max + 1);
  return { ...statement, sql: `select count(*) as total from (${sql}) counted` };
}

type UnorderedSelection = Pick<ListSelection, 'filters' | 'relatedTo' | 'restriction'>;

/** Selects columns of rows of a list in any order, at most `max`. */
export function selectUnordered(
  model: Model,
  columns: readonly string[],
  scope: Scope,
  selection: UnorderedSelection,
  max: number,
): Statement {
  const parameters = createParameters(scope);
  const { found, searched } = conditionsOf(model, selection, parameters);
  const table = restrictedTable(model, selection.restriction, parameters);
  const selected = columns.map((column) => ` ${ROOT}.${column}`).join(',');
  return parameters.statement(
    `select${selected} from ${table} ${ROOT}${whereClause([...found, ...searched])} limit ${parameters.bind(max)}`,
  );
}

/** Selects rows by their ids. */
export function selectByIds(
  model: Model,
  columns: readonly string[],
  scope: Scope,
  ids: readonly string[],
): Statement {
  const parameters = createParameters(scope);
  const conditions = [
    ...parameters.tenantConditions(model, ROOT),
    isAmong(`${ROOT}.id`, ids, parameters),
  ];
  const selected = columns.map((column) => visibleColumn(model, column, ROOT, parameters));
  return parameters.statement(
    `select ${selected.join(', ')} from ${model.table} ${ROOT}${whereClause(conditions)}`,
  );
}

/** Column of a related row that contains its owner's id. */
export const OWNER_COLUMN = 'owner_id';

/** Selects rows related to the given ids: newest first, at most `limit`, once per owner. */
export function selectRelated(
  { target, column, through }: RelationModel,
  columns: readonly string[],
  scope: Scope,
  ids: readonly string[],
  limit: number,
): Statement {
  const parameters = createParameters(scope);
  const ownerColumn = through ? `${PAIR}.${through.from}` : `${ROOT}.${column}`;
  const conditions = [
    ...parameters.tenantConditions(target, ROOT),
    ...(through ? [`${PAIR}.merchant_id = ${parameters.merchant()}`] : []),
    isAmong(ownerColumn, ids, parameters),
  ];
  const pairJoin = through
    ? ` join ${through.table} ${PAIR} on ${PAIR}.${through.to} = ${ROOT}.id`
    : '';
  const selected = columns.map((columnName) => visibleColumn(target, columnName, ROOT, parameters));
  return parameters.statement(
    `select ${selected.join(', ')}, ${ownerColumn} as ${OWNER_COLUMN} from ${target.table} ${ROOT}${pairJoin}${whereClause(conditions)} order by ${newestFirst} limit ${parameters.bind(limit)}`,
  );
}

const PAIR = 'pair';

const isAmong = (column: string, ids: readonly string[], parameters: Parameters): string =>
  ids.length === 1
    ? `${column} = ${parameters.bind(ids[0])}`
    : `${column} = any(${parameters.bind(ids)})`;

const newestFirst = `${ROOT}.created_at desc, ${ROOT}.id desc`;

const whereClause = (conditions: readonly string[]): string =>
  conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';

/** Conditions of a list, apart for filters that search. */
function conditionsOf(
  model: Model,
  { filters, relatedTo, restriction }: UnorderedSelection,
  parameters: Parameters,
): { readonly found: string[]; readonly searched: readonly string[] } {
  const conditionOf = (filter: Filter) => filterCondition(filter, ROOT, parameters);
  return {
    found: [
      ...parameters.tenantConditions(model, ROOT),
      ...(relatedTo
        ? [belongsTo(relatedTo.relation, parameters.bind(relatedTo.id), parameters)]
        : []),
      ...filters.filter((filter) => !isSearch(filter)).map(conditionOf),
      ...filters.filter(isSearch).flatMap((filter) => foundBefore(filter, ROOT)),
    ],
    searched: [
      ...filters.filter(isSearch).map(conditionOf),
      ...(restriction && !restriction.ids ? [restriction.matches(ROOT, parameters)] : []),
    ],
  };
}

const belongsTo = (
  { through, column }: RelationModel,
  id: string,
  parameters: Parameters,
): string => (through ? pairCondition(through, id, ROOT, parameters) : `${ROOT}.${column} = ${id}`);

interface JoinedKey {
  readonly key: OrderKey;
  readonly select: string;
  readonly joins: readonly string[];
}

/** Sort key over to-one relations. Each hop is an outer join, which finds at most one row. */
function orderKey(sort: SortKey, index: number, parameters: Parameters): JoinedKey {
  const joins: string[] = [];
  let alias = ROOT;
  for (const hop of sort.hops) {
    const nextAlias = parameters.nextAlias();
    const joinConditions = [
      ...parameters.tenantConditions(hop.target, nextAlias),
      joinCondition(hop, alias, nextAlias, parameters),
    ];
    joins.push(` left join ${hop.target.table} ${nextAlias} on ${joinConditions.join(' and ')}`);
    alias = nextAlias;
  }
  const column = `${alias}.${sort.field.column}`;
  // Sorts a long text by its indexed prefix, which uses the index and keeps cursors short.
  const expression = isLong(sort.field) ? `left(${column}, ${PREFIX_CHARACTERS})` : column;
  const never_null = joins.length === 0 && sort.field.never_null;
  const name = sortColumn(sort, index);
  const select = name === sort.field.column ? expression : `${expression} as ${name}`;
  return { key: { expression, descending: sort.descending, never_null }, select, joins };
}
