import type { OpenApiDocument, OperationObject, Schema } from '../../jsonapi/openapi/schema.ts';
import { renderTable } from './docs-table.ts';
import { isListSchema, itemsOf, renderCode } from './docs-text.ts';

/**
 * Filters of a list with their operators: the type's own first, then filters by related records.
 */
export function renderFilters(
  document: OpenApiDocument,
  type: string,
  list: OperationObject | undefined,
): string {
  const filters = (list?.parameters ?? [])
    .map(({ $ref }) => document.components.parameters?.[String($ref).split('/').at(-1) ?? ''] ?? {})
    .filter((parameter) => 'x-operators' in parameter)
    .map((parameter) => ({ path: String(parameter.name).slice('filter['.length, -1), parameter }));
  if (filters.length === 0) return '';
  const ownFilters = filters.filter(({ path }) => !path.includes('.'));
  const filtersByRelation = Map.groupBy(
    filters.filter(({ path }) => path.includes('.')),
    ({ path }) => path.split('.')[0],
  );
  return `<details><summary>Filters, and what they compare</summary>
${renderTable(
  ['Filter', 'Values', 'Operators'],
  ownFilters.map(({ path, parameter }) => ({
    id: `${type}.filter.${path}`,
    cells: [
      renderCode(`filter[${path}]`),
      valueText(parameter.schema as Schema),
      (parameter['x-operators'] as readonly string[]).map(renderCode).join(' '),
    ],
  })),
)}
${[...filtersByRelation.values()].map((relationFilters) => `<p class="names">${relationFilters.map(({ path }) => renderCode(`filter[${path}]`)).join(' ')}</p>`).join('\n')}
<p class="soft small">With an operator: <code>filter[path][operator]=value</code>. Longer paths work too; see <a href="#filtering">Filters</a>.</p>
</details>`;
}

const valueText = (schema: Schema): string =>
  isListSchema(schema) ? `one or more, ${String(itemsOf(schema).type)}` : String(schema.type);
