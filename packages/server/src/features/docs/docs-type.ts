import { escapeHtml } from '@florin/contract/html.ts';
import { recordName } from '../../jsonapi/openapi/names.ts';
import type { OpenApiDocument, OperationObject, Schema } from '../../jsonapi/openapi/schema.ts';
import { type Members, renderFieldTable, renderRelationTable, schemaOf } from './docs-fields.ts';
import { renderFilters } from './docs-filters.ts';
import { renderStates, type States } from './docs-states.ts';
import { findableAttributes } from './docs-table.ts';
import { renderBlock, renderCode, renderJson, renderProse } from './docs-text.ts';

interface ServedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationObject;
}

/** A resource type, described by its tag in the document. */
interface DescribedType {
  readonly name: string;
  readonly summary: string;
  readonly states: States | undefined;
}

/** Renders the section of a resource type from the OpenAPI document alone. */
export function renderType(
  document: OpenApiDocument,
  { name: type, summary, states }: DescribedType,
): string {
  const servedOperations = operationsOf(document, type);
  const name = recordName(type);
  const list = servedOperations.find(({ operation: { operationId } }) =>
    operationId.startsWith('list'),
  );
  return `<section class="type"${findableAttributes(type)}>
<h2>${renderCode(type)}</h2>
<p>${renderProse(summary)}</p>
<h3>Fields</h3>
${renderFieldTable(document, type, name)}
<h3>Relationships</h3>
${renderRelationTable(document, type, name)}
${renderStates(type, states)}
<h3>Operations</h3>
<ul class="operations">${servedOperations.map(renderOperation).join('\n')}</ul>
${renderFilters(document, type, list?.operation)}
${renderExamples(document, name, servedOperations)}
</section>`;
}

/** Operations of a type in the document's order. */
const operationsOf = ({ paths }: OpenApiDocument, type: string): ServedOperation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter((entry): entry is [string, OperationObject] => 'operationId' in entry[1])
      .filter(([, { tags }]) => tags.includes(type))
      .map(([method, operation]) => ({ path, method, operation })),
  );

const renderOperation = ({ path, method, operation }: ServedOperation): string =>
  `<li${findableAttributes(operation.operationId)}><span class="method">${method.toUpperCase()}</span> ${renderCode(path)}<br>${escapeHtml(operation.summary)}
<p class="soft small">${renderProse(operation.description)} ${renderCode(operation.operationId)} answers ${Object.keys(operation.responses).join(' ')}.</p></li>`;

/**
 * Renders an example request of each write and an example record. Types without writes have a list
 * request.
 */
function renderExamples(
  document: OpenApiDocument,
  name: string,
  operations: readonly ServedOperation[],
): string {
  const [record] = (schemaOf(document, name)?.examples ?? []) as readonly unknown[];
  const baseUrl = String(document.servers[0]?.url);
  const writes = operations.filter(({ method }) => method !== 'get');
  const exampleOperations = writes.length > 0 ? writes : operations.slice(0, 1);
  return `${exampleOperations.map((exampleOperation) => `<details><summary>Example: ${renderCode(exampleOperation.operation.operationId)}</summary>${renderBlock(curlExample(baseUrl, exampleOperation))}</details>`).join('\n')}
<details><summary>Example record</summary>${renderJson(record)}</details>`;
}

/** Renders a request as a `curl` command with shell quoting. */
function curlExample(baseUrl: string, { path, method, operation }: ServedOperation): string {
  const contentByType = (operation.requestBody as Schema | undefined)?.content as
    | Members
    | undefined;
  const [[type, body] = []] = Object.entries(contentByType ?? {});
  const lines = [
    `curl -g -X ${method.toUpperCase()} '${baseUrl}${path}'`,
    '-H "Authorization: Bearer $KEY"',
    "-H 'User-Agent: my-shop/1.0'",
    ...(body ? [`-H 'Content-Type: ${type}'`, `-d '${JSON.stringify(body.example)}'`] : []),
  ];
  return lines.join(' \\\n  ');
}
