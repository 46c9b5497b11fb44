import type { Model, Models, RelationModel } from '../model.ts';
import { LINKAGE_MAX } from '../parse-document/relationships.ts';
import { sentSchema } from './field-schema.ts';
import { recordName, toPascalCase } from './names.ts';
import { type Operation, operationsOf } from './operations.ts';
import { identifierOf } from './resource-schemas.ts';
import { closedObjectOf, type Schema, toRecord } from './schema.ts';

/** Schema name of an operation's body. */
export const requestName = ({ kind, model, action }: Operation): string =>
  `${recordName(model.type)}${toPascalCase(action ?? kind)}Request`;

/** Schemas of the bodies of all writes. */
export const requestSchemas = (models: Models): Record<string, Schema> =>
  toRecord(
    operationsOf(models).filter(({ method }) => method !== 'get'),
    (operation) => [requestName(operation), bodyOf(operation)],
  );

function bodyOf({ kind, model, action }: Operation): Schema {
  if (kind === 'create') return createBodyOf(model);
  return kind === 'update' ? updateBodyOf(model) : actionBodyOf(model, action as string);
}

function actionBodyOf(model: Model, action: string): Schema {
  const fields = model.resource.actions?.[action]?.fields;
  const attributes = closedObjectOf(
    toRecord(Object.entries(fields ?? {}), ([name, field]) => [name, sentSchema(field)]),
    [],
  );
  return documentSchema(model, fields ? { attributes } : {}, ['type', 'id']);
}

function createBodyOf(model: Model): Schema {
  const fields = [...model.fields.values()].filter(({ definition }) => definition.create);
  const relations = [...model.relations.values()].filter(({ definition }) => definition.create);
  const attributes = closedObjectOf(
    toRecord(fields, ({ name, definition }) => [name, sentSchema(definition)]),
    requiredNames(fields),
  );
  const relationships = closedObjectOf(
    toRecord(relations, (relation) => [relation.name, linkageSchema(relation)]),
    requiredNames(relations),
  );
  return documentSchema(model, { attributes, relationships }, [
    'type',
    ...(requiredNames(fields).length > 0 ? ['attributes'] : []),
    ...(requiredNames(relations).length > 0 ? ['relationships'] : []),
  ]);
}

/** Names that a create must send. Old names of attributes are optional. */
const requiredNames = (members: readonly CreateMember[]): readonly string[] =>
  members
    .filter(
      ({ definition: { create, deprecated_for } }) => create === 'required' && !deprecated_for,
    )
    .map(({ name }) => name);

interface CreateMember {
  readonly name: string;
  readonly definition: { readonly create?: string; readonly deprecated_for?: string };
}

function updateBodyOf(model: Model): Schema {
  const fields = [...model.fields.values()].filter(({ definition }) => definition.update);
  const relations = [...model.relations.values()].filter(({ definition }) => definition.update);
  return documentSchema(
    model,
    {
      attributes: closedObjectOf(
        toRecord(fields, ({ name, definition: { default: _, ...definition } }) => [
          name,
          sentSchema(definition),
        ]),
        [],
      ),
      relationships: closedObjectOf(
        toRecord(relations, (relation) => [relation.name, linkageSchema(relation)]),
        [],
      ),
    },
    ['type', 'id'],
  );
}

function linkageSchema({ many, target, definition }: RelationModel): Schema {
  const identifier = identifierOf(target.type);
  const toOneSchema =
    definition.create === 'required' ? identifier : { oneOf: [identifier, { type: 'null' }] };
  return closedObjectOf({
    data: many ? { type: 'array', items: identifier, maxItems: LINKAGE_MAX } : toOneSchema,
  });
}

/** Document with one resource object. A create has no id, since the server generates ids. */
const documentSchema = (
  { type }: Model,
  members: Readonly<Record<string, Schema>>,
  requiredMembers: readonly string[],
): Schema =>
  closedObjectOf({
    data: closedObjectOf(
      {
        type: { const: type, type: 'string' },
        ...(requiredMembers.includes('id') && { id: { type: 'string', format: 'uuid' } }),
        ...members,
      },
      requiredMembers,
    ),
  });
