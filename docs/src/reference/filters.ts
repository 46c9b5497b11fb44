import type {
  OpenApiDocument,
  OperationObject,
  Schema,
} from '@florin/server/jsonapi/openapi/schema.ts';
import { markdownTable } from '../site/table.ts';
import { nameOfRef } from './document.ts';
import { code, isListSchema, itemsOf } from './schema-text.ts';

interface Filter {
  readonly path: string;
  readonly parameter: Schema;
}

/** Filters of a list with their operators: the type's own first, then filters by related records. */
export function filterSection(
  document: OpenApiDocument,
  list: OperationObject | undefined,
): string {
  const filters = filtersOf(document, list);
  const ownFilters = filters.filter(({ path }) => !path.includes('.'));
  if (ownFilters.length === 0) return '';
  const relatedPaths = filters.filter(({ path }) => path.includes('.')).map(({ path }) => path);
  const table = markdownTable(
    ['Filter', 'Values', 'Operators'],
    ownFilters.map(({ path, parameter }) => [
      code(`filter[${path}]`),
      valueText(parameter.schema as Schema),
      (parameter['x-operators'] as readonly string[]).map(code).join(' '),
    ]),
  );
  return ['## Filters', OPERATOR_NOTE, table, relatedText(relatedPaths)]
    .filter(Boolean)
    .join('\n\n');
}

const OPERATOR_NOTE =
  'With an operator, write `filter[path][operator]=value`. See [Filters](/reference/filtering).';

function filtersOf(document: OpenApiDocument, list: OperationObject | undefined): Filter[] {
  return (list?.parameters ?? [])
    .map((reference) => document.components.parameters?.[nameOfRef(reference)] ?? {})
    .filter((parameter) => 'x-operators' in parameter)
    .map((parameter) => ({ path: String(parameter.name).slice('filter['.length, -1), parameter }));
}

const relatedText = (paths: readonly string[]): string =>
  paths.length === 0 ? '' : `By related records: ${paths.map(code).join(', ')}.`;

const valueText = (schema: Schema): string =>
  isListSchema(schema) ? `one or more, ${String(itemsOf(schema).type)}` : String(schema.type);
