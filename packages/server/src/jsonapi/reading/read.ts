import { ProblemError } from '@florin/contract/errors.ts';
import { createLru, type Lru } from '@florin/contract/lru.ts';
import { SET } from '@florin/contract/resources/define-resource.ts';
import type { Secret } from '../../platform/crypto/key-ring.ts';
import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { isUuid } from '../../platform/ids.ts';
import type { RequestContext } from '../behaviour.ts';
import type { ComputedByTable } from '../document/computed-columns.ts';
import { createViews, noLinkage } from '../document/view.ts';
import { versionColumn } from '../etag.ts';
import { createFindById, type FindById } from '../filter-to-sql/by-id.ts';
import { createCursors } from '../filter-to-sql/cursor.ts';
import type { Statement } from '../filter-to-sql/parameters.ts';
import { createRun } from '../filter-to-sql/run.ts';
import { type Restriction, selectUnordered } from '../filter-to-sql/select.ts';
import type { Model, Models, RelationModel } from '../model.ts';
import { SCANNED_MAX, TOTAL_MAX } from '../parse-query/limits.ts';
import { parseQuery } from '../parse-query/parse-query.ts';
import type { Filter, Query } from '../parse-query/query.ts';
import { requirePermission } from '../permissions.ts';
import { notFound } from '../problems.ts';
import { orderOfDefinitions } from '../schema/indexes.ts';
import type { ListSearch } from './list-page.ts';
import { createPageCache, type RenderedDocument } from './page-cache.ts';
import {
  type RenderContext,
  relationPath,
  renderEmpty,
  renderList,
  renderOne,
  viewsFor,
} from './render.ts';
import type { ListLimits } from './scan-limit.ts';

interface ReaderOptions {
  readonly db: Db;
  readonly models: Models;
  /** Decrypts encrypted fields; absent: these fields are null. */
  readonly sealer?: Sealer;
  readonly computed?: ComputedByTable;
  /** Secret of the installation for the checksums of cursors. */
  readonly cursor_key: Secret;
  /** Address of the OpenAPI document, for `links.describedby`. */
  readonly described_by?: string;
  /** Default: `TOTAL_MAX`, `SCANNED_MAX`, and the indexes that the definitions require. */
  readonly list_limits?: Partial<ListLimits>;
}

/** Reads records as documents. `query` is a query string without `?`. */
export interface Reader {
  listRecords(
    ctx: RequestContext,
    model: Model,
    query: string,
    search?: ListSearch,
  ): Promise<RenderedDocument>;
  /** Throws `not_found` if no record in the caller's scope has the id. */
  fetchRecord(
    ctx: RequestContext,
    model: Model,
    id: string,
    query: string,
  ): Promise<RenderedDocument>;
  /** The related record or records; null for an unset to-one relation. */
  fetchRelated(
    ctx: RequestContext,
    model: Model,
    id: string,
    relation: RelationModel,
    query: string,
  ): Promise<RenderedDocument>;
  /** Statement that selects columns of the records of a list in any order. */
  selectStatement(
    ctx: RequestContext,
    model: Model,
    query: string,
    wanted: WantedRecords,
  ): Statement;
  /** The record as the caller sees it, without to-many linkage. */
  showRecord(ctx: RequestContext, model: Model, row: Row): ParsedResource;
  /** Linkage of a record's relationships by name; empty if the caller may not read the record or a target. */
  linkageOf(
    ctx: RequestContext,
    model: Model,
    id: string,
    names: readonly string[],
  ): Promise<NonNullable<ParsedResource['relationships']>>;
  /** Parses the query of a write, before the write begins. */
  parseWriteQuery(ctx: RequestContext, model: Model, query: string): Query;
  /** Renders the changed row as the response to a write, according to the write's query. */
  renderRecord(
    ctx: RequestContext,
    model: Model,
    row: Row,
    query: Query,
  ): Promise<RenderedDocument>;
}

