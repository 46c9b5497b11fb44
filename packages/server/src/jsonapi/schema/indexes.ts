import type { IndexSchema } from '../../platform/database/schema/table-schema.ts';
import { isLong, PREFIX_CHARACTERS } from '../long-text.ts';
import type { FieldModel, Model, RelationModel } from '../model.ts';

/**
 * An index for each filterable leaf, and the index for lists. Types with few records per merchant
 * need none: the primary key begins with the merchant.
 */
export function indexesOf(model: Model): readonly IndexSchema[] {
  if (model.resource.few) return [];
  const fields = [...model.fields.values()].filter(({ queryable }) => queryable);
  const all = [
    ...(model.fields.has('created_at') ? [newest(model)] : []),
    ...[...model.toOne.values()].map((relation) => pointer(model, relation)),
    ...fields.map((field) => byValue(model, field)),
  ];
  const scope = scopeOf(model);
  // The scope needs no index, the list's index also serves its own key, and fields may share a
  // column.
  const firsts = all.map(({ keys }) => keys[0] as string);
  return all.filter(
    (_, at) => !scope.includes(firsts[at] as string) && firsts.indexOf(firsts[at] as string) === at,
  );
}

const scopeOf = ({ tenant_column, has_mode }: Model): readonly string[] => [
  ...(tenant_column ? [tenant_column] : []),
  ...(has_mode ? ['mode'] : []),
];

const newest = (model: Model): IndexSchema => ({
  name: `${model.table}_newest`,
  serves: 'created_at',
  scope: scopeOf(model),
  keys: ['created_at', 'id'],
  descending: true,
  sparse: false,
});

/** A foreign key matches few rows in any mode. */
const pointer = (model: Model, { name, column, definition }: RelationModel): IndexSchema => ({
  name: `${model.table}_${name}`,
  serves: name,
  scope: scopeOf(model).slice(0, 1),
  keys: [column],
  descending: false,
  sparse: true,
  ...(definition.create !== 'required' && { nullable: column }),
});

const byValue = (model: Model, field: FieldModel): IndexSchema => ({
  name: `${model.table}_${field.name}`,
  serves: field.name,
  scope: scopeOf(model),
  keys: [keyOf(field)],
  descending: false,
  sparse: isLong(field),
  ...(!field.never_null && { nullable: field.column }),
});

const keyOf = (field: FieldModel): string =>
  isLong(field) ? `"left"(${field.column}, ${PREFIX_CHARACTERS})` : field.column;
