import { problem } from '@florin/contract/errors.ts';
import { isUuid } from '../kernel/ids.ts';
import type { Db } from '../store/db.ts';
import type { Row } from '../store/row.ts';
import type { RequestContext } from './behaviour.ts';
import { documentOf } from './document/document.ts';
import { queryText } from './document/links.ts';
import { createViews, noLinkage, type Views } from './document/view.ts';
import { createFindById, type FindById } from './filter-to-sql/by-id.ts';
import { type Cursors, createCursors } from './filter-to-sql/cursor.ts';
import { createRun, type Run } from './filter-to-sql/run.ts';
import { readPage } from './list-page.ts';
import { loadIncludes } from './load-includes.ts';
import type { Model, Models, RelationModel } from './model.ts';
import { parseQuery } from './parse-query/parse-query.ts';
import type { Filter, Query } from './parse-query/query.ts';
import { requirePermission } from './permissions.ts';

interface ReaderOptions {
  readonly db: Db;
  readonly models: Models;
  /** Secret of the service under which cursors are checksummed. */
  readonly cursor_key: Buffer | string;
  /** Address of the OpenAPI document, for `links.describedby`. */
  readonly described_by?: string;
}

/** Answers questions about records with documents. `query` is a query string without `?`. */
export interface Reader {
  listRecords(ctx: RequestContext, model: Model, query: string): Promise<Buffer>;
  /** Throws `not_found` when no record in the caller's scope has the id. */
  fetchRecord(ctx: RequestContext, model: Model, id: string, query: string): Promise<Buffer>;
  /** The record or the records that the relation leads to; null for a to-one that is not set. */
  fetchRelated(
    ctx: RequestContext,
    model: Model,
    id: string,
    relation: RelationModel,
    query: string,
  ): Promise<Buffer>;
  /** Understands the query of a write before anything is written. */
  parseWriteQuery(ctx: RequestContext, model: Model, query: string): Query;
  /** The answer to a write: the row after it, as the query of the write asks for it. */
  renderRecord(ctx: RequestContext, model: Model, row: Row, query: Query): Promise<Buffer>;
}

/** What the functions of a reader share. */
interface Reading {
  readonly db: Db;
  readonly run: Run;
  readonly findById: FindById;
  readonly models: Models;
  readonly cursors: Cursors;
  readonly viewsOf: ReturnType<typeof createViews>;
  readonly described_by: string | undefined;
  readonly listed: ReadonlyMap<Model, readonly Filter[]>;
}

/** Throws where a definition calls unlisted what is no filter of its type. */
export function createReader(options: ReaderOptions): Reader {
  const { db, models, cursor_key, described_by } = options;
  const run = createRun();
  const reading: Reading = {
    db,
    run,
    findById: createFindById(db, run),
    models,
    cursors: createCursors(cursor_key),
    viewsOf: createViews(),
    described_by,
    listed: listFilters(models),
  };
  return {
    async listRecords(ctx, model, query) {
      const asked = understand(reading, ctx, model, query, 'list');
      return renderList(reading, ctx, model, asked, { path: `/v2/${model.type}` });
    },
    async fetchRecord(ctx, model, id, query) {
      const asked = understand(reading, ctx, model, query, 'document');
      return renderOne(reading, ctx, model, await existing(reading, ctx, model, id, asked), asked);
    },
    fetchRelated: (ctx, model, id, relation, query) =>
      relation.many
        ? listRelated(reading, ctx, model, id, relation, query)
        : fetchToOne(reading, ctx, model, id, relation, query),
    parseWriteQuery: (ctx, model, query) => understand(reading, ctx, model, query, 'document'),
    renderRecord: (ctx, model, row, query) => renderOne(reading, ctx, model, row, query),
  };
}

/** The filters that all lists of a type have: they leave out what its definition calls unlisted. */
const listFilters = (models: Models): ReadonlyMap<Model, readonly Filter[]> =>
  new Map(
    models.all.map((model) => {
      const query = Object.entries(model.resource.unlisted ?? {})
        .map(([field, value]) => `filter[${field}][ne]=${value}`)
        .join('&');
      return [model, parseQuery(models, model, query, 'list').filters];
    }),
  );

/** Parses the query, and checks that the caller may read every type it leads to. */
function understand(
  { models }: Reading,
  ctx: RequestContext,
  model: Model,
  query: string,
  shape: 'list' | 'document',
): Query {
  const asked = parseQuery(models, model, query, shape);
  for (const touched of asked.touched) requirePermission(ctx, touched, 'read');
  return asked;
}

