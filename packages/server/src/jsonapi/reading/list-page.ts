import { problem } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import { withPosition } from '../document/links.ts';
import type { Cursors, Position } from '../filter-to-sql/cursor.ts';
import type { Run } from '../filter-to-sql/run.ts';
import {
  countList,
  type ListSelection,
  type Restriction,
  selectList,
  selectVersions,
  sortColumn,
} from '../filter-to-sql/select.ts';
import type { Model, RelationModel } from '../model.ts';
import type { Filter, Query, SortKey } from '../parse-query/query.ts';
import { type RestrictedRows, readRestricted } from './read-restricted.ts';
import {
  type ListLimits,
  limitScan,
  requireFullPage,
  type ScanRequest,
  slowNames,
  unservedOf,
} from './scan-limit.ts';

interface PagingContext {
  readonly run: Run;
  readonly cursors: Cursors;
  readonly list_limits: ListLimits;
}

/** A search of a feature, which a list has beside its filters. */
export interface ListSearch {
  /** Path of the list in its links. */
  readonly path: string;
  /** Parameter of the text, which the links repeat. */
  readonly parameter: { readonly name: string; readonly value: string };
  readonly restriction: Restriction;
  /** Member `search` of the list's `meta`. `is_complete`: whether all matching records of the page are certainly there. */
  readonly meta: Readonly<Record<string, unknown>> & { readonly is_complete: boolean };
}

/** The requested page. */
export interface PageRequest {
  readonly model: Model;
  readonly query: Query;
  readonly columns: readonly string[];
  readonly scope: Scope;
  /** Filters that apply to every list of the type. */
  readonly fixed_filters: readonly Filter[];
  readonly search?: ListSearch | undefined;
  readonly relatedTo?: { readonly relation: RelationModel; readonly id: string };
}

type LinkParameters = ReturnType<typeof withPosition>;

/** The rows of a page in list order, and the parameters of neighbouring pages. */
export interface ListPage {
  readonly rows: readonly Row[];
  readonly links: Readonly<Record<string, LinkParameters | null>>;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Cursor of a row; absent if the client has not requested the cursor profile. */
  readonly cursorOf?: (row: Row) => string;
}

/** Position for the last page of a list read with `page[before]`. */
const END: Position = [];

/** Reads one page. An additional row tells whether another page follows. */
export async function readPage(
  pagingContext: PagingContext,
  request: PageRequest,
): Promise<ListPage> {
  const { model, query, columns, scope } = request;
  const { list_limits } = pagingContext;
  const { total_max } = list_limits;
  const run = withSlowQueryError(pagingContext, request);
  const wholeSelection = selectionOf(pagingContext, request);
  const scanRequest = { model, query, scope, selection: wholeSelection, list_limits };
  const read = wholeSelection.restriction ? readRestricted : readUnrestricted;
  const [{ rows: fetchedRows, is_whole }, countRows] = await Promise.all([
    read(run, scanRequest, columns),
    query.page.total ? run(countList(model, scope, wholeSelection, total_max)) : undefined,
  ]);
  const { profile, page, sort } = query;
  const { limit } = page;
  const hasMore = fetchedRows.length > limit;
  const rows = hasMore ? fetchedRows.slice(0, limit) : fetchedRows;
  if (wholeSelection.anchor?.side === 'before') rows.reverse();
  const total = countRows && Number(countRows[0]?.total);
  return {
    rows,
    links: linksAround(pagingContext, request, {
      rows,
      hasMore,
      isEnd: wholeSelection.anchor?.position === END,
    }),
    meta: { ...pageMeta(query, total, total_max), ...searchMeta(request.search, is_whole) },
    ...(profile === 'requested' && {
      cursorOf: (row: Row) => pagingContext.cursors.encode(model, sort, positionOf(sort, row)),
    }),
  };
}

const searchMeta = (search: ListSearch | undefined, is_whole: boolean) =>
  search && { search: { ...search.meta, is_complete: search.meta.is_complete && is_whole } };

async function readUnrestricted(
  run: Run,
  request: ScanRequest,
  columns: readonly string[],
): Promise<RestrictedRows> {
  const { model, scope } = request;
  const selection = await limitScan(run, request);
  const rows = await run(selectList(model, columns, scope, selection));
  requireFullPage({ ...request, selection }, rows.length);
  return { rows, is_whole: true };
}

/** SQLSTATE of a statement that exceeded the statement timeout. */
const QUERY_CANCELED = '57014';

