import { permissionSlug } from '@florin/contract/permissions.ts';
import type { Field, Relation, Resource } from '@florin/contract/resources/define-resource.ts';

/** A compiled attribute: its column and its allowed queries. */
export interface FieldModel {
  readonly name: string;
  readonly column: string;
  /** Column with the sandbox's value, if each mode has its own. */
  readonly sandbox_column?: string;
  readonly definition: Field;
  /** Whether responses contain the field. */
  readonly readable: boolean;
  /** Whether filters and sorts may name the field. */
  readonly queryable: boolean;
  /** Whether the column is never null in any record. */
  readonly never_null: boolean;
}

/**
 * A compiled relationship. `column` is the foreign key: for to-one in this table, for to-many in the target's
 * table.
 */
export interface RelationModel {
  readonly name: string;
  readonly many: boolean;
  readonly column: string;
  readonly target: Model;
  readonly definition: Relation;
  /** Join table of a many-to-many relation. */
  readonly through: Relation['through'];
  /** Whether some callers may read the row but not its target. Every foreign key is then checked. */
  readonly guarded: boolean;
}

/** Platform rows are visible to merchants that have a row of `relation` in which `set` is not null. */
interface VisibilityRelation {
  readonly relation: RelationModel;
  readonly set: string;
}

/** A field that contains copies of other types' records at an earlier time. */
interface Snapshot {
  readonly column: string;
  /** Column that names the type of the copied record, by scope of the event's type. */
  readonly type_column: string;
  /** Permission for reading the copied record's type, by scope. */
  readonly readable_with: ReadonlyMap<string, string>;
}

/** A compiled resource type. */
export interface Model {
  readonly type: string;
  readonly table: string;
  readonly resource: Resource;
  readonly fields: ReadonlyMap<string, FieldModel>;
  readonly relations: ReadonlyMap<string, RelationModel>;
  /** To-one relationships by foreign key column. */
  readonly toOne: ReadonlyMap<string, RelationModel>;
  /** Relationships of `toOne` whose target fewer callers may read than the row, by foreign key column. */
  readonly guards: ReadonlyMap<string, RelationModel>;
  /** Column with the row's merchant; absent for platform rows. */
  readonly tenant_column: 'merchant_id' | 'id' | undefined;
  /** Whether rows have a mode: live or sandbox. */
  readonly has_mode: boolean;
  /** Columns with the sandbox's values, by the columns with those of live mode. */
  readonly sandbox_columns: ReadonlyMap<string, string>;
  readonly seen_through: VisibilityRelation | undefined;
  readonly snapshot: Snapshot | undefined;
  /** Members of the `meta` of each record. */
  readonly meta: readonly FieldModel[];
}

/** All resource types. */
export interface Models {
  readonly all: readonly Model[];
  /** Finds a type by a name from a request. */
  find(type: string): Model | undefined;
  /** Returns a type by a name from the program; throws for an unknown name. */
  get(type: string): Model;
}

type Relations = Map<string, RelationModel>;
type UnfinishedModel = Model & {
  readonly relations: Relations;
  readonly toOne: Relations;
  readonly guards: Relations;
  seen_through: VisibilityRelation | undefined;
  snapshot: Snapshot | undefined;
};

const IDENTIFIER = /^[a-z][a-z0-9_]*$/;

const TENANT_COLUMN = 'merchant_id';
const JSON_TYPES: ReadonlySet<string> = new Set(['strings', 'object', 'objects', 'metadata']);
const RESERVED: ReadonlySet<string> = new Set(['id', 'type']);
const NEVER_NULL: ReadonlySet<string> = new Set(['id', 'created_at', 'updated_at']);

/** The id as a filterable and sortable field. Resource objects show it outside `attributes`. */
export const idField: FieldModel = fieldModel('id', { type: 'uuid' });

/** Whether the column holds JSON. */
export const isJson = ({ definition }: FieldModel): boolean => JSON_TYPES.has(definition.type);

const foreignKey = (relation: string): string => `${relation}_id`;

/**
 * Compiles all resource definitions at start. Throws an error with the type's name if definitions contradict
 * each other.
 */
export function compileModels(registry: Readonly<Record<string, Resource>>): Models {
  const tenants = tenantTypes(registry);
  const models = new Map<string, UnfinishedModel>();
  for (const [name, resource] of Object.entries(registry)) {
    if (!IDENTIFIER.test(name)) failCompile(name, 'is not called in lower snake case');
    if (resource.type !== name)
      failCompile(name, `is registered under a name that is not its type`);
    models.set(name, createShell(resource, tenants.has(name)));
  }
  for (const model of models.values()) linkRelations(model, models);
  for (const model of models.values()) model.seen_through = visibilityRelationOf(model);
  for (const model of models.values()) model.snapshot = snapshotOf(model, models);
  return {
    all: [...models.values()],
    find: (type) => models.get(type),
    get: (type) => models.get(type) ?? failCompile(type, 'does not exist'),
  };
}

/** Types whose records are merchants: relationships with the tenant column point to them. */
function tenantTypes(registry: Readonly<Record<string, Resource>>): ReadonlySet<string> {
  const relations = Object.values(registry).flatMap((resource) =>
    Object.entries(resource.relations),
  );
  return new Set(
    relations
      .filter(([name, relation]) => !relation.many && foreignKey(name) === TENANT_COLUMN)
      .map(([, relation]) => relation.to),
  );
}

