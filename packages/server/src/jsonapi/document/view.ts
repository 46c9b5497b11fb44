import { createLru } from '@florin/contract/lru.ts';
import type { Field } from '@florin/contract/resources/define-resource.ts';
import type { Sealer } from '../../platform/crypto/sealer.ts';
import type { Row } from '../../platform/database/row.ts';
import type { IsVisible, RequestContext } from '../behaviour.ts';
import type { FieldModel, Model, RelationModel } from '../model.ts';
import type { IncludeTree, Query } from '../parse-query/query.ts';
import { type ComputedByTable, withComputedColumns } from './computed-columns.ts';
import { encode } from './encode.ts';
import { withMaskedTexts } from './masks.ts';
import { expressionOf, resourcePieces } from './resource-code.ts';
import { type SecretUse, secretColumns, withRecordedSecrets } from './secrets.ts';
import { withHiddenSnapshots } from './snapshots.ts';
import type { LinkageText, View } from './view-type.ts';

/** The views of one request, by type. */
export interface Views {
  (model: Model): View;
  /** Whether the views wrote a secret. */
  readonly secret_use: Readonly<SecretUse>;
}

/** Maximum number of compiled views, since clients choose their fields. */
const VIEWS_MAX = 256;

export const noLinkage: LinkageText = () => '';

/**
 * Creates the views of requests and caches recently compiled ones. Without a sealer, encrypted fields are
 * null.
 */
export function createViews(
  sealer?: Sealer,
  computed: ComputedByTable = {},
): (
  query: Query,
  root: Model,
  base_url: string,
  visible?: IsVisible,
  permissions?: RequestContext['permissions'],
) => Views {
  const cache = createLru<View>(VIEWS_MAX);
  const open = openerOf(sealer);
  return (query, root, base_url, isVisible = () => true, permissions = 'all') => {
    const followedNames = query.include ? followedRelations(root, query.include) : noRelations;
    const views = new Map<Model, View>();
    const secret_use: SecretUse = { secret: false };
    const getCompiledView = (model: Model): View => {
      const requestedFields = query.fields.get(model.type);
      const followedRelationNames = [...(followedNames.get(model) ?? [])].sort();
      const key = [
        base_url,
        model.type,
        requestedFields ? [...requestedFields].sort() : '*',
        sensitiveNames(model).filter((name) => isVisible(model.type, name)),
        followedRelationNames,
      ].join(' ');
      return cache.getOrCreate(key, () =>
        compileView(
          {
            model,
            fields: shownFieldsOf(model, requestedFields, isVisible),
            relations: [...model.relations.values()].filter(
              ({ name }) => requestedFields?.has(name) ?? true,
            ),
            isSparse: requestedFields !== undefined,
            base_url,
          },
          followedRelationNames,
          key,
          open,
        ),
      );
    };
    const createView = (model: Model): View => {
      const view = withMaskedTexts(getCompiledView(model), permissions);
      const shown = withRecordedSecrets(withHiddenSnapshots(view, permissions), secret_use);
      return withComputedColumns(shown, computed[model.table]);
    };
    const viewOf = (model: Model): View => {
      const view = views.get(model) ?? createView(model);
      views.set(model, view);
      return view;
    };
    return Object.assign(viewOf, { secret_use });
  };
}

const noRelations: ReadonlyMap<Model, ReadonlySet<string>> = new Map();

const sensitiveByModel = new WeakMap<Model, readonly string[]>();

/** Names of the fields that `isVisible` may hide. */
function sensitiveNames(model: Model): readonly string[] {
  const known = sensitiveByModel.get(model);
  if (known) return known;
  const fields = [...model.fields.values()].filter(({ definition }) => definition.sensitive);
  const names = fields.map(({ name }) => name);
  sensitiveByModel.set(model, names);
  return names;
}

const shownFieldsOf = (
  model: Model,
  requestedFields: ReadonlySet<string> | undefined,
  isVisible: IsVisible,
): FieldModel[] =>
  [...model.fields.values()].filter(
    ({ name, readable, definition }) =>
      readable &&
      (requestedFields?.has(name) ?? true) &&
      (!definition.sensitive || isVisible(model.type, name)),
  );

/** Relations of each type anywhere in the include tree. */
function followedRelations(
  root: Model,
  tree: IncludeTree,
  namesByModel = new Map<Model, Set<string>>(),
): ReadonlyMap<Model, ReadonlySet<string>> {
  for (const [name, branch] of tree) {
    const names = namesByModel.get(root) ?? new Set();
    namesByModel.set(root, names.add(name));
    followedRelations((root.relations.get(name) as RelationModel).target, branch, namesByModel);
  }
  return namesByModel;
}

type Write = (row: Row, linkage: LinkageText) => string;
type Compile = (codecs: typeof encode, meta: (row: Row) => string, open: DecryptColumn) => Write;

/** Decrypts a column; null if no key opens its value. */
type DecryptColumn = (row: Row, column: string) => string | null;

const openerOf =
  (sealer: Sealer | undefined): DecryptColumn =>
  (row, column) => {
    const { [column]: sealedValue, merchant_id, id } = row;
    if (sealedValue == null || merchant_id == null || id == null) return null;
    return sealer?.open(sealedValue, { merchant_id, id, column }) ?? null;
  };

/** The `meta` member of a record; empty if no value is set. */
function recordMeta({ meta }: Model, row: Row): string {
  const members = meta.flatMap(({ name, column, definition }) => {
    const value = row[column] ?? null;
    if (value === null) return [];
    const { shows, type } = definition;
    const text = shows ? JSON.stringify(shownList(definition, value, row)) : encode[type](value);
    return [`"${name}":${text}`];
  });
  return members.length > 0 ? `,"meta":{${members.join(',')}}` : '';
}

/** The list that a field shows for its column's value. */
const shownList = ({ shows, unless_zero }: Field, value: string, row: Row): readonly string[] =>
  (shows?.[value] ?? []).filter((member) => {
    const column = unless_zero?.[member];
    return column === undefined || Number(row[column]) !== 0;
  });

function compileView(
  shape: Parameters<typeof resourcePieces>[0],
  followedRelationNames: readonly string[],
  key: string,
  open: DecryptColumn,
): View {
  const { model, fields, relations } = shape;
  const metaText = (row: Row): string => recordMeta(model, row);
  // The code consists only of identifiers and literals from definitions, never of request data.
  const compile = new Function(
    'encode',
    'meta',
    'open',
    `return (row, linkage) => ${expressionOf(resourcePieces(shape))}`,
  ) as Compile;
  const columns = new Set([
    'id',
    ...fields.filter(({ definition }) => !definition.shown_once).map(({ column }) => column),
    ...fields.flatMap(({ definition }) => definition.absent_until ?? []),
    ...fields.flatMap(({ definition }) => definition.zero_unless?.column ?? []),
    ...fields.flatMap(({ definition }) => definition.less ?? []),
    ...(fields.some(({ definition }) => definition.sealed) ? ['merchant_id'] : []),
    ...relations.filter(({ many }) => !many).map(({ column }) => column),
    ...followedRelationNames.flatMap((name) => model.toOne.get(name)?.column ?? []),
    ...model.meta.filter(({ definition }) => !definition.shown_once).map(({ column }) => column),
    ...model.meta.flatMap(({ definition }) => Object.values(definition.unless_zero ?? {})),
  ]);
  const secrets = secretColumns(fields, model);
  return { model, key, columns: [...columns], secrets, write: compile(encode, metaText, open) };
}
