import { problem } from '@florin/contract/errors.ts';
import type { Row } from '../../platform/database/row.ts';
import type { Scope } from '../../platform/database/scope.ts';
import type { Views } from '../document/view.ts';
import type { LinkageText } from '../document/view-type.ts';
import type { Run } from '../filter-to-sql/run.ts';
import { OWNER_COLUMN, selectByIds, selectRelated } from '../filter-to-sql/select.ts';
import type { Model, RelationModel } from '../model.ts';
import type { IncludeTree } from '../parse-query/query.ts';

/** Maximum number of rows that one relationship may include in a document. */
const INCLUDED_PER_EDGE_MAX = 1_000;

interface LoadContext {
  readonly run: Run;
  readonly scope: Scope;
  readonly views: Views;
}

/** Records of a compound document without duplicates, and their to-many linkage. */
interface Compound {
  /** JSON text of each included record. */
  readonly included: readonly string[];
  readonly linkage: LinkageText;
}

interface CollectedRows {
  /** Rows by type and id. Primary rows come first. */
  readonly rows: Map<Model, Map<string, Row>>;
  /** Ids of to-many targets, by relationship and record id. */
  readonly linkedIds: Map<RelationModel, Map<string, string[]>>;
}

/** Loads the relationships of `tree` for the primary rows: one query per edge of the tree. */
export async function loadIncludes(
  loadContext: LoadContext,
  root: Model,
  rows: readonly Row[],
  tree: IncludeTree,
): Promise<Compound> {
  const collectedRows: CollectedRows = { rows: new Map(), linkedIds: new Map() };
  rememberRows(collectedRows, root, rows);
  const primary = new Set(rows.map((row) => row.id as string));
  await loadBranches(loadContext, collectedRows, root, rows, tree);
  const linkage = linkageOf(collectedRows);
  const included = [...collectedRows.rows].sort(compareByType).flatMap(([model, rowsById]) => {
    const { write } = loadContext.views(model);
    return [...rowsById.keys()]
      .filter((id) => model !== root || !primary.has(id))
      .sort()
      .map((id) => write(rowsById.get(id) as Row, linkage(model)));
  });
  return { included, linkage: linkage(root) };
}

/** Sorts included types: edges load concurrently, but the document must be deterministic. */
const compareByType = ([a]: readonly [Model, unknown], [b]: readonly [Model, unknown]): number =>
  a.type < b.type ? -1 : 1;

function rememberRows({ rows }: CollectedRows, model: Model, newRows: readonly Row[]): void {
  const rowsById = rows.get(model) ?? new Map<string, Row>();
  for (const row of newRows)
    if (!rowsById.has(row.id as string)) rowsById.set(row.id as string, row);
  rows.set(model, rowsById);
}

async function loadBranches(
  loadContext: LoadContext,
  collectedRows: CollectedRows,
  model: Model,
  rows: readonly Row[],
  tree: IncludeTree,
): Promise<void> {
  await Promise.all(
    [...tree].map(async ([name, branch]) => {
      const relation = model.relations.get(name) as RelationModel;
      const load = relation.many ? loadMany : loadOne;
      const relatedRows = await load(loadContext, collectedRows, relation, rows);
      await loadBranches(loadContext, collectedRows, relation.target, relatedRows, branch);
    }),
  );
}

async function loadOne(
  { run, scope, views }: LoadContext,
  collectedRows: CollectedRows,
  relation: RelationModel,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const { target, column, name } = relation;
  const linkedIds = new Set(rows.map((row) => row[column]).filter((id) => id != null));
  if (linkedIds.size > INCLUDED_PER_EDGE_MAX) throw tooMany(name);
  const loadedRows = collectedRows.rows.get(target);
  const ids = [...linkedIds].filter((id) => !loadedRows?.has(id));
  if (ids.length > 0) {
    rememberRows(
      collectedRows,
      target,
      await run(selectByIds(target, views(target).columns, scope, ids)),
    );
  }
  const targetRows = collectedRows.rows.get(target);
  return [...linkedIds].map((id) => targetRows?.get(id)).filter((row) => row !== undefined);
}

async function loadMany(
  { run, scope, views }: LoadContext,
  collectedRows: CollectedRows,
  relation: RelationModel,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (rows.length === 0) return [];
  const { target, name } = relation;
  const ids = [...new Set(rows.map((row) => row.id as string))];
  const { columns } = views(target);
  const limit = INCLUDED_PER_EDGE_MAX + 1;
  const relatedRows = await run(selectRelated(relation, columns, scope, ids, limit));
  if (relatedRows.length > INCLUDED_PER_EDGE_MAX) throw tooMany(name);
  const idsByOwner = collectedRows.linkedIds.get(relation) ?? new Map<string, string[]>();
  collectedRows.linkedIds.set(relation, idsByOwner);
  for (const id of ids) idsByOwner.set(id, []);
  for (const row of relatedRows)
    idsByOwner.get(row[OWNER_COLUMN] as string)?.push(row.id as string);
  rememberRows(collectedRows, target, relatedRows);
  return relatedRows;
}

/** Linkage text for a type's records: complete for loaded relationships, otherwise empty. */
const linkageOf =
  ({ linkedIds }: CollectedRows) =>
  (model: Model): LinkageText =>
  (name, type, id) => {
    const ids = linkedIds.get(model.relations.get(name) as RelationModel)?.get(id);
    if (!ids) return '';
    return `,"data":[${ids.map((relatedId) => `{"type":"${type}","id":"${relatedId}"}`).join(',')}]`;
  };

const tooMany = (relation: string) =>
  problem(
    'query_too_costly',
    `Including ${relation} would add more than ${INCLUDED_PER_EDGE_MAX} records. Request a smaller page, or fetch the relationship itself.`,
    { parameter: 'include' },
    { meta: { limit: INCLUDED_PER_EDGE_MAX } },
  );
