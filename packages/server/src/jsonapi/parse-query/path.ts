import type { FieldModel, Model, RelationModel } from '../model.ts';
import { idField } from '../model.ts';
import type { Path } from './query.ts';

/** Failure to resolve a dotted name: `model` has no member `name`. */
export interface UnresolvedName {
  readonly model: Model;
  readonly name: string;
}

/** A path that ends at a relationship. */
interface RelationPath {
  readonly hops: readonly RelationModel[];
  readonly relation: RelationModel;
}

/** The attribute with this name, or the id; undefined if queries may not use it. */
export const queryableField = (model: Model, name: string): FieldModel | undefined => {
  if (name === 'id') return idField;
  const field = model.fields.get(name);
  return field?.queryable ? field : undefined;
};

/** Names that filters and sorts of a type may use. */
export const queryableNames = (model: Model): string[] => [
  'id',
  ...[...model.fields.values()].filter(({ queryable }) => queryable).map(({ name }) => name),
  ...model.relations.keys(),
];

/** The foreign key of a to-one relationship, as a field. */
export const foreignKeyField = (relation: RelationModel): FieldModel => ({
  ...idField,
  name: relation.name,
  column: relation.column,
  never_null: false,
});

/** Resolves `segments` over relationships to a field or to a last relationship. */
export function resolvePath(
  model: Model,
  segments: readonly string[],
): Path | RelationPath | UnresolvedName {
  const hops: RelationModel[] = [];
  let currentModel = model;
  for (const [index, name] of segments.entries()) {
    const isLast = index === segments.length - 1;
    const field = isLast ? queryableField(currentModel, name) : undefined;
    if (field) return keyPath(hops, field);
    const relation = currentModel.relations.get(name);
    if (!relation) return { model: currentModel, name };
    if (isLast) return { hops, relation };
    hops.push(relation);
    currentModel = relation.target;
  }
  return { model, name: '' };
}

/** Shortens the path of a related id: `payer.id` is the foreign key of `payer`, one hop less. */
function keyPath(hops: readonly RelationModel[], field: FieldModel): Path {
  const lastHop = hops.at(-1);
  if (field !== idField || !lastHop || lastHop.many || lastHop.guarded) return { hops, field };
  return { hops: hops.slice(0, -1), field: foreignKeyField(lastHop) };
}
