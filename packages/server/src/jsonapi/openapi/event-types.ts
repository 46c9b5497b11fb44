import { eventCode } from '@florin/contract/events.ts';
import type { FieldModel, Model, Models } from '../model.ts';
import { servedSchema } from './field-schema.ts';
import { recordName } from './names.ts';
import { mayBeNull } from './resource-schemas.ts';
import type { Schema } from './schema.ts';

const HEAD = '// Made by `npm run openapi` from the definitions of the records; do not edit.\n';

/** Source of TypeScript types: attributes of events and of each type with events, and each event's record. */
export function eventTypes({ all }: Models): string {
  const events = all.find(({ type }) => type === 'events');
  const eventModels = all.filter(({ resource }) => resource.events);
  const declarations = [
    `export interface EventAttributes ${membersOf(events ? fieldsOf(events).filter(({ definition }) => !definition.snapshot_of) : [])}`,
    ...eventModels.map(
      (model) =>
        `/** ${model.resource.summary}. */\nexport interface ${recordName(model.type)}Attributes ${membersOf(fieldsOf(model))}`,
    ),
    `/** A record as it was at the time of an event. */\nexport interface Snapshot<Type extends string, Attributes> {\n  readonly id: string;\n  readonly type: Type;\n  readonly attributes: Attributes;\n}`,
    `/** The record that each kind of event shows, by its code. */\nexport interface Snapshots {\n${eventModels.flatMap(snapshotsOf).join('\n')}\n}`,
  ];
  return `${HEAD}\n${declarations.join('\n\n')}\n`;
}

const fieldsOf = ({ fields }: Model): FieldModel[] =>
  [...fields.values()].filter(({ readable }) => readable);

const snapshotsOf = ({ type, resource: { events } }: Model): string[] =>
  (events?.slugs ?? []).map(
    (slug) =>
      `  readonly '${eventCode(events?.scope ?? '', slug)}': Snapshot<'${type}', ${recordName(type)}Attributes>;`,
  );

function membersOf(fields: readonly FieldModel[]): string {
  const lines = fields.map((field) => {
    const schema = servedSchema(field.definition, mayBeNull(field));
    const description = schema.description ? `  /** ${schema.description} */\n` : '';
    const optionalMark = field.definition.absent_until ? '?' : '';
    return `${description}  readonly ${field.name}${optionalMark}: ${typeOf(schema)};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

/** TypeScript type of a response schema. */
function typeOf(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(literalType).join(' | ');
  return [schema.type]
    .flat()
    .map((name) => typeNamed(name, schema))
    .join(' | ');
}

const literalType = (value: unknown): string => (value === null ? 'null' : `'${value}'`);

function typeNamed(name: unknown, { items, properties, additionalProperties }: Schema): string {
  if (name === 'integer') return 'number';
  if (name === 'array') return `readonly (${typeOf(items as Schema)})[]`;
  if (name !== 'object') return String(name);
  if (!properties)
    return `Readonly<Record<string, ${additionalProperties ? 'string' : 'unknown'}>>`;
  const members = Object.entries(properties as Record<string, Schema>);
  return `{ ${members.map(([member, schema]) => `readonly ${member}: ${typeOf(schema)}`).join('; ')} }`;
}
