import type { Db } from './db.ts';
import type { Scope } from './scope.ts';

/** A row that another one wants to point to. */
export interface Reference {
  readonly scope: Scope;
  readonly table: string;
  /** Whose the rows of the table are: of a merchant and mode, of a merchant in both modes, of everybody. */
  readonly owner: 'mode' | 'merchant' | 'platform';
  /** The column that says since when a row is out of use, where there is one. */
  readonly ended?: string | undefined;
  readonly id: string;
}

/** Columns by which the rows of an owner are found. */
const keys = {
  mode: ['merchant_id', 'mode', 'id'],
  merchant: ['merchant_id', 'id'],
  platform: ['id'],
} as const;

const textOf = ({ scope, table, owner, id }: Reference): string =>
  [table, ...keys[owner].map((column) => (column === 'id' ? id : scope[column]))].join(' ');

/** Of many references, those whose row does not exist for their merchant and mode, or is out of use. One query per table. */
export async function missingReferences(
  db: Db,
  references: readonly Reference[],
): Promise<ReadonlySet<Reference>> {
  const byTable = Map.groupBy(references, ({ table }) => table);
  const found = await Promise.all(
    [...byTable].map(([table, wanted]) => existing(db, table, wanted)),
  );
  const exists = new Set(found.flat());
  return new Set(references.filter((reference) => !exists.has(textOf(reference))));
}

async function existing(db: Db, table: string, wanted: readonly Reference[]): Promise<string[]> {
  const { owner, ended } = wanted[0] as Reference;
  const columns = keys[owner];
  const key = columns.join(', ');
  const arrays = columns.map(
    (column, at) => `$${at + 1}::${column === 'mode' ? 'text' : 'uuid'}[]`,
  );
  const rows = await db.query(
    `select ${key} from ${table} where (${key}) in (select * from unnest(${arrays.join(', ')}))${
      ended ? ` and (${ended} is null or ${ended} > now())` : ''
    }`,
    columns.map((column) => wanted.map(({ scope, id }) => (column === 'id' ? id : scope[column]))),
    `exists_${table}`,
  );
  return rows.map((row) => [table, ...columns.map((column) => row[column])].join(' '));
}
