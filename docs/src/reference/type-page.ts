import { recordName } from '@florin/server/jsonapi/openapi/names.ts';
import type { OpenApiDocument } from '@florin/server/jsonapi/openapi/schema.ts';
import { operationsOf, schemaOf } from './document.ts';
import { fieldTable, relationTable } from './fields.ts';
import { filterSection } from './filters.ts';
import { operationSection } from './operation.ts';
import { prose } from './schema-text.ts';
import { type States, stateSection } from './states.ts';

/** A resource type, described by its tag in the document. */
export interface DescribedType {
  readonly name: string;
  readonly summary: string;
  readonly states: States | undefined;
}

/** The page of a resource type, as Markdown, from the OpenAPI document alone. */
export function typePage(
  document: OpenApiDocument,
  { name: type, summary, states }: DescribedType,
): string {
  const operations = operationsOf(document, type);
  const name = recordName(type);
  const list = operations.find(({ operation: { operationId } }) => operationId.startsWith('list'));
  return [
    `# ${type}`,
    prose(summary),
    '## Fields',
    fieldTable(document, name),
    '## Relationships',
    relationTable(document, name),
    stateSection(states),
    '## Operations',
    ...operations.map((operation) => operationSection(type, operation)),
    filterSection(document, list?.operation),
    exampleSection(document, name),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function exampleSection(document: OpenApiDocument, name: string): string {
  const [record] = (schemaOf(document, name)?.examples ?? []) as readonly unknown[];
  return `## Example record\n\n\`\`\`json\n${JSON.stringify(record, null, 2)}\n\`\`\`\n`;
}
