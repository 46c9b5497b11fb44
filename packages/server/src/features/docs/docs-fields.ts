import { escapeHtml } from '@florin/contract/html.ts';
import type { OpenApiDocument, Schema } from '../../jsonapi/openapi/schema.ts';
import { renderTable, type TableRow } from './docs-table.ts';
import {
  isListSchema,
  itemsOf,
  limitText,
  renderCode,
  renderProse,
  typeText,
} from './docs-text.ts';

export type Members = Readonly<Record<string, Schema>>;

export const schemaOf = ({ components }: OpenApiDocument, name: string): Schema | undefined =>
  components.schemas?.[name];

export const membersOf = (schema: unknown): Members =>
  ((schema as Schema)?.properties ?? {}) as Members;

/** Attributes or relationships that a create or an update accepts. */
function settableMembersOf(
  document: OpenApiDocument,
  request: string,
  memberGroup: 'attributes' | 'relationships',
): { readonly members: Members; readonly required: readonly string[] } {
  const schema = membersOf(membersOf(schemaOf(document, request)).data)[memberGroup];
  return {
    members: membersOf(schema),
    required: (schema?.required ?? []) as readonly string[],
  };
}

function writableMembersOf(
  document: OpenApiDocument,
  name: string,
  memberGroup: 'attributes' | 'relationships',
) {
  const create = settableMembersOf(document, `${name}CreateRequest`, memberGroup);
  const update = settableMembersOf(document, `${name}UpdateRequest`, memberGroup);
  return {
    requestMembers: { ...update.members, ...create.members },
    describeUse: (member: string): string =>
      [
        member in create.members &&
          (create.required.includes(member) ? 'create (required)' : 'create'),
        member in update.members && 'update',
      ]
        .filter(Boolean)
        .join(', '),
  };
}

/**
 * Table of a type's attributes and of members of object attributes. `name` is the type's name in
 * the schemas.
 */
export function renderFieldTable(document: OpenApiDocument, type: string, name: string): string {
  const responseMembers = membersOf(schemaOf(document, `${name}Attributes`));
  const { requestMembers, describeUse } = writableMembersOf(document, name, 'attributes');
  const rows = Object.entries({ ...responseMembers, ...requestMembers }).flatMap(
    ([field, schema]) => [
      fieldRow(type, field, {
        served: responseMembers[field] ?? schema,
        described: schema,
        settableBy: describeUse(field),
      }),
      ...memberRows(type, field, schema),
    ],
  );
  return renderTable(['Field', 'Type', 'Settable by', 'Meaning'], rows);
}

interface DescribedField {
  /** Schema in responses of the interface. */
  readonly served: Schema;
  /** The request's schema if there is one, since it has more details; else the response's. */
  readonly described: Schema;
  readonly settableBy: string;
}

function fieldRow(
  type: string,
  path: string,
  { served, described, settableBy }: DescribedField,
): TableRow {
  return {
    id: `${type}.${path}`,
    cells: [
      renderCode(path),
      escapeHtml(typeText(served)),
      escapeHtml(settableBy),
      renderProse([described.description, limitText(described)].filter(Boolean).join(' ')),
    ],
  };
}

function memberRows(type: string, field: string, schema: Schema): TableRow[] {
  const [owner, path] = isListSchema(schema) ? [itemsOf(schema), `${field}[]`] : [schema, field];
  const required = (owner.required ?? []) as readonly string[];
  return Object.entries(membersOf(owner)).map(([member, described]) => {
    const settableBy = required.includes(member) ? `with ${field} (required)` : `with ${field}`;
    return fieldRow(type, `${path}.${member}`, { served: described, described, settableBy });
  });
}

/** Table of a type's relationships, with links to their target types. */
export function renderRelationTable(document: OpenApiDocument, type: string, name: string): string {
  const responseMembers = membersOf(schemaOf(document, `${name}Relationships`));
  const { describeUse } = writableMembersOf(document, name, 'relationships');
  const rows = Object.entries(responseMembers).map(([relation, schema]): TableRow => {
    const data = membersOf(schema).data as Schema;
    const target = targetOf(document, data);
    return {
      id: `${type}.${relation}`,
      cells: [
        renderCode(relation),
        `<a href="#${target}">${renderCode(target)}</a>${isListSchema(data) ? ', many' : ''}`,
        escapeHtml(describeUse(relation)),
        renderProse(String(schema.description ?? '')),
      ],
    };
  });
  return renderTable(['Name', 'Leads to', 'Settable by', 'Meaning'], rows);
}

/** The target type of a relationship. */
function targetOf(document: OpenApiDocument, data: Schema): string {
  const identifier = (data.items ?? (data.oneOf as Schema[] | undefined)?.[0] ?? {}) as Schema;
  const { type } = membersOf(schemaOf(document, String(identifier.$ref).split('/').at(-1) ?? ''));
  return String(type?.const);
}
