import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import { findSurvivors, survivorOf } from './survivors.ts';

/** Row that another row is about to reference. */
export interface Reference {
  readonly scope: Scope;
  readonly table: string;
  /** Scope of the table's rows: merchant and mode, merchant, or the platform. */
  readonly owner: 'mode' | 'merchant' | 'platform';
  /** Column with the time at which a row ended; absent if rows of the table do not end. */
  readonly endedColumn?: string | undefined;
  /** Whether `endedColumn` may be in the future, by the system clock. Other ends may have a sandbox's time. */
  readonly expires?: true | undefined;
  readonly id: string;
  /** Column of the referenced row that must have this value or be null. */
  readonly belongsTo?: { readonly column: string; readonly id: string };
}

/** Error of a reference: the row does not exist, or belongs to another customer. */
export type ReferenceProblem = 'missing' | 'foreign';

/** Columns that identify a row, by the scope of its table. */
const keys = {
  mode: ['merchant_id', 'mode', 'id'],
  merchant: ['merchant_id', 'id'],
  platform: ['id'],
} as const;

/** References to one table, which compare the same column. */
interface ReferenceGroup {
  readonly first: Reference;
  readonly references: readonly Reference[];
}

/**
 * Finds references to rows that do not exist, have ended, or belong to another customer. Runs one
 * query.
 */
export async function findBrokenReferences(
  db: Db,
  references: readonly Reference[],
): Promise<ReadonlyMap<Reference, ReferenceProblem>> {
  if (references.length === 0) return new Map();
  const groups = groupsOf(references);
  const foundRows = await findReferenced(db, groups);
  const rows = new Map(foundRows.map((row) => [`${row.part} ${row.place}`, row]));
  const found = groups.flatMap((group, part) =>
    group.references.map((reference, at) => ({ reference, row: rows.get(`${part} ${at + 1}`) })),
  );
  const ownedByMerged = await findOwnedByMerged(db, found);
  return new Map(
    found.flatMap(({ reference, row }): [Reference, ReferenceProblem][] => {
      const problem = ownedByMerged.has(reference) ? undefined : problemOf(reference, row);
      return problem ? [[reference, problem]] : [];
    }),
  );
}

interface FoundReference {
  readonly reference: Reference;
  readonly row: Row | undefined;
}

/** References to a record of another customer who was merged with the given one. */
async function findOwnedByMerged(
  db: Db,
  found: readonly FoundReference[],
): Promise<ReadonlySet<Reference>> {
  const foreign = found.filter(({ reference, row }) => problemOf(reference, row) === 'foreign');
  const owners = foreign.map(({ reference: { scope, belongsTo }, row }) =>
    [row?.holder, belongsTo?.id].map((id) => ({ ...scope, id: id as string })),
  );
  const survivors = await findSurvivors(db, owners.flat());
  const isOneCustomer = (at: number): boolean =>
    new Set(owners[at]?.map((owner) => survivorOf(survivors, owner))).size === 1;
  return new Set(foreign.filter((_, at) => isOneCustomer(at)).map(({ reference }) => reference));
}

/** Groups in a fixed order, so that batches share their statements. */
const groupsOf = (references: readonly Reference[]): ReferenceGroup[] =>
  [...Map.groupBy(references, groupText)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => ({ first: group[0] as Reference, references: group }));

const groupText = ({ table, belongsTo }: Reference): string =>
  `${table} ${belongsTo?.column ?? ''}`;

function problemOf({ belongsTo }: Reference, row: Row | undefined): ReferenceProblem | undefined {
  if (!row) return 'missing';
  return row.holder && row.holder !== belongsTo?.id ? 'foreign' : undefined;
}

/** Referenced rows that exist: number of the group, place in it, and value of its compared column. */
function findReferenced(db: Db, groups: readonly ReferenceGroup[]): Promise<Row[]> {
  const values: unknown[] = [];
  const parts = groups.map((group, part) => existingSql(group, part, values));
  const name = groups.map(({ first }) => groupText(first)).join(' ');
  return db.query(parts.join(' union all '), values, `references ${name}`);
}

/** `offset 0` forces one index lookup per reference. Appends its parameters to `values`. */
function existingSql({ first, references }: ReferenceGroup, part: number, values: unknown[]) {
  const { table, owner, endedColumn, expires, belongsTo } = first;
  const columns = keys[owner];
  const arrays = columns.map((column) => {
    const type = column === 'mode' ? 'text' : 'uuid';
    const ids = references.map(({ scope, id }) => (column === 'id' ? id : scope[column]));
    return `$${values.push(ids)}::${type}[]`;
  });
  const conditions = columns.map((column) => `${column} = k.${column}`);
  const expiring = expires ? ` or ${endedColumn} > now()` : '';
  if (endedColumn) conditions.push(`(${endedColumn} is null${expiring})`);
  return `select ${part} as part, k.place, r.holder
    from unnest(${arrays.join(', ')}) with ordinality as k (${columns.join(', ')}, place)
      cross join lateral (select ${belongsTo ? belongsTo.column : 'null::uuid'} as holder
        from ${table} where ${conditions.join(' and ')} offset 0) r`;
}