/** Columns and number of records to select. */
export interface WantedRecords {
  readonly columns: readonly string[];
  readonly max: number;
  readonly restriction?: Restriction | undefined;
}

/** A parsed resource object. */
export interface ParsedResource {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown }>>;
}

interface ReadContext extends RenderContext {
  readonly findById: FindById;
  readonly models: Models;
  /** Cache of recently parsed queries. */
  readonly parsedQueries: Lru<Query>;
}

/** Maximum number and length of cached queries. */
const QUERIES_MAX = 256;
const QUERY_CACHED_MAX = 1_024;

/** Creates a reader. Throws if `unlisted` of a definition is not a valid filter of its type. */
export function createReader(options: ReaderOptions): Reader {
  const { db, models, sealer, computed, cursor_key, described_by } = options;
  const run = createRun(db);
  const readContext: ReadContext = {
    run,
    findById: createFindById(run),
    models,
    cursors: createCursors(cursor_key),
    list_limits: {
      total_max: TOTAL_MAX,
      scanned_max: SCANNED_MAX,
      hasOrder: orderOfDefinitions,
      ...options.list_limits,
    },
    viewsOf: createViews(sealer, computed),
    described_by,
    listFilters: listFilters(models),
    pages: createPageCache(),
    parsedQueries: createLru(QUERIES_MAX),
  };
  return {
    async listRecords(ctx, model, query, search) {
      const parsedQuery = parseAllowed(readContext, ctx, model, query, 'list');
      if (!search)
        return renderList(readContext, ctx, model, parsedQuery, { path: `/v2/${model.type}` });
      const searchedQuery = withParameter(parsedQuery, search.parameter);
      return renderList(readContext, ctx, model, searchedQuery, { path: search.path, search });
    },
    async fetchRecord(ctx, model, id, query) {
      const parsedQuery = parseAllowed(readContext, ctx, model, query, 'document');
      return renderOne(
        readContext,
        ctx,
        model,
        await expectExisting(readContext, ctx, model, id, parsedQuery),
        parsedQuery,
      );
    },
    fetchRelated: (ctx, model, id, relation, query) =>
      relation.many
        ? listRelated(readContext, ctx, model, id, relation, query)
        : fetchToOne(readContext, ctx, model, id, relation, query),
    selectStatement(ctx, model, query, { columns, max, restriction }) {
      const { filters } = parseAllowed(readContext, ctx, model, query, 'list');
      const unlisted = readContext.listFilters.get(model) ?? [];
      const selection = { filters: [...unlisted, ...filters], restriction };
      return selectUnordered(model, columns, ctx.scope, selection, max);
    },
    showRecord(ctx, model, row) {
      const query = parseAllowed(readContext, ctx, model, '', 'document');
      return JSON.parse(viewsFor(readContext, ctx, model, query)(model).write(row, noLinkage));
    },
    async linkageOf(ctx, model, id, names) {
      try {
        const query = linkageQuery(model, names);
        const parsedQuery = parseAllowed(readContext, ctx, model, query, 'document');
        const row = await expectExisting(readContext, ctx, model, id, parsedQuery);
        const { body } = await renderOne(readContext, ctx, model, row, parsedQuery);
        return JSON.parse(body.toString()).data.relationships;
      } catch (error) {
        if (error instanceof ProblemError) return {};
        throw error;
      }
    },
    parseWriteQuery: (ctx, model, query) =>
      parseAllowed(readContext, ctx, model, query, 'document'),
    renderRecord: (ctx, model, row, query) => renderOne(readContext, ctx, model, row, query),
  };
}

/** The query with a parameter of a search, which its links repeat. */
const withParameter = (query: Query, { name, value }: ListSearch['parameter']): Query => ({
  ...query,
  parameters: [{ name, value, family: name, brackets: [] }, ...query.parameters],
});

