import type { Db } from '../../../platform/database/db.ts';
import { tenantTables } from '../../../platform/database/installation/placement.ts';
import type { Row } from '../../../platform/database/row.ts';
import { inOrderOfReferences, type MovedTable, type TableReference } from '../tables.ts';

/** Columns that a COPY names, and all that a cell's tables have. Generated columns are computed again. */
const COLUMNS = `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
    a.attgenerated <> '' as is_generated
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = current_schema()::regnamespace and c.relname = any ($1::text[])
    and a.attnum > 0 and not a.attisdropped order by c.relname, a.attnum`;

/** Each foreign key between the tables, with the columns besides the merchant's. */
const REFERENCES = `select s.relname as source, t.relname as target, (select string_agg(a.attname, ' ' order by a.attnum)
    from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any (k.conkey) and a.attname <> 'merchant_id') as columns
  from pg_constraint k join pg_class s on s.oid = k.conrelid join pg_class t on t.oid = k.confrelid
  where k.contype = 'f' and s.relnamespace = current_schema()::regnamespace
    and s.relname = any ($1::text[]) and t.relname = any ($1::text[])`;

/** Tables of a cell whose rows belong to merchants, referenced tables first. */
export async function readMovedTables(cell: Db): Promise<readonly MovedTable[]> {
  const names = [...tenantTables];
  const columns = await cell.query(COLUMNS, [names]);
  const references = await cell.query(REFERENCES, [names]);
  return inOrderOfReferences(
    names.map((name) => tableOf(name, columns)),
    references.map(referenceOf),
  );
}

const tableOf = (name: string, columns: readonly Row[]): Omit<MovedTable, 'own_reference'> => ({
  name,
  columns: columns
    .filter((column) => column.table === name && column.is_generated === 'f')
    .map(({ column, type }) => ({ name: column as string, type: type as string })),
});

const referenceOf = ({ source, target, columns }: Row): TableReference => ({
  source: source as string,
  target: target as string,
  column: columns ?? null,
});
