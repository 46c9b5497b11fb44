import type { Field, FieldType } from '@florin/contract/resources/define-resource.ts';
import { quoteLiteral } from '../../platform/database/schema/literal.ts';
import type { ColumnSchema } from '../../platform/database/schema/table-schema.ts';
import type { FieldModel, Model } from '../model.ts';

const LAST_COLUMNS: readonly string[] = ['created_at', 'updated_at'];
const INTEGER_MAX = 2 ** 31 - 1;

const base = { accepted: [], not_null: true, optional: false } as const;
const id: ColumnSchema = { ...base, name: 'id', type: 'uuid' };
const merchant: ColumnSchema = { ...base, name: 'merchant_id', type: 'uuid' };
const mode: ColumnSchema = { ...base, name: 'mode', type: 'text', values: ['live', 'sandbox'] };

/** Columns of a type's table: scope, fields, relations, times. */
export function columnsOf(model: Model): readonly ColumnSchema[] {
  const storedFields = [...model.fields.values(), ...model.meta].filter(
    ({ definition }) => !definition.shown_once && !definition.write_only,
  );
  const [timeColumns, otherColumns] = [true, false].map((isLast) =>
    storedFields
      .filter(({ column }) => LAST_COLUMNS.includes(column) === isLast)
      .flatMap(columnsOfField),
  );
  const columns = [
    ...(model.tenant_column === 'merchant_id' ? [merchant] : []),
    ...(model.has_mode ? [mode] : []),
    id,
    ...(otherColumns ?? []),
    ...[...model.toOne.values()].map(({ column, definition }) => foreignKey(column, definition)),
    ...(timeColumns ?? []),
  ];
  // The first of several definitions of a column wins: it has the most detail.
  return columns.filter(({ name }, at) => columns.findIndex((other) => other.name === name) === at);
}

const foreignKey = (name: string, { create }: { create?: string }): ColumnSchema => ({
  name,
  type: 'uuid',
  accepted: [],
  not_null: create === 'required',
  optional: create === 'optional',
});

/** The column of a field, and that of the sandbox if each mode has its own. */
const columnsOfField = (field: FieldModel): ColumnSchema[] => [
  columnOf(field),
  ...(field.sandbox_column ? [{ ...columnOf(field), name: field.sandbox_column }] : []),
];

function columnOf({ column, definition, never_null }: FieldModel): ColumnSchema {
  const { create, type, values } = definition;
  const defaultValue = definition.default;
  return {
    name: column,
    type: typeOf(definition),
    accepted: type === 'integer' ? acceptedIntegers(definition) : [],
    not_null: never_null,
    optional: create === 'optional' && defaultValue === undefined,
    ...(defaultValue !== undefined && { default: defaultSql(defaultValue) }),
    ...(type === 'enum' && values && { values }),
  };
}

const types: Partial<Record<FieldType, string>> = {
  boolean: 'boolean',
  timestamp: 'timestamp with time zone',
  date: 'date',
  uuid: 'uuid',
  strings: 'jsonb',
  object: 'jsonb',
  objects: 'jsonb',
  metadata: 'jsonb',
};

function typeOf(field: Field): string {
  if (field.sealed) return 'text';
  if (field.type === 'integer') return fitsInteger(field) ? 'integer' : 'bigint';
  return types[field.type] ?? 'text';
}

const fitsInteger = ({ max }: Field): boolean => max !== undefined && max <= INTEGER_MAX;

/** Accepted column types of an integer field. Fields that only the server writes may use either type. */
const acceptedIntegers = (field: Field): readonly string[] =>
  fitsInteger(field) || !(field.create || field.update) ? ['integer', 'bigint'] : ['bigint'];

function defaultSql(value: NonNullable<Field['default']>): string {
  if (typeof value === 'string') return quoteLiteral(value);
  return typeof value === 'object' ? quoteLiteral(JSON.stringify(value)) : String(value);
}