/** With filters, a slow statement is an error of the request: a retry fails, another query helps. */
const withSlowQueryError =
  (
    { run, list_limits }: PagingContext,
    { model, query }: Pick<PageRequest, 'model' | 'query'>,
  ): Run =>
  (statement) =>
    run(statement).catch((error) => {
      if (error.code !== QUERY_CANCELED || !hasCostlyParameters(query)) throw error;
      const names = slowNames(unservedOf(list_limits.hasOrder, model, query), query);
      throw problem(
        'query_too_costly',
        names.length > 0
          ? `The query took too long: no index serves ${names.join(' and ')}. Filter by more, such as created_at_gte.`
          : 'The query took too long. Use fewer filters, or filter by more, such as created_at_gte.',
        undefined,
        { cause: error, ...(names.length > 0 && { meta: { without_index: names } }) },
      );
    });

/** Parameters that do not choose rows. */
const CHEAP_FAMILIES: ReadonlySet<string> = new Set(['fields', 'include', 'page']);

const hasCostlyParameters = ({ parameters, page }: Query): boolean =>
  page.total || parameters.some(({ family }) => !CHEAP_FAMILIES.has(family));

/** Reads a text that changes whenever a row of the page changes. */
export async function readVersions(
  paging: PagingContext,
  request: PageRequest,
  version: string,
): Promise<string> {
  const { model, scope } = request;
  const run = withSlowQueryError(paging, request);
  const [row] = await run(selectVersions(model, version, scope, selectionOf(paging, request)));
  return row?.versions ?? '';
}

/** `meta` of a page. The cursor profile has its own member; many clients read `meta.total`. */
function pageMeta(
  { page: { limit }, profile }: Query,
  total: number | undefined,
  total_max: number,
) {
  if (total === undefined) return { pagination: { limit }, ...(profile && { page: {} }) };
  const isMinimum = total > total_max;
  const totalMember = isMinimum ? { total: total_max, total_is_minimum: true } : { total };
  const profileMember = isMinimum ? { estimatedTotal: { bestGuess: total_max } } : { total };
  return {
    pagination: { limit, ...totalMember },
    ...totalMember,
    ...(profile && { page: profileMember }),
  };
}

const positionOf = (sort: readonly SortKey[], row: Row): Position =>
  sort.map((key, index) => row[sortColumn(key, index)] ?? null);

function selectionOf(
  { cursors }: PagingContext,
  { model, query, fixed_filters, relatedTo, search }: PageRequest,
): ListSelection {
  const { filters, sort, page } = query;
  const position = page.anchor && cursors.decode(model, sort, page.anchor.cursor, page.anchor.side);
  return {
    filters: [...fixed_filters, ...filters],
    sort,
    limit: page.limit + 1,
    offset: page.offset,
    ...(relatedTo && { relatedTo }),
    ...(search && { restriction: search.restriction }),
    ...(page.anchor &&
      position && {
        anchor: { side: page.anchor.side, position: position.length > 0 ? position : END },
      }),
  };
}

interface FoundRows {
  readonly rows: readonly Row[];
  /** Whether more rows follow in the direction of reading. */
  readonly hasMore: boolean;
  readonly isEnd: boolean;
}

/** Links to other pages contain cursors of rows, so they stay correct while the list grows. */
function linksAround(
  { cursors }: PagingContext,
  { model, query }: PageRequest,
  foundRows: FoundRows,
): ListPage['links'] {
  const { sort, page, parameters } = query;
  const linkTo = (side: 'after' | 'before', position: Position): LinkParameters =>
    withPosition(parameters, { side, cursor: cursors.encode(model, sort, position) });
  const positionAt = (row: Row | undefined): Position => (row ? positionOf(sort, row) : END);
  const absentLink = query.profile ? null : undefined;
  const isBackwards = page.anchor?.side === 'before';
  const lastRow = foundRows.rows.at(-1);
  const hasNext = isBackwards ? !foundRows.isEnd && lastRow !== undefined : foundRows.hasMore;
  const hasPrevious = isBackwards
    ? foundRows.hasMore
    : page.offset > 0 || page.anchor !== undefined;
  const links = {
    first: withPosition(parameters),
    prev: hasPrevious ? linkTo('before', positionAt(foundRows.rows[0])) : absentLink,
    next: hasNext ? linkTo('after', positionAt(lastRow)) : absentLink,
    last: page.total ? linkTo('before', END) : undefined,
  };
  return Object.fromEntries(
    Object.entries(links).filter((entry) => entry[1] !== undefined),
  ) as ListPage['links'];
}