const selfPath = (model: Model, id: string): string => `/v2/${model.type}/${id}`;

const notFound = () => problem('not_found', 'No record with this id is visible to the token.');

const viewsFor = ({ viewsOf }: Reading, ctx: RequestContext, model: Model, query: Query): Views =>
  viewsOf(query, model, ctx.base_url, ctx.visible);

const rowById = async (
  { findById }: Reading,
  { scope }: RequestContext,
  model: Model,
  id: string,
  columns: readonly string[],
): Promise<Row | undefined> => (isUuid(id) ? findById(model, columns, { scope, id }) : undefined);

async function existing(
  reading: Reading,
  ctx: RequestContext,
  model: Model,
  id: string,
  query: Query,
): Promise<Row> {
  const row = await rowById(
    reading,
    ctx,
    model,
    id,
    viewsFor(reading, ctx, model, query)(model).columns,
  );
  if (!row) throw notFound();
  return row;
}

async function fetchToOne(
  reading: Reading,
  ctx: RequestContext,
  model: Model,
  id: string,
  relation: RelationModel,
  query: string,
): Promise<Buffer> {
  const { target, column } = relation;
  const asked = understand(reading, ctx, target, query, 'document');
  const parent = await rowById(reading, ctx, model, id, ['id', column]);
  if (!parent) throw notFound();
  const path = `${selfPath(model, id)}/relationships/${relation.name}`;
  const targetId = parent[column];
  const columns = viewsFor(reading, ctx, target, asked)(target).columns;
  const row = targetId ? await rowById(reading, ctx, target, targetId, columns) : undefined;
  if (row) return renderOne(reading, ctx, target, row, asked, path);
  const included = asked.include ? [] : undefined;
  return documentOf({ data: 'null', links: linksOf(reading, ctx, path, asked), included });
}

async function listRelated(
  reading: Reading,
  ctx: RequestContext,
  model: Model,
  id: string,
  relation: RelationModel,
  query: string,
): Promise<Buffer> {
  const asked = understand(reading, ctx, relation.target, query, 'list');
  if (!(await rowById(reading, ctx, model, id, ['id']))) throw notFound();
  const path = `${selfPath(model, id)}/relationships/${relation.name}`;
  return renderList(reading, ctx, relation.target, asked, { path, of: { relation, id } });
}

function linksOf(
  { described_by }: Reading,
  ctx: RequestContext,
  path: string,
  query: Query,
): Record<string, string> {
  return {
    self: `${ctx.base_url}${path}${queryText(query.parameters)}`,
    ...(described_by && { describedby: described_by }),
  };
}

async function renderOne(
  reading: Reading,
  ctx: RequestContext,
  model: Model,
  row: Row,
  query: Query,
  path = selfPath(model, row.id as string),
): Promise<Buffer> {
  const views = viewsFor(reading, ctx, model, query);
  const compound =
    query.include &&
    (await loadIncludes(
      { db: reading.db, run: reading.run, scope: ctx.scope, views },
      model,
      [row],
      query.include,
    ));
  return documentOf({
    data: views(model).write(row, compound?.linkage ?? noLinkage),
    links: linksOf(reading, ctx, path, query),
    included: compound?.included,
  });
}

interface ListPlace {
  readonly path: string;
  readonly of?: { readonly relation: RelationModel; readonly id: string };
}

async function renderList(
  reading: Reading,
  ctx: RequestContext,
  model: Model,
  query: Query,
  { path, of }: ListPlace,
): Promise<Buffer> {
  const views = viewsFor(reading, ctx, model, query);
  const view = views(model);
  const page = await readPage(reading, {
    model,
    query,
    columns: view.columns,
    scope: ctx.scope,
    standing: reading.listed.get(model) ?? [],
    ...(of && { of }),
  });
  const compound =
    query.include &&
    (await loadIncludes(
      { db: reading.db, run: reading.run, scope: ctx.scope, views },
      model,
      page.rows,
      query.include,
    ));
  const linkage = compound?.linkage ?? noLinkage;
  const pageLinks = Object.entries(page.links).map(([name, link]) => [
    name,
    `${ctx.base_url}${path}${queryText(link)}`,
  ]);
  return documentOf({
    data: page.rows.map((row) => view.write(row, linkage)),
    links: { ...linksOf(reading, ctx, path, query), ...Object.fromEntries(pageLinks) },
    meta: { pagination: page.pagination },
    included: compound?.included,
  });
}
