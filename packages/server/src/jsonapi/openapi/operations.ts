import { permissionSlug } from '@florin/contract/permissions.ts';
import type { Model, Models, RelationModel } from '../model.ts';
import { recordName, recordNouns, toCamelCase, toPascalCase, toWords } from './names.ts';

type OperationKind =
  | 'list'
  | 'fetch'
  | 'create'
  | 'update'
  | 'action'
  | 'related_one'
  | 'related_many';

/** An operation of the API: a method at an address. */
export interface Operation {
  /** Stable, because generated clients name their functions after it. */
  readonly id: string;
  readonly kind: OperationKind;
  readonly method: 'get' | 'post' | 'patch';
  readonly path: string;
  /** Resource type of the address. */
  readonly model: Model;
  /** Type of the records in the response. */
  readonly answerModel: Model;
  readonly relation?: RelationModel;
  /** Name of an action: the last part of its address. */
  readonly action?: string;
  readonly summary: string;
  /** Permissions that a key needs. All are required. */
  readonly permissions: readonly string[];
}

/** All operations, in the order of the registry. The router serves exactly this list. */
export const operationsOf = (models: Models): readonly Operation[] =>
  models.all.flatMap((model) => [
    ...recordOperations(model),
    ...Object.entries(model.resource.actions ?? {}).map(([name, { summary }]) =>
      actionOperation(model, name, summary),
    ),
    ...[...model.relations.values()].map((relation) => relatedOperation(model, relation)),
  ]);

function recordOperations(model: Model): Operation[] {
  const { type, resource } = model;
  const [recordTitle, collection] = [recordName(type), `/v2/${type}`];
  const modelFields = { model, answerModel: model };
  const operationOf: Readonly<Record<'list' | 'create' | 'fetch' | 'update', Operation>> = {
    list: {
      ...modelFields,
      id: `list${toPascalCase(type)}`,
      kind: 'list',
      method: 'get',
      path: collection,
      summary: `List ${toWords(type)}`,
      permissions: [permissionSlug(model.resource, 'read')],
    },
    create: {
      ...modelFields,
      id: `create${recordTitle}`,
      kind: 'create',
      method: 'post',
      path: collection,
      summary: `Create a ${recordNouns(type)}`,
      permissions: [permissionSlug(model.resource, 'create')],
    },
    fetch: {
      ...modelFields,
      id: `fetch${recordTitle}`,
      kind: 'fetch',
      method: 'get',
      path: `${collection}/{id}`,
      summary: `Fetch a ${recordNouns(type)}`,
      permissions: [permissionSlug(model.resource, 'read')],
    },
    update: {
      ...modelFields,
      id: `update${recordTitle}`,
      kind: 'update',
      method: 'patch',
      path: `${collection}/{id}`,
      summary: `Update a ${recordNouns(type)}`,
      permissions: [permissionSlug(model.resource, 'update')],
    },
  };
  const order = ['list', 'create', 'fetch', 'update'] as const;
  return order
    .filter((name) => resource.operations.includes(name))
    .map((name) => operationOf[name]);
}

const actionOperation = (model: Model, action: string, summary: string): Operation => ({
  id: `${toCamelCase(action)}${recordName(model.type)}`,
  kind: 'action',
  method: 'patch',
  path: `/v2/${model.type}/{id}/${action}`,
  model,
  answerModel: model,
  action,
  summary,
  permissions: [permissionSlug(model.resource, 'update')],
});

function relatedOperation(model: Model, relation: RelationModel): Operation {
  const { name, many, target } = relation;
  return {
    id: `${many ? 'list' : 'fetch'}${recordName(model.type)}${toPascalCase(name)}`,
    kind: many ? 'related_many' : 'related_one',
    method: 'get',
    path: `/v2/${model.type}/{id}/relationships/${name}`,
    model,
    answerModel: target,
    relation,
    summary: `${many ? 'List' : 'Fetch'} the ${toWords(name)} of a ${recordNouns(model.type)}`,
    permissions: [
      ...new Set([permissionSlug(model.resource, 'read'), permissionSlug(target.resource, 'read')]),
    ],
  };
}

export const isWrite = ({ method }: Operation): boolean => method !== 'get';

export const isList = ({ kind }: Operation): boolean => kind === 'list' || kind === 'related_many';
