import type { Field, FieldType } from '@florin/contract/resources/define-resource.ts';
import { metadataLimits } from '@florin/contract/resources/metadata.ts';
import { METADATA_NAME } from '../parse-document/metadata-errors.ts';
import { ITEMS_MAX, STRINGS_MEMBER_MAX } from '../parse-document/value.ts';
import { PHONE_TEXT_MAX } from '../values/contact.ts';
import { TIMEZONE_TEXT_MAX } from '../values/timezone.ts';
import { closedObjectOf, objectOf, type Schema, toRecord } from './schema.ts';

const schemaByType: Readonly<Partial<Record<FieldType, Schema>>> = {
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  email: { type: 'string', format: 'email' },
  phone: {
    type: 'string',
    maxLength: PHONE_TEXT_MAX,
    description: 'A telephone number, stored as E.164.',
  },
  url: { type: 'string', format: 'uri' },
  country: {
    type: 'string',
    minLength: 2,
    maxLength: 3,
    description: 'ISO 3166-1 alpha-3; a write may also use alpha-2.',
  },
  currency: {
    type: 'string',
    minLength: 3,
    maxLength: 3,
    description: 'ISO 4217 code.',
    pattern: '^[A-Z]{3}$',
  },
  timezone: {
    type: 'string',
    maxLength: TIMEZONE_TEXT_MAX,
    description: 'A zone of the IANA time zone database.',
  },
  uuid: { type: 'string', format: 'uuid' },
  slug: { type: 'string', pattern: '^[a-z][a-z0-9_]*$' },
  metadata: { type: 'object', additionalProperties: { type: 'string' } },
};

const SENSITIVE = 'Sensitive: neither filterable nor sortable.';

/** Schema of a field in responses. Omits limits, since later versions may add members and raise limits. */
export const servedSchema = (field: Field, nullable = true): Schema =>
  describeSchema(orNull(schemaOfType(field), nullable), [
    field.description,
    field.shown_once && 'Only the response to its create contains it; later responses have null.',
    field.sensitive && SENSITIVE,
    field.absent_until && `Left out of the record until it is ${field.absent_until}.`,
  ]);

/** Adds the field's description to the description of its format. */
function describeSchema(schema: Schema, notes: readonly (string | false | undefined)[]): Schema {
  const description = [...notes, schema.description].filter(Boolean).join(' ');
  return description === '' ? schema : { ...schema, description };
}

function schemaOfType(field: Field): Schema {
  switch (field.type) {
    case 'integer':
      return { type: 'integer', format: 'int64' };
    case 'enum':
      return { type: 'string', enum: field.values ?? [] };
    case 'strings':
      return { type: 'array', items: textOf(field) };
    case 'object':
      return servedObject(field);
    case 'objects':
      return { type: 'array', items: servedObject(field) };
    default:
      return schemaByType[field.type] ?? { type: 'string' };
  }
}

const servedObject = ({ members }: Field): Schema =>
  members
    ? objectOf(toRecord(Object.entries(members), ([name, field]) => [name, servedSchema(field)]))
    : { type: 'object' };

/**
 * Schema of a field in requests. A field that a create requires cannot be null. Text describes defaults,
 * since generators treat fields with a `default` as always sent.
 */
export const sentSchema = (field: Field): Schema => ({
  ...describeSchema(orNull(typeSchema(field), field.create !== 'required'), [
    field.description,
    field.sensitive && SENSITIVE,
    field.default !== undefined && `Default: \`${JSON.stringify(field.default)}\`.`,
  ]),
  ...(field.deprecated_for && { deprecated: true }),
});

function typeSchema(field: Field): Schema {
  const { min, max } = field;
  switch (field.type) {
    case 'integer':
      return { type: 'integer', format: 'int64', ...limitsOf(min, max, 'minimum', 'maximum') };
    case 'enum':
      return { type: 'string', enum: field.values ?? [] };
    case 'strings':
      return { ...arraySchema(field), items: textOf(field) };
    case 'object':
      return sentObject(field);
    case 'metadata':
      return sentMetadata;
    case 'objects':
      return { ...arraySchema(field), items: sentObject(field) };
    default:
      return {
        ...(schemaByType[field.type] ?? { type: 'string' }),
        ...limitsOf(min, max, 'minLength', 'maxLength'),
        ...(field.pattern && { pattern: field.pattern.source }),
      };
  }
}

const sentMetadata: Schema = {
  type: 'object',
  maxProperties: metadataLimits.members_max,
  propertyNames: { pattern: METADATA_NAME.source },
  additionalProperties: { type: 'string', maxLength: metadataLimits.value_max },
};

const arraySchema = ({ min, max = ITEMS_MAX }: Field): Schema => ({
  type: 'array',
  ...limitsOf(min, max, 'minItems', 'maxItems'),
});

function textOf({ values, each }: Field): Schema {
  if (values) return { type: 'string', enum: values };
  const itemSchema = each && schemaByType[each];
  return itemSchema ?? { type: 'string', minLength: 1, maxLength: STRINGS_MEMBER_MAX };
}

function sentObject({ members }: Field): Schema {
  if (!members) return { type: 'object' };
  const settableMembers = Object.entries(members).filter(([, field]) => field.create);
  return closedObjectOf(
    toRecord(settableMembers, ([name, field]) => [name, sentSchema(field)]),
    settableMembers.filter(([, { create }]) => create === 'required').map(([name]) => name),
  );
}

const limitsOf = (
  min: number | undefined,
  max: number | undefined,
  minName: string,
  maxName: string,
): Schema => ({
  ...(min !== undefined && { [minName]: min }),
  ...(max !== undefined && { [maxName]: max }),
});

/** Makes a schema nullable. JSON Schema 2020-12 has no `nullable`: null is a further type and enum value. */
const orNull = (schema: Schema, nullable: boolean): Schema =>
  nullable
    ? {
        ...schema,
        type: [schema.type, 'null'],
        ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
      }
    : schema;
