import type { OpenApiDocument, Schema } from '@florin/server/jsonapi/openapi/schema.ts';
import { markdownTable } from '../site/table.ts';
import { membersOf, schemaOf, targetOf } from './document.ts';
import { code, isListSchema, itemsOf, limitText, prose, typeText } from './schema-text.ts';

type MemberGroup = 'attributes' | 'relationships';

/** Attributes or relationships that a create or an update accepts. */
function settableMembersOf(document: OpenApiDocument, request: string, memberGroup: MemberGroup) {
  const schema = membersOf(membersOf(schemaOf(document, request)).data)[memberGroup];
  return {
    members: membersOf(schema),
    required: (schema?.required ?? []) as readonly string[],
  };
}

function writableMembersOf(document: OpenApiDocument, name: string, memberGroup: MemberGroup) {
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

/** Table of a type's attributes and of members of object attributes. `name` is the type's name in the schemas. */
export function fieldTable(document: OpenApiDocument, name: string): string {
  const responseMembers = membersOf(schemaOf(document, `${name}Attributes`));
  const { requestMembers, describeUse } = writableMembersOf(document, name, 'attributes');
  const rows = Object.entries({ ...responseMembers, ...requestMembers }).flatMap(
    ([field, schema]) => [
      fieldRow(field, {
        served: responseMembers[field] ?? schema,
        described: schema,
        settableBy: describeUse(field),
      }),
      ...memberRows(field, schema),
    ],
  );
  return markdownTable(['Field', 'Meaning'], rows);
}

interface DescribedField {
  /** Schema in responses of the interface. */
  readonly served: Schema;
  /** The request's schema if there is one, since it has more details; else the response's. */
  readonly described: Schema;
  readonly settableBy: string;
}

const fieldRow = (
  path: string,
  { served, described, settableBy }: DescribedField,
): readonly string[] => [
  `${code(path)}${served.deprecated ? ' (deprecated)' : ''}<br>${typeText(served)}`,
  meaningCell([described.description, limitText(described)].filter(Boolean).join(' '), settableBy),
];

/** A table of four columns would be wider than the page. */
const meaningCell = (text: string, settableBy: string): string =>
  [prose(text), settableBy && `Set by: ${settableBy}.`].filter(Boolean).join('<br>');

function memberRows(field: string, schema: Schema): (readonly string[])[] {
  const [owner, path] = isListSchema(schema) ? [itemsOf(schema), `${field}[]`] : [schema, field];
  const required = (owner.required ?? []) as readonly string[];
  return Object.entries(membersOf(owner)).map(([member, described]) => {
    const settableBy = required.includes(member) ? `with ${field} (required)` : `with ${field}`;
    return fieldRow(`${path}.${member}`, { served: described, described, settableBy });
  });
}

/** Table of a type's relationships, with links to their target types. */
export function relationTable(document: OpenApiDocument, name: string): string {
  const responseMembers = membersOf(schemaOf(document, `${name}Relationships`));
  const { describeUse } = writableMembersOf(document, name, 'relationships');
  const rows = Object.entries(responseMembers).map(([relation, schema]) => {
    const data = membersOf(schema).data as Schema;
    const target = targetOf(document, data);
    const link = `[${code(target)}](/api/${target})${isListSchema(data) ? ', many' : ''}`;
    const meaning = meaningCell(String(schema.description ?? ''), describeUse(relation));
    return [`${code(relation)}<br>${link}`, meaning];
  });
  return markdownTable(['Relationship and its type', 'Meaning'], rows);
}