function createShell(resource: Resource, isTenant: boolean): UnfinishedModel {
  for (const name of [...Object.keys(resource.fields), ...Object.keys(resource.relations)]) {
    if (RESERVED.has(name)) failCompile(resource.type, `may not call a field ${name}`);
    if (!IDENTIFIER.test(name))
      failCompile(resource.type, `calls a field ${name}, not in lower snake case`);
  }
  for (const [name, { sealed, sensitive }] of Object.entries(resource.fields)) {
    if (sealed && !sensitive) failCompile(resource.type, `seals ${name}, which is not sensitive`);
  }
  const fields = Object.entries(resource.fields).map(([name, field]) => fieldModel(name, field));
  return {
    type: resource.type,
    table: resource.table ?? resource.type,
    resource,
    fields: new Map(fields.map((field) => [field.name, field])),
    relations: new Map(),
    toOne: new Map(),
    guards: new Map(),
    tenant_column: tenantColumn(resource, isTenant),
    has_mode: resource.owner === 'mode',
    sandbox_columns: sandboxColumnsOf(fields),
    seen_through: undefined,
    snapshot: undefined,
    meta: Object.entries(resource.meta ?? {}).map(([name, field]) => fieldModel(name, field)),
  };
}

function tenantColumn(resource: Resource, isTenant: boolean): Model['tenant_column'] {
  if (resource.owner === 'platform') return undefined;
  return isTenant ? 'id' : TENANT_COLUMN;
}

function fieldModel(name: string, definition: Field): FieldModel {
  const readable = !definition.write_only;
  return {
    name,
    column: definition.column ?? name,
    definition,
    readable,
    queryable:
      readable &&
      !definition.sensitive &&
      !definition.opaque &&
      !definition.shown_once &&
      !JSON_TYPES.has(definition.type),
    ...(definition.per_mode && { sandbox_column: sandboxColumn(definition.column ?? name) }),
    never_null:
      NEVER_NULL.has(name) || definition.create === 'required' || definition.default !== undefined,
  };
}

const sandboxColumn = (column: string): string => `sandbox_${column}`;

const sandboxColumnsOf = (fields: readonly FieldModel[]): ReadonlyMap<string, string> =>
  new Map(
    fields.flatMap(({ column, sandbox_column }) =>
      sandbox_column ? [[column, sandbox_column] as const] : [],
    ),
  );

function linkRelations(model: UnfinishedModel, models: ReadonlyMap<string, Model>): void {
  for (const [name, relation] of Object.entries(model.resource.relations)) {
    if (model.fields.has(name))
      failCompile(model.type, `calls both an attribute and a relationship ${name}`);
    const target =
      models.get(relation.to) ??
      failCompile(model.type, `points to ${relation.to} by ${name}, which is not a type`);
    const isMany = relation.many ?? false;
    const { through } = relation;
    const column = through
      ? 'id'
      : foreignKey(isMany ? inverseOf(model, name, relation, target) : name);
    const guarded = !isMany && isNarrower(target.resource, model.resource);
    const relationModel = {
      name,
      many: isMany,
      column,
      target,
      definition: relation,
      through,
      guarded,
    };
    model.relations.set(name, relationModel);
    if (!isMany) model.toOne.set(name, relationModel);
    if (guarded) model.guards.set(column, relationModel);
  }
}

const breadths = { platform: 0, merchant: 1, mode: 2 } as const;

/** Whether fewer callers may read rows of `target` than rows of `source`. */
const isNarrower = (target: Resource, source: Resource): boolean =>
  target.seen_through !== undefined || breadths[target.owner] > breadths[source.owner];

function visibilityRelationOf(model: Model): VisibilityRelation | undefined {
  const { seen_through } = model.resource;
  if (!seen_through) return undefined;
  const relation = model.relations.get(seen_through.relation);
  if (!relation?.many || !relation.target.tenant_column || model.tenant_column) {
    failCompile(model.type, `cannot be seen through ${seen_through.relation}`);
  }
  return { relation, set: seen_through.set };
}

function snapshotOf(model: Model, models: ReadonlyMap<string, Model>): Snapshot | undefined {
  const snapshotField = [...model.fields.values()].find(({ definition }) => definition.snapshot_of);
  if (!snapshotField) return undefined;
  const typeField = model.fields.get(snapshotField.definition.snapshot_of as string);
  if (!typeField) failCompile(model.type, `does not say of which type ${snapshotField.name} is`);
  const readable_with = [...models.values()].flatMap(({ resource }): [string, string][] =>
    resource.events ? [[resource.events.scope, permissionSlug(resource, 'read')]] : [],
  );
  return {
    column: snapshotField.column,
    type_column: typeField.column,
    readable_with: new Map(readable_with),
  };
}

function inverseOf(model: Model, name: string, relation: Relation, target: Model): string {
  const inverse = relation.inverse ?? '';
  const inverseRelation = target.resource.relations[inverse];
  if (!inverseRelation || inverseRelation.many || inverseRelation.to !== model.type) {
    failCompile(
      model.type,
      `needs a to-one relation of ${target.type} that points back, as inverse of ${name}`,
    );
  }
  return inverse;
}

function failCompile(type: string, defect: string): never {
  throw new Error(`the definition of ${type} ${defect}`);
}
