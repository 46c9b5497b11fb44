import { recordName } from '../openapi/names.ts';
import type { OpenApiDocument, OperationObject, Schema } from '../openapi/schema.ts';
import { block, code, json, limitWords, prose, table, typeWords } from './docs-text.ts';
import { escapeHtml } from './page.ts';

interface Served {
  readonly path: string;
  readonly method: string;
  readonly operation: OperationObject;
}

type Members = Readonly<Record<string, Schema>>;

/** Everything about one resource type, from the document alone. */
export function typeSection(document: OpenApiDocument, type: string, summary: string): string {
  const served = operationsOf(document, type);
  const name = recordName(type);
  return `<section id="${type}" class="type" data-search="${escapeHtml(searchText(type, served))}">
<h2>${code(type)}</h2>
<p>${prose(summary)}</p>
<h3>Fields</h3>
${fieldTable(document, name)}
<h3>Relationships</h3>
${relationTable(document, name)}
<h3>Operations</h3>
<ul class="operations">${served.map(operationItem).join('\n')}</ul>
${filterDetails(document, served)}
${examples(document, name, served)}
</section>`;
}

/** The operations of a type in the order of the document. */
const operationsOf = ({ paths }: OpenApiDocument, type: string): Served[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter((entry): entry is [string, OperationObject] => 'operationId' in entry[1])
      .filter(([, { tags }]) => tags.includes(type))
      .map(([method, operation]) => ({ path, method, operation })),
  );

const searchText = (type: string, served: readonly Served[]): string =>
  [type, ...served.map(({ path, operation }) => `${path} ${operation.operationId}`)]
    .join(' ')
    .toLowerCase();

const schemaOf = ({ components }: OpenApiDocument, name: string): Schema | undefined =>
  components.schemas?.[name];

const membersOf = (schema: unknown): Members => ((schema as Schema)?.properties ?? {}) as Members;

/** What the request of a create or an update may set: attributes or relationships. */
function settable(
  document: OpenApiDocument,
  request: string,
  part: 'attributes' | 'relationships',
): { readonly members: Members; readonly required: readonly string[] } {
  const schema = membersOf(membersOf(schemaOf(document, request)).data)[part];
  return {
    members: membersOf(schema),
    required: (schema?.required ?? []) as readonly string[],
  };
}

function writeWords(document: OpenApiDocument, name: string, part: 'attributes' | 'relationships') {
  const create = settable(document, `${name}CreateRequest`, part);
  const update = settable(document, `${name}UpdateRequest`, part);
  return {
    sent: { ...update.members, ...create.members },
    when: (member: string): string =>
      [
        member in create.members &&
          (create.required.includes(member) ? 'create (required)' : 'create'),
        member in update.members && 'update',
      ]
        .filter(Boolean)
        .join(', '),
  };
}

function fieldTable(document: OpenApiDocument, name: string): string {
  const served = membersOf(schemaOf(document, `${name}Attributes`));
  const { sent, when } = writeWords(document, name, 'attributes');
  const rows = Object.entries({ ...served, ...sent }).map(([field, schema]) => [
    code(field),
    escapeHtml(typeWords(served[field] ?? schema)),
    escapeHtml(when(field)),
    prose([limitWords(schema), served[field]?.description].filter(Boolean).join('. ')),
  ]);
  return table(['Field', 'Type', 'Settable by', 'Values'], rows);
}

function relationTable(document: OpenApiDocument, name: string): string {
  const served = membersOf(schemaOf(document, `${name}Relationships`));
  const { when } = writeWords(document, name, 'relationships');
  const rows = Object.entries(served).map(([relation, schema]) => {
    const data = membersOf(schema).data as Schema;
    const target = targetOf(document, data);
    const link = `<a href="#${target}">${code(target)}</a>`;
    return [
      code(relation),
      link,
      data.type === 'array' ? 'many' : 'one',
      escapeHtml(when(relation)),
    ];
  });
  return table(['Name', 'Leads to', 'How many', 'Settable by'], rows);
}

/** The type whose identifier the linkage holds. */
function targetOf(document: OpenApiDocument, data: Schema): string {
  const identifier = (data.items ?? (data.oneOf as Schema[] | undefined)?.[0] ?? {}) as Schema;
  const { type } = membersOf(schemaOf(document, String(identifier.$ref).split('/').at(-1) ?? ''));
  return String(type?.const);
}

const operationItem = ({ path, method, operation }: Served): string =>
  `<li><span class="method">${method.toUpperCase()}</span> ${code(path)}<br>${escapeHtml(operation.summary)}
<p class="soft small">${code(operation.operationId)} needs ${operation['x-required-permission'].map(code).join(', ')}; answers ${Object.keys(operation.responses).join(' ')}</p></li>`;

function filterDetails(document: OpenApiDocument, served: readonly Served[]): string {
  const list = served.find(({ operation: { operationId } }) => operationId.startsWith('list'));
  const names = (list?.operation.parameters ?? [])
    .map(({ $ref }) => document.components.parameters?.[String($ref).split('/').at(-1) ?? ''])
    .map((parameter) => String(parameter?.name))
    .filter((name) => name.startsWith('filter['));
  if (names.length === 0) return '';
  return `<details><summary>Filters (${names.length}, and longer paths)</summary><p class="names">${names.map(code).join(' ')}</p></details>`;
}

function examples(document: OpenApiDocument, name: string, served: readonly Served[]): string {
  const [record] = (schemaOf(document, name)?.examples ?? []) as readonly unknown[];
  const first =
    served.find(({ operation: { operationId } }) => operationId === `create${name}`) ?? served[0];
  const base = String(document.servers[0]?.url);
  return `${first ? `<details><summary>Example request</summary>${block(curl(base, first))}</details>` : ''}
<details><summary>Example record</summary>${json(record)}</details>`;
}

/** The request as a shell command; quotes in it are those of the shell. */
function curl(base: string, { path, method, operation }: Served): string {
  const media = (operation.requestBody as Schema | undefined)?.content as Members | undefined;
  const [[type, body] = []] = Object.entries(media ?? {});
  const lines = [
    `curl -g -X ${method.toUpperCase()} '${base}${path}'`,
    '-H "Authorization: Bearer $KEY"',
    "-H 'User-Agent: my-shop/1.0'",
    ...(body ? [`-H 'Content-Type: ${type}'`, `-d '${JSON.stringify(body.example)}'`] : []),
  ];
  return lines.join(' \\\n  ');
}
