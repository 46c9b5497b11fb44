import { ProblemError } from '@florin/contract/errors.ts';
import { createLru, type Lru } from '@florin/contract/lru.ts';
import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { isUuid } from '../../platform/ids.ts';
import type { RequestContext } from '../behaviour.ts';
import { createViews, noLinkage } from '../document/view.ts';
import { versionColumn } from '../etag.ts';
import { createFindById, type FindById } from '../filter-to-sql/by-id.ts';
import { createCursors } from '../filter-to-sql/cursor.ts';
import { createRun } from '../filter-to-sql/run.ts';
import type { Model, Models, RelationModel } from '../model.ts';
import { parseQuery } from '../parse-query/parse-query.ts';
import type { Filter, Query } from '../parse-query/query.ts';
import { requirePermission } from '../permissions.ts';
import { notFound } from '../problems.ts';
import { createPageCache, type RenderedDocument } from './page-cache.ts';
import {
  type RenderContext,
  relationPath,
  renderEmpty,
  renderList,
  renderOne,
  viewsFor,
} from './render.ts';

interface ReaderOptions {
  readonly db: Db;
  readonly models: Models;
  /** Decrypts encrypted fields; absent: these fields are null. */
  readonly sealer?: Sealer;
  /** Secret of the installation for the checksums of cursors. */
  readonly cursor_key: Buffer | string;
  /** Address of the OpenAPI document, for `links.describedby`. */
  readonly described_by?: string;
}

/** Reads records as documents. `query` is a query string without `?`. */
export interface Reader {
  listRecords(ctx: RequestContext, model: Model, query: string): Promise<RenderedDocument>;
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
  const { db, models, sealer, cursor_key, described_by } = options;
  const run = createRun(db);
  const reading: ReadContext = {
    run,
    findById: createFindById(run),
    models,
    cursors: createCursors(cursor_key),
    viewsOf: createViews(sealer),
    described_by,
    listed: listFilters(models),
    pages: createPageCache(),
    parsedQueries: createLru(QUERIES_MAX),
  };
  return {
    async listRecords(ctx, model, query) {
      const parsed = parseAllowed(reading, ctx, model, query, 'list');
      return renderList(reading, ctx, model, parsed, { path: `/v2/${model.type}` });
    },
    async fetchRecord(ctx, model, id, query) {
      const parsed = parseAllowed(reading, ctx, model, query, 'document');
      return renderOne(
        reading,
        ctx,
        model,
        await expectExisting(reading, ctx, model, id, parsed),
        parsed,
      );
    },
    fetchRelated: (ctx, model, id, relation, query) =>
      relation.many
        ? listRelated(reading, ctx, model, id, relation, query)
        : fetchToOne(reading, ctx, model, id, relation, query),
    showRecord(ctx, model, row) {
      const query = parseAllowed(reading, ctx, model, '', 'document');
      return JSON.parse(viewsFor(reading, ctx, model, query)(model).write(row, noLinkage));
    },
    async linkageOf(ctx, model, id, names) {
      try {
        const query = linkageQuery(model, names);
        const parsed = parseAllowed(reading, ctx, model, query, 'document');
        const row = await expectExisting(reading, ctx, model, id, parsed);
        const { body } = await renderOne(reading, ctx, model, row, parsed);
        return JSON.parse(body.toString()).data.relationships;
      } catch (error) {
        if (error instanceof ProblemError) return {};
        throw error;
      }
    },
    parseWriteQuery: (ctx, model, query) => parseAllowed(reading, ctx, model, query, 'document'),
    renderRecord: (ctx, model, row, query) => renderOne(reading, ctx, model, row, query),
  };
}

/** Filters of every list of a type, which omit its unlisted records. */
const listFilters = (models: Models): ReadonlyMap<Model, readonly Filter[]> =>
  new Map(
    models.all.map((model) => {
      const query = Object.entries(model.resource.unlisted ?? {})
        .map(([field, value]) => `filter[${field}][ne]=${value}`)
        .join('&');
      return [model, parseQuery(models, model, query, 'list').filters];
    }),
  );

/** Query that reads only the linkage of these relationships, without their targets' attributes. */
function linkageQuery({ type, relations }: Model, names: readonly string[]): string {
  const targets = new Set(names.map((name) => relations.get(name)?.target.type));
  const emptyFieldsets = [...targets]
    .filter((target) => target !== type)
    .map((one) => `fields[${one}]=`);
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
  const parsed = query.length > QUERY_CACHED_MAX ? parse() : parsedQueries.getOrCreate(key, parse);
  for (const touched of parsed.touched) requirePermission(ctx, touched, 'read');
  return parsed;
}

const rowById = async (
  { findById }: ReadContext,
  { scope }: RequestContext,
  model: Model,
  id: string,
  columns: readonly string[],
): Promise<Row | undefined> => (isUuid(id) ? findById(model, columns, { scope, id }) : undefined);

async function expectExisting(
  reading: ReadContext,
  ctx: RequestContext,
  model: Model,
  id: string,
  query: Query,
): Promise<Row> {
  const row = await rowById(reading, ctx, model, id, columnsOf(reading, ctx, model, query));
  if (!row) throw notFound();
  return row;
}

/** Columns to read for a document of one record: requested fields, and columns of its entity tag. */
function columnsOf(
  reading: ReadContext,
  ctx: RequestContext,
  model: Model,
  query: Query,
): readonly string[] {
  const { columns } = viewsFor(reading, ctx, model, query)(model);
  const version = versionColumn(model);
  return version === undefined || columns.includes(version) ? columns : [...columns, version];
}

async function fetchToOne(
  reading: ReadContext,
  ctx: RequestContext,
  model: Model,
  id: string,
  relation: RelationModel,
  query: string,
): Promise<RenderedDocument> {
  const { target, column } = relation;
  const parsedQuery = parseAllowed(reading, ctx, target, query, 'document');
  const parent = await rowById(reading, ctx, model, id, ['id', column]);
  if (!parent) throw notFound();
  const path = relationPath(model, id, relation);
  const targetId = parent[column];
  const columns = columnsOf(reading, ctx, target, parsedQuery);
  const row = targetId ? await rowById(reading, ctx, target, targetId, columns) : undefined;
  return row
    ? renderOne(reading, ctx, target, row, parsedQuery, path)
    : renderEmpty(reading, ctx, parsedQuery, path);
}

async function listRelated(
  reading: ReadContext,
  ctx: RequestContext,
  model: Model,
  id: string,
  relation: RelationModel,
  query: string,
): Promise<RenderedDocument> {
  const parsed = parseAllowed(reading, ctx, relation.target, query, 'list');
  if (!(await rowById(reading, ctx, model, id, ['id']))) throw notFound();
  const path = relationPath(model, id, relation);
  return renderList(reading, ctx, relation.target, parsed, { path, of: { relation, id } });
}
