import type { FieldModel, Model, Models, RelationModel } from '../model.ts';
import { recordExample } from './examples.ts';
import { servedSchema } from './field-schema.ts';
import { recordName } from './names.ts';
import { objectOf, refTo, type Schema, toRecord } from './schema.ts';

const uuid: Schema = { type: 'string', format: 'uuid' };
const uri: Schema = { type: 'string', format: 'uri-reference' };
const pageLink: Schema = { type: ['string', 'null'], format: 'uri-reference' };

const totalIsMinimum: Schema = {
  const: true,
  type: 'boolean',
  description: 'There are more than `total`.',
};

/** `{ type, id }` of one type, in requests and responses. */
export const identifierOf = (type: string): Schema =>
  refTo('schemas', `${recordName(type)}Identifier`);

/** Response schemas of each type: record, documents and their parts. */
export const servedSchemas = (models: Models, base_url: string): Record<string, Schema> => ({
  ...Object.assign({}, ...models.all.map((model) => schemasOf(models, model, base_url))),
  Included: {
    description: 'A record that `include` requested.',
    oneOf: models.all.map(({ type }) => refTo('schemas', recordName(type))),
    discriminator: {
      propertyName: 'type',
      mapping: toRecord(models.all, ({ type }) => [
        type,
        `#/components/schemas/${recordName(type)}`,
      ]),
    },
  },
});

function schemasOf(models: Models, model: Model, base_url: string): Record<string, Schema> {
  const name = recordName(model.type);
  const incomingRelations = incomingRelationsOf(models, model);
  const resource = refTo('schemas', name);
  return {
    [name]: { ...resourceObject(model), examples: [recordExample(model, base_url)] },
    [`${name}Attributes`]: attributesSchema(model),
    [`${name}Relationships`]: relationshipsSchema(model),
    ...(incomingRelations.length > 0 && {
      [`${name}Identifier`]: objectOf({ type: { const: model.type, type: 'string' }, id: uuid }),
    }),
    [`${name}Document`]: documentOf(resource),
    ...(incomingRelations.some(({ many }) => !many) && {
      [`${name}OrNoneDocument`]: documentOf({ oneOf: [resource, { type: 'null' }] }),
    }),
    [`${name}ListDocument`]: documentOf({ type: 'array', items: resource, uniqueItems: true }),
  };
}

const incomingRelationsOf = (models: Models, target: Model): RelationModel[] =>
  models.all.flatMap(({ relations }) =>
    [...relations.values()].filter((relation) => relation.target === target),
  );

const resourceObject = (model: Model): Schema =>
  objectOf(
    {
      type: { const: model.type, type: 'string' },
      id: uuid,
      attributes: refTo('schemas', `${recordName(model.type)}Attributes`),
      relationships: refTo('schemas', `${recordName(model.type)}Relationships`),
      links: objectOf({ self: uri }),
      ...(model.meta.length > 0 && { meta: metaOf(model) }),
    },
    ['type', 'id', 'links'],
    { description: `${model.resource.summary}.` },
  );

/** No attribute is required, since a sparse fieldset leaves attributes out. */
const attributesSchema = ({ fields }: Model): Schema =>
  objectOf(
    toRecord(
      [...fields.values()].filter(({ readable }) => readable),
      (field) => [
        field.name,
        {
          ...servedSchema(field.definition, mayBeNull(field)),
          ...(isReadOnly(field.definition) && { readOnly: true }),
          ...(field.definition.deprecated_for && { deprecated: true }),
        },
      ],
    ),
    [],
  );

/** Whether a response may contain null for the field. A field that a create requires is never null. */
export const mayBeNull = ({ never_null, definition }: FieldModel): boolean =>
  !never_null && definition.create !== 'required' && !definition.always_set;

const isReadOnly = ({ create, update }: FieldModel['definition']): boolean => !(create || update);

const relationshipsSchema = ({ relations }: Model): Schema =>
  objectOf(
    toRecord(relations.values(), (relation) => [relation.name, relationshipObject(relation)]),
    [],
  );

function relationshipObject({ many, target, definition }: RelationModel): Schema {
  const identifier = identifierOf(target.type);
  const links = refTo('schemas', 'RelationshipLinks');
  const description = definition.description ? { description: definition.description } : {};
  return many
    ? objectOf(
        {
          links,
          data: {
            type: 'array',
            items: identifier,
            description: 'Present if the path is included.',
          },
        },
        ['links'],
        description,
      )
    : objectOf({ links, data: { oneOf: [identifier, { type: 'null' }] } }, undefined, description);
}

const metaOf = ({ meta }: Model): Schema =>
  objectOf(
    toRecord(meta, ({ name, definition }) => [name, servedSchema(definition)]),
    [],
  );

const documentOf = (data: Schema): Schema =>
  objectOf(
    {
      jsonapi: refTo('schemas', 'JsonApi'),
      links: refTo('schemas', 'DocumentLinks'),
      meta: refTo('schemas', 'DocumentMeta'),
      data,
      included: { type: 'array', items: refTo('schemas', 'Included') },
    },
    ['jsonapi', 'links', 'data'],
  );

/** Schemas that the documents of all types share. */
export const commonSchemas: Readonly<Record<string, Schema>> = {
  JsonApi: objectOf(
    {
      version: { type: 'string', const: '1.1' },
      profile: { type: 'array', items: { type: 'string', format: 'uri' } },
    },
    ['version'],
  ),
  DocumentLinks: objectOf(
    {
      self: { oneOf: [uri, objectOf({ href: uri, type: { type: 'string' } }, ['href'])] },
      describedby: uri,
      first: pageLink,
      prev: pageLink,
      next: pageLink,
      last: pageLink,
    },
    ['self'],
    {
      description:
        'Page links are present if they lead to a page; with the cursor profile they are null otherwise.',
    },
  ),
  RelationshipLinks: objectOf({ self: uri, related: uri }, undefined, {
    description: 'Both lead to the related record or records themselves.',
  }),
  DocumentMeta: objectOf(
    {
      pagination: objectOf(
        {
          limit: { type: 'integer', format: 'int32' },
          total: { type: 'integer', format: 'int32', description: 'Only with page[total]=true.' },
          total_is_minimum: totalIsMinimum,
        },
        ['limit'],
      ),
      total: { type: 'integer', format: 'int32', description: 'The same as `pagination.total`.' },
      total_is_minimum: { const: true, type: 'boolean' },
    },
    [],
  ),
};
