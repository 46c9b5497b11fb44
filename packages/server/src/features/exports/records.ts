import type { Field } from '@florin/contract/resources/define-resource.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Reader } from '../../jsonapi/reading/read.ts';
import { toCsvLine } from './csv.ts';

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
export async function* streamCsv(
  reader: Reader,
  ctx: RequestContext,
  model: Model,
  query: URLSearchParams,
): AsyncGenerator<string> {
  const columns = columnsOf(model);
  const parameters = new URLSearchParams(query);
  parameters.set('page[size]', String(PAGE_SIZE));
  let nextQuery: string | undefined = parameters.toString();
  let head = `${BYTE_ORDER_MARK}${toCsvLine(columns.map(({ name }) => name))}`;
  while (nextQuery !== undefined) {
    const { body } = await reader.listRecords(ctx, model, nextQuery);
    const { data, links } = JSON.parse(body.toString()) as ListDocument;
    yield head +
      data.map((record) => toCsvLine(columns.map(({ readValue }) => readValue(record)))).join('');
    head = '';
    nextQuery = links.next ? new URL(links.next).search.slice(1) : undefined;
  }
}

type Column = {
  readonly name: string;
  readonly readValue: (record: ListDocument['data'][number]) => unknown;
};

const isExported = ({ sensitive, write_only, shown_once, deprecated_for }: Field): boolean =>
  !(sensitive || write_only || shown_once || deprecated_for);

/** Columns: the id, every served attribute, and the ids of related records. */
function columnsOf({ resource, relations }: Model): Column[] {
  const attributes = Object.entries(resource.fields)
    .filter(([, field]) => isExported(field))
    .map(([name]): Column => ({ name, readValue: (record) => record.attributes[name] }));
  const relationColumns = [...relations.values()]
    .filter(({ many }) => !many)
    .map(
      ({ name }): Column => ({
        name: `${name}_id`,
        readValue: (record) => relatedIdOf(record, name),
      }),
    );
  return [{ name: 'id', readValue: ({ id }) => id }, ...attributes, ...relationColumns];
}

function relatedIdOf({ relationships }: ListDocument['data'][number], name: string): unknown {
  const target = relationships?.[name]?.data as { readonly id?: string } | null | undefined;
  return target?.id;
}
