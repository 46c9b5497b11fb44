import type { Field } from '@florin/contract/resources/define-resource.ts';
import type { ActualIndex } from '../../platform/database/schema/actual.ts';
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

/** Whether an index has all records of a type in the order of an attribute. */
export type HasOrder = (model: Model, field: FieldModel) => boolean;

/** Orders of the indexes that definitions require. */
export const orderOfDefinitions: HasOrder = (model, field) =>
  isOrdered(model, field, (key) =>
    indexesOf(model).some(({ keys, nullable }) => keys[0] === key && nullable === undefined),
  );

/** Orders of the indexes that a database has, by table. Where one has null rows too, it has their order. */
export const orderOfIndexes =
  (indexes: ReadonlyMap<string, readonly ActualIndex[]>): HasOrder =>
  (model, field) =>
    isOrdered(model, field, (key) =>
      (indexes.get(model.table) ?? []).some(
        ({ keys, predicate }) => predicate === null && firstOwnKey(model, keys) === key,
      ),
    );

/** Records of equal values have no order, and there are many where the values are few. */
const isOrdered = (model: Model, field: FieldModel, hasIndex: (key: string) => boolean): boolean =>
  field.name === 'id' || !!model.resource.few || (!isCoarse(field) && hasIndex(keyOf(field)));

/** First key of an index after the merchant and the mode. */
function firstOwnKey(model: Model, keys: readonly string[]): string | undefined {
  const scope = scopeOf(model);
  return keys.find((key, at) => !scope.slice(0, at + 1).includes(key));
}

const scopeOf = ({ tenant_column, has_mode }: Model): readonly string[] => [
  ...(tenant_column ? [tenant_column] : []),
  ...(has_mode ? ['mode'] : []),
];

/** Columns whose values are a handful: flags, states and kinds. */
const columnsOfFewValues = ({ fields }: Model): readonly string[] =>
  [...fields.values()]
    .filter(({ queryable, definition }) => queryable && hasFewValues(definition))
    .map(({ column }) => column);

const hasFewValues = ({ type, values }: Field): boolean => type === 'boolean' || !!values;

const newestIndex = (model: Model): IndexSchema => ({
  name: `${model.table}_newest`,
  served_member: 'created_at',
  scope: scopeOf(model),
  keys: ['created_at', 'id'],
  may_follow: [],
  descending: true,
  sparse: false,
});

/** Index on a foreign key without the mode: an id matches few rows in any mode. */
const relationIndex = (
  model: Model,
  { name, column, definition, target }: RelationModel,
): IndexSchema => ({
  name: `${model.table}_${name}`,
  served_member: name,
  scope: scopeOf(model).slice(0, 1),
  keys: [column],
  may_follow: target.resource.few ? columnsOfFewValues(model) : [],
  descending: false,
  sparse: true,
  ...(definition.create !== 'required' && { nullable: column }),
});

const valueIndex = (model: Model, field: FieldModel): IndexSchema => ({
  name: `${model.table}_${field.name}`,
  served_member: field.name,
  scope: scopeOf(model),
  keys: [keyOf(field)],
  may_follow: isCoarse(field) ? columnsOfFewValues(model) : [],
  descending: false,
  sparse: isLong(field),
  ...(!field.never_null && { nullable: field.column }),
});

/** Whether equal values are common, so that nobody needs the index for an order. The index has null rows too. */
export const isCoarse = ({ definition }: FieldModel): boolean =>
  hasFewValues(definition) || definition.type === 'currency';

const keyOf = (field: FieldModel): string =>
  isLong(field) ? `"left"(${field.column}, ${PREFIX_CHARACTERS})` : field.column;
