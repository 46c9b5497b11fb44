import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Reader } from '../../jsonapi/reading/read.ts';
import { csvLine } from './csv.ts';

/** Records per page: the maximum of the interface. */
const PAGE_SIZE = 500;
/** UTF-8 byte order mark. Spreadsheets need it to recognise UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

interface ListDocument {
  readonly data: readonly {
    readonly id: string;
    readonly attributes: Readonly<Record<string, unknown>>;
    readonly relationships?: Readonly<Record<string, { readonly data?: unknown }>>;
  }[];
  readonly links: { readonly next?: string | null };
}

/**
 * Streams all records of a list as CSV, page by page, with the caller's permissions, filters and
 * order. `query` has no page parameters. Throws the list's errors before the first line.
 */
export async function* recordsAsCsv(
  reader: Reader,
  ctx: RequestContext,
  model: Model,
  query: URLSearchParams,
): AsyncGenerator<string> {
  const columns = columnsOf(model);
  const parameters = new URLSearchParams(query);
  parameters.set('page[size]', String(PAGE_SIZE));
  let nextQuery: string | undefined = parameters.toString();
  let head = `${BYTE_ORDER_MARK}${csvLine(columns.map(({ name }) => name))}`;
  while (nextQuery !== undefined) {
    const { body } = await reader.listRecords(ctx, model, nextQuery);
    const { data, links } = JSON.parse(body.toString()) as ListDocument;
    yield head + data.map((record) => csvLine(columns.map(({ of }) => of(record)))).join('');
    head = '';
    nextQuery = links.next ? new URL(links.next).search.slice(1) : undefined;
  }
}

type Column = {
  readonly name: string;
  readonly of: (record: ListDocument['data'][number]) => unknown;
};

/** Columns: the id, every served attribute, and the ids of related records. */
function columnsOf({ resource, relations }: Model): Column[] {
  const attributes = Object.entries(resource.fields)
    .filter(([, { sensitive, write_only, shown_once }]) => !sensitive && !write_only && !shown_once)
    .map(([name]): Column => ({ name, of: (record) => record.attributes[name] }));
  const pointers = [...relations.values()]
    .filter(({ many }) => !many)
    .map(({ name }): Column => ({ name: `${name}_id`, of: (record) => pointerOf(record, name) }));
  return [{ name: 'id', of: ({ id }) => id }, ...attributes, ...pointers];
}

function pointerOf({ relationships }: ListDocument['data'][number], name: string): unknown {
  const target = relationships?.[name]?.data as { readonly id?: string } | null | undefined;
  return target?.id;
}
