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
  readonly linked: Map<RelationModel, Map<string, string[]>>;
}

/** Loads the relationships of `tree` for the primary rows: one query per edge of the tree. */
export async function loadIncludes(
  loading: LoadContext,
  root: Model,
  rows: readonly Row[],
  tree: IncludeTree,
): Promise<Compound> {
  const collected: CollectedRows = { rows: new Map(), linked: new Map() };
  rememberRows(collected, root, rows);
  const primary = new Set(rows.map((row) => row.id as string));
  await loadBranches(loading, collected, root, rows, tree);
  const linkage = linkageOf(collected);
  const included = [...collected.rows].sort(byType).flatMap(([model, byId]) => {
    const { write } = loading.views(model);
    return [...byId.keys()]
      .filter((id) => model !== root || !primary.has(id))
      .sort()
      .map((id) => write(byId.get(id) as Row, linkage(model)));
  });
  return { included, linkage: linkage(root) };
}

/** Sorts included types: edges load concurrently, but the document must be deterministic. */
const byType = ([a]: readonly [Model, unknown], [b]: readonly [Model, unknown]): number =>
  a.type < b.type ? -1 : 1;

function rememberRows({ rows }: CollectedRows, model: Model, added: readonly Row[]): void {
  const byId = rows.get(model) ?? new Map<string, Row>();
  for (const row of added) if (!byId.has(row.id as string)) byId.set(row.id as string, row);
  rows.set(model, byId);
}

async function loadBranches(
  loading: LoadContext,
  collected: CollectedRows,
  model: Model,
  rows: readonly Row[],
  tree: IncludeTree,
): Promise<void> {
  await Promise.all(
    [...tree].map(async ([name, branch]) => {
      const relation = model.relations.get(name) as RelationModel;
      const load = relation.many ? loadMany : loadOne;
      const relatedRows = await load(loading, collected, relation, rows);
      await loadBranches(loading, collected, relation.target, relatedRows, branch);
    }),
  );
}

async function loadOne(
  { run, scope, views }: LoadContext,
  collected: CollectedRows,
  relation: RelationModel,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const { target, column, name } = relation;
  const linkedIds = new Set(rows.map((row) => row[column]).filter((id) => id != null));
  if (linkedIds.size > INCLUDED_PER_EDGE_MAX) throw tooMany(name);
  const loadedRows = collected.rows.get(target);
  const ids = [...linkedIds].filter((id) => !loadedRows?.has(id));
  if (ids.length > 0) {
    rememberRows(
      collected,
      target,
      await run(selectByIds(target, views(target).columns, scope, ids)),
    );
  }
  const all = collected.rows.get(target);
  return [...linkedIds].map((id) => all?.get(id)).filter((row) => row !== undefined);
}

async function loadMany(
  { run, scope, views }: LoadContext,
  collected: CollectedRows,
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
  const linked = collected.linked.get(relation) ?? new Map<string, string[]>();
  collected.linked.set(relation, linked);
  for (const id of ids) linked.set(id, []);
  for (const row of relatedRows) linked.get(row[OWNER_COLUMN] as string)?.push(row.id as string);
  rememberRows(collected, target, relatedRows);
  return relatedRows;
}

/** Linkage text for a type's records: complete for loaded relationships, otherwise empty. */
const linkageOf =
  ({ linked }: CollectedRows) =>
  (model: Model): LinkageText =>
  (name, type, id) => {
    const ids = linked.get(model.relations.get(name) as RelationModel)?.get(id);
    if (!ids) return '';
    return `,"data":[${ids.map((each) => `{"type":"${type}","id":"${each}"}`).join(',')}]`;
  };

const tooMany = (relation: string) =>
  problem(
    'query_too_costly',
    `Including ${relation} would add more than ${INCLUDED_PER_EDGE_MAX} records. Ask for a smaller page, or read the relationship's own address.`,
    { parameter: 'include' },
    { meta: { limit: INCLUDED_PER_EDGE_MAX } },
  );
