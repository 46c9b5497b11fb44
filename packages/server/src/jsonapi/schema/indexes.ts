import type { IndexSchema } from '../../platform/database/schema/table-schema.ts';
import { isLong, PREFIX_CHARACTERS } from '../long-text.ts';
import type { FieldModel, Model, RelationModel } from '../model.ts';

/**
 * Indexes of a type: one per filterable field, and one for lists. Types with few records per merchant have
 * none, since the primary key begins with the merchant.
 */
export function indexesOf(model: Model): readonly IndexSchema[] {
  if (model.resource.few) return [];
  const fields = [...model.fields.values()].filter(({ queryable }) => queryable);
  const indexes = [
    ...(model.fields.has('created_at') ? [newestIndex(model)] : []),
    ...[...model.toOne.values()].map((relation) => relationIndex(model, relation)),
    ...fields.map((field) => valueIndex(model, field)),
  ];
  const scope = scopeOf(model);
  // No index for scope columns, for the key of the list's index, or twice for a shared column.
  const firstKeys = indexes.map(({ keys }) => keys[0] as string);
  return indexes.filter(
    (_, at) =>
      !scope.includes(firstKeys[at] as string) && firstKeys.indexOf(firstKeys[at] as string) === at,
  );
}

const scopeOf = ({ tenant_column, has_mode }: Model): readonly string[] => [
  ...(tenant_column ? [tenant_column] : []),
  ...(has_mode ? ['mode'] : []),
];

const newestIndex = (model: Model): IndexSchema => ({
  name: `${model.table}_newest`,
  served_member: 'created_at',
  scope: scopeOf(model),
  keys: ['created_at', 'id'],
  descending: true,
  sparse: false,
});

/** Index on a foreign key without the mode: an id matches few rows in any mode. */
const relationIndex = (model: Model, { name, column, definition }: RelationModel): IndexSchema => ({
  name: `${model.table}_${name}`,
  served_member: name,
  scope: scopeOf(model).slice(0, 1),
  keys: [column],
  descending: false,
  sparse: true,
  ...(definition.create !== 'required' && { nullable: column }),
});

const valueIndex = (model: Model, field: FieldModel): IndexSchema => ({
  name: `${model.table}_${field.name}`,
  served_member: field.name,
  scope: scopeOf(model),
  keys: [keyOf(field)],
  descending: false,
  sparse: isLong(field),
  ...(!field.never_null && { nullable: field.column }),
});

const keyOf = (field: FieldModel): string =>
  isLong(field) ? `"left"(${field.column}, ${PREFIX_CHARACTERS})` : field.column;
