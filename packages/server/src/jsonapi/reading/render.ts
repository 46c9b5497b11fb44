import type { Row } from '../../platform/database/row.ts';
import type { RequestContext } from '../behaviour.ts';
import { documentOf, type Link, withCursor } from '../document/document.ts';
import { queryText } from '../document/links.ts';
import { type createViews, noLinkage, type Views } from '../document/view.ts';
import { versionColumn, versionOf } from '../etag.ts';
import type { Cursors } from '../filter-to-sql/cursor.ts';
import type { Run } from '../filter-to-sql/run.ts';
import { mediaTypeWith } from '../media-type.ts';
import type { Model, RelationModel } from '../model.ts';
import { CURSOR_PROFILE } from '../parse-query/cursor-profile.ts';
import type { Filter, Query } from '../parse-query/query.ts';
import {
  type ListPage,
  type ListSearch,
  type PageRequest,
  readPage,
  readVersions,
} from './list-page.ts';
import { loadIncludes } from './load-includes.ts';
import type { PageCache, RenderedDocument } from './page-cache.ts';
import { type ListLimits, namesOf, unservedOf } from './scan-limit.ts';

/** Dependencies of rendering. */
export interface RenderContext {
  readonly run: Run;
  readonly cursors: Cursors;
  readonly list_limits: ListLimits;
  readonly viewsOf: ReturnType<typeof createViews>;
  readonly described_by: string | undefined;
  /** Filters that every list of a type has, by type. */
  readonly listFilters: ReadonlyMap<Model, readonly Filter[]>;
  readonly pages: PageCache;
}

const selfPath = (model: Model, id: string): string => `/v2/${model.type}/${id}`;

export const relationPath = (model: Model, id: string, relation: RelationModel): string =>
  `${selfPath(model, id)}/relationships/${relation.name}`;

export const viewsFor = (
  { viewsOf }: RenderContext,
  ctx: RequestContext,
  model: Model,
  query: Query,
): Views => viewsOf(query, model, ctx.base_url, ctx.isVisible, ctx.permissions);

/** Renders a document of one record. */
export async function renderOne(
  renderContext: RenderContext,
  ctx: RequestContext,
  model: Model,
  row: Row,
  query: Query,
  path = selfPath(model, row.id as string),
): Promise<RenderedDocument> {
  const views = viewsFor(renderContext, ctx, model, query);
  const compound = await compoundOf(renderContext, ctx, views, { model, rows: [row], query });
  const body = documentOf({
    data: views(model).write(row, compound?.linkage ?? noLinkage),
    links: linksOf(renderContext, ctx, path, query),
    included: compound?.included,
  });
  return { body, version: versionOf(row), secret: views.secret_use.secret };
}

/** Renders the empty document of an unset to-one relationship. */
export function renderEmpty(
  renderContext: RenderContext,
  ctx: RequestContext,
  query: Query,
  path: string,
): RenderedDocument {
  const links = linksOf(renderContext, ctx, path, query);
  return { body: documentOf({ data: 'null', links, included: query.include && [] }) };
}

interface ListLocation {
  readonly path: string;
  readonly search?: ListSearch | undefined;
  readonly relatedTo?: { readonly relation: RelationModel; readonly id: string };
}

/** Renders one page of a list. First pages that clients poll come from the cache until they change. */
export function renderList(
  renderContext: RenderContext,
  ctx: RequestContext,
  model: Model,
  query: Query,
  { path, relatedTo, search }: ListLocation,
): Promise<RenderedDocument> {
  const views = viewsFor(renderContext, ctx, model, query);
  const { columns, key } = views(model);
  const request = {
    model,
    query,
    columns,
    scope: ctx.scope,
    fixed_filters: renderContext.listFilters.get(model) ?? [],
    ...(relatedTo && { relatedTo }),
    search,
  };
  const render = () => renderPage(renderContext, ctx, views, request, path);
  const versionColumnName = versionColumn(model);
  if (search || !versionColumnName || !isCacheable(renderContext, model, query)) return render();
  const { merchant_id, mode } = ctx.scope;
  return renderContext.pages.get(
    [merchant_id, mode, query.profile, key, path, queryText(query.parameters)].join(' '),
    { readVersions: () => readVersions(renderContext, request, versionColumnName), render },
  );
}

/** Whether only the page's rows determine the document, and are read by an index: no includes, no total. */
const isCacheable = ({ list_limits }: RenderContext, model: Model, query: Query): boolean => {
  const { include, page, sort } = query;
  return (
    !include &&
    !page.anchor &&
    !page.total &&
    page.offset === 0 &&
    model.guards.size === 0 &&
    sort.every(({ hops }) => hops.length === 0) &&
    namesOf(unservedOf(list_limits.hasOrder, model, query)).length === 0
  );
};

async function renderPage(
  renderContext: RenderContext,
  ctx: RequestContext,
  views: Views,
  request: PageRequest,
  path: string,
): Promise<RenderedDocument> {
  const { model, query } = request;
  const { write } = views(model);
  const page = await readPage(renderContext, request);
  const compound = await compoundOf(renderContext, ctx, views, { model, rows: page.rows, query });
  const linkage = compound?.linkage ?? noLinkage;
  const profile = query.profile && CURSOR_PROFILE;
  const body = documentOf({
    data: page.rows.map((row) => addCursor(model, row, write(row, linkage), page)),
    links: { ...linksOf(renderContext, ctx, path, query), ...pageLinks(ctx, path, page) },
    meta: page.meta,
    included: compound?.included,
    profile,
  });
  return { body, profile, secret: views.secret_use.secret };
}

const compoundOf = (
  { run }: RenderContext,
  { scope }: RequestContext,
  views: Views,
  { model, rows, query }: { model: Model; rows: readonly Row[]; query: Query },
) => query.include && loadIncludes({ run, scope, views }, model, rows, query.include);

/** Adds the record's cursor if the list follows the cursor profile. */
const addCursor = (model: Model, row: Row, record: string, { cursorOf }: ListPage): string =>
  cursorOf
    ? withCursor(
        record,
        cursorOf(row),
        model.meta.some(({ column }) => row[column] != null),
      )
    : record;

/** Links of a document. With a requested profile, the `self` link names the profile. */
function linksOf(
  { described_by }: RenderContext,
  { base_url }: RequestContext,
  path: string,
  { parameters, profile }: Query,
): Record<string, Link> {
  const href = `${base_url}${path}${queryText(parameters)}`;
  return {
    self: profile === 'requested' ? { href, type: mediaTypeWith(CURSOR_PROFILE) } : href,
    ...(described_by && { describedby: described_by }),
  };
}

const pageLinks = (
  { base_url }: RequestContext,
  path: string,
  { links }: ListPage,
): Record<string, Link> =>
  Object.fromEntries(
    Object.entries(links).map(([name, linkParameters]) => [
      name,
      linkParameters && `${base_url}${path}${queryText(linkParameters)}`,
    ]),
  );