/** Filters of every list of a type, which omit its unlisted records. */
const listFilters = (models: Models): ReadonlyMap<Model, readonly Filter[]> =>
  new Map(
    models.all.map((model) => {
      const query = Object.entries(model.resource.unlisted ?? {})
        .map(([field, value]) =>
          value === SET ? `filter[${field}][null]=true` : `filter[${field}][ne]=${value}`,
        )
        .join('&');
      return [model, parseQuery(models, model, query, 'list').filters];
    }),
  );

/** Query that reads only the linkage of these relationships, without their targets' attributes. */
function linkageQuery({ type, relations }: Model, names: readonly string[]): string {
  const targets = new Set(names.map((name) => relations.get(name)?.target.type));
  const emptyFieldsets = [...targets]
    .filter((target) => target !== type)
    .map((targetType) => `fields[${targetType}]=`);
  return [`fields[${type}]=${names}`, `include=${names}`, ...emptyFieldsets].join('&');
}

/** Parses the query, and checks that the caller may read every type in it. */
function parseAllowed(
  { models, parsedQueries }: ReadContext,
  ctx: RequestContext,
  model: Model,
  query: string,
  shape: 'list' | 'document',
): Query {
  const parse = () => parseQuery(models, model, query, shape, ctx.profiles);
  const key = [shape, model.type, query, ...(ctx.profiles ?? [])].join(' ');
  const parsedQuery =
    query.length > QUERY_CACHED_MAX ? parse() : parsedQueries.getOrCreate(key, parse);
  for (const touchedModel of parsedQuery.touchedModels)
    requirePermission(ctx, touchedModel, 'read');
  return parsedQuery;
}

const rowById = async (
  { findById }: ReadContext,
  { scope }: RequestContext,
  model: Model,
  id: string,
  columns: readonly string[],
): Promise<Row | undefined> => (isUuid(id) ? findById(model, columns, { scope, id }) : undefined);

async function expectExisting(
  readContext: ReadContext,
  ctx: RequestContext,
  model: Model,
  id: string,
  query: Query,
): Promise<Row> {
  const row = await rowById(readContext, ctx, model, id, columnsOf(readContext, ctx, model, query));
  if (!row) throw notFound();
  return row;
}

/** Columns to read for a document of one record: requested fields, and columns of its entity tag. */
function columnsOf(
  readContext: ReadContext,
  ctx: RequestContext,
  model: Model,
  query: Query,
): readonly string[] {
  const { columns } = viewsFor(readContext, ctx, model, query)(model);
  const versionColumnName = versionColumn(model);
  return versionColumnName === undefined || columns.includes(versionColumnName)
    ? columns
    : [...columns, versionColumnName];
}

async function fetchToOne(
  readContext: ReadContext,
  ctx: RequestContext,
  model: Model,
  id: string,
  relation: RelationModel,
  query: string,
): Promise<RenderedDocument> {
  const { target, column } = relation;
  const parsedQuery = parseAllowed(readContext, ctx, target, query, 'document');
  const parent = await rowById(readContext, ctx, model, id, ['id', column]);
  if (!parent) throw notFound();
  const path = relationPath(model, id, relation);
  const targetId = parent[column];
  const columns = columnsOf(readContext, ctx, target, parsedQuery);
  const row = targetId ? await rowById(readContext, ctx, target, targetId, columns) : undefined;
  return row
    ? renderOne(readContext, ctx, target, row, parsedQuery, path)
    : renderEmpty(readContext, ctx, parsedQuery, path);
}

async function listRelated(
  readContext: ReadContext,
  ctx: RequestContext,
  model: Model,
  id: string,
  relation: RelationModel,
  query: string,
): Promise<RenderedDocument> {
  const parsedQuery = parseAllowed(readContext, ctx, relation.target, query, 'list');
  if (!(await rowById(readContext, ctx, model, id, ['id']))) throw notFound();
  const path = relationPath(model, id, relation);
  return renderList(readContext, ctx, relation.target, parsedQuery, {
    path,
    relatedTo: { relation, id },
  });
}
