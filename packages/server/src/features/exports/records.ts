import type { Field } from '@florin/contract/resources/define-resource.ts';
import type { Model } from '../../jsonapi/model.ts';
import { toCsvLine } from './csv.ts';
import {
  BYTE_ORDER_MARK,
  type ListedRecord,
  type ListRequest,
  readPages,
  relatedTo,
} from './list-pages.ts';

/** Streams all records of a list as CSV, page by page. Throws the list's errors before the first line. */
export async function* streamCsv(request: ListRequest): AsyncGenerator<string> {
  const columns = columnsOf(request.model);
  let head = `${BYTE_ORDER_MARK}${toCsvLine(columns.map(({ name }) => name))}`;
  for await (const { data } of readPages(request)) {
    yield head +
      data.map((record) => toCsvLine(columns.map(({ readValue }) => readValue(record)))).join('');
    head = '';
  }
}

type Column = {
  readonly name: string;
  readonly readValue: (record: ListedRecord) => unknown;
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
        readValue: (record) => relatedTo(record, name)?.id,
      }),
    );
  return [{ name: 'id', readValue: ({ id }) => id }, ...attributes, ...relationColumns];
}
