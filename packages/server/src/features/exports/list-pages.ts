import { problem } from '@florin/contract/errors.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { ListSearch } from '../../jsonapi/reading/list-page.ts';
import type { Reader } from '../../jsonapi/reading/read.ts';

/** Records per page: the maximum of the interface. */
const PAGE_SIZE = 500;
/** UTF-8 byte order mark. Spreadsheets need it to recognise UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A record as the interface serves it. */
export interface ListedRecord {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown }>>;
}

/** One page of a list. */
export interface ListDocument {
  readonly data: readonly ListedRecord[];
  readonly included?: readonly ListedRecord[];
  readonly links: { readonly next?: string | null };
  readonly meta?: { readonly search?: { readonly is_complete: boolean } };
}

/** A list to read completely. `query` has no page parameters. */
export interface ListRequest {
  readonly reader: Reader;
  readonly ctx: RequestContext;
  readonly model: Model;
  readonly query: URLSearchParams;
  /** Search of the list, which its query then lacks. */
  readonly search?: ListSearch | undefined;
}

/**
 * Reads all pages of a list, with the caller's permissions, filters and order. Holds one page in memory. Throws before the
 * first page if a search may lack records of any page.
 */
export async function* readPages(request: ListRequest): AsyncGenerator<ListDocument> {
  const { reader, ctx, model, query } = request;
  const search = request.search && ofAllPages(request.search);
  const parameters = new URLSearchParams(query);
  parameters.set('page[size]', String(PAGE_SIZE));
  let nextQuery: string | undefined = parameters.toString();
  while (nextQuery !== undefined) {
    const { body } = await reader.listRecords(ctx, model, nextQuery, search);
    const document = JSON.parse(body.toString()) as ListDocument;
    requireComplete(document, search);
    yield document;
    const { next } = document.links;
    nextQuery = next ? nextQueryOf(next, search) : undefined;
  }
}

const ofAllPages = (search: ListSearch): ListSearch => ({
  ...search,
  restriction: { ...search.restriction, reads_all: true },
});

function nextQueryOf(next: string, search: ListSearch | undefined): string {
  const parameters = new URL(next).searchParams;
  if (search) parameters.delete(search.parameter.name);
  return parameters.toString();
}

/** Throws `query_too_costly` if a search could not compare all records: a file must not lack some silently. */
function requireComplete({ meta }: ListDocument, search: ListSearch | undefined): void {
  if (!search || meta?.search?.is_complete !== false) return;
  const { name } = search.parameter;
  const limit = search.restriction.tested.at(-1) ?? 0;
  throw problem(
    'query_too_costly',
    `The search compares ${limit} records at most, and more may match. Send a longer text, or filter by more, such as created_at_gte.`,
    { parameter: name },
    { meta: { limit } },
  );
}

/** Returns the type and id that a to-one relationship of a record names. */
export const relatedTo = (
  { relationships }: ListedRecord,
  name: string,
): { readonly type?: string; readonly id?: string } | null | undefined =>
  relationships?.[name]?.data as ReturnType<typeof relatedTo>;
