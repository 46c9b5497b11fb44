import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Scope } from '../../../platform/database/scope.ts';

/** Row that another row is about to reference. */
export interface Reference {
  readonly scope: Scope;
  readonly table: string;
  /** Scope of the table's rows: merchant and mode, merchant, or the platform. */
  readonly owner: 'mode' | 'merchant' | 'platform';
  /** Column with the time at which a row ended; absent if rows of the table do not end. */
  readonly endedColumn?: string | undefined;
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

const textOf = ({ scope, table, owner, id }: Reference): string =>
  [table, ...keys[owner].map((column) => (column === 'id' ? id : scope[column]))].join(' ');

/**
 * Finds references to rows that do not exist, have ended, or belong to another customer. Runs one
 * query per table.
 */
export async function findBrokenReferences(
  db: Db,
  references: readonly Reference[],
): Promise<ReadonlyMap<Reference, ReferenceProblem>> {
  const byTable = Map.groupBy(references, ({ table }) => table);
  const existingRows = await Promise.all(
    [...byTable].map(([table, tableReferences]) => findExisting(db, table, tableReferences)),
  );
  const rows = new Map(existingRows.flat());
  return new Map(
    references.flatMap((reference): [Reference, ReferenceProblem][] => {
      const problem = problemOf(reference, rows.get(textOf(reference)));
      return problem ? [[reference, problem]] : [];
    }),
  );
}

function problemOf({ belongsTo }: Reference, row: Row | undefined): ReferenceProblem | undefined {
  if (!row) return 'missing';
  const holder = belongsTo && row[belongsTo.column];
  return holder && holder !== belongsTo.id ? 'foreign' : undefined;
}

/** Existing rows by their references as text. */
async function findExisting(
  db: Db,
  table: string,
  references: readonly Reference[],
): Promise<[string, Row][]> {
  const { owner, endedColumn } = references[0] as Reference;
  const columns = keys[owner];
  const key = columns.join(', ');
  const belongingColumns = new Set(references.flatMap(({ belongsTo }) => belongsTo?.column ?? []));
  const arrays = columns.map(
    (column, at) => `$${at + 1}::${column === 'mode' ? 'text' : 'uuid'}[]`,
  );
  const rows = await db.query(
    `select ${[key, ...belongingColumns].join(', ')} from ${table} where (${key}) in (select * from unnest(${arrays.join(', ')}))${
      endedColumn ? ` and (${endedColumn} is null or ${endedColumn} > now())` : ''
    }`,
    columns.map((column) =>
      references.map(({ scope, id }) => (column === 'id' ? id : scope[column])),
    ),
    `exists_${[table, ...belongingColumns].join('_')}`,
  );
  return rows.map((row) => [[table, ...columns.map((column) => row[column])].join(' '), row]);
}
