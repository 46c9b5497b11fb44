import type { Db } from './db.ts';
import type { Scope } from './scope.ts';

/** A row that another one wants to point to. */
export interface Reference {
  readonly scope: Scope;
  readonly table: string;
  readonly id: string;
}

const textOf = ({ scope, table, id }: Reference): string =>
  `${table} ${scope.merchant_id} ${scope.mode} ${id}`;

/** Of many references, those whose row does not exist for their merchant and mode. One query per table. */
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
  const rows = await db.query(
    `select merchant_id, mode, id from ${table} where (merchant_id, mode, id) in
      (select * from unnest($1::uuid[], $2::text[], $3::uuid[]))`,
    [
      wanted.map(({ scope }) => scope.merchant_id),
      wanted.map(({ scope }) => scope.mode),
      wanted.map(({ id }) => id),
    ],
    `exists_${table}`,
  );
  return rows.map((row) => `${table} ${row.merchant_id} ${row.mode} ${row.id}`);
}
