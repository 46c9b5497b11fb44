import type { Db } from '../db.ts';
import type { Row } from '../row.ts';

export interface ActualColumn {
  readonly name: string;
  /** Type as `format_type` writes it. */
  readonly type: string;
  readonly not_null: boolean;
  /** Whether PostgreSQL generates the column's value. */
  readonly isGenerated: boolean;
}

/** A CHECK that restricts a column to a set of texts. */
export interface ActualCheck {
  readonly name: string;
  readonly column: string;
  readonly values: readonly string[];
}

/** A valid B-tree index. */
export interface ActualIndex {
  readonly name: string;
  /** Columns and expressions, in order, as `pg_get_indexdef` writes them. */
  readonly keys: readonly string[];
  /** Condition of a partial index, in parentheses; null for a full index. */
  readonly predicate: string | null;
}

export interface ActualTable {
  readonly columns: ReadonlyMap<string, ActualColumn>;
  readonly checks: readonly ActualCheck[];
  /** Columns of each foreign key, joined by commas. */
  readonly foreign_keys: ReadonlySet<string>;
  readonly indexes: readonly ActualIndex[];
}

/** Tables and views of a database by name. */
export type ActualTables = ReadonlyMap<string, ActualTable>;

const COLUMNS = `
  select c.relname as table_name, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as not_null, a.atthasdef or a.attidentity <> '' as filled
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
  order by c.relname, a.attnum`;

const CONSTRAINTS = `
  select t.relname as table_name, c.conname as name, c.contype as kind, pg_get_constraintdef(c.oid) as definition,
    (select string_agg(a.attname, ',' order by k.position)
     from unnest(c.conkey) with ordinality as k (number, position)
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) as columns
  from pg_constraint c join pg_class t on t.oid = c.conrelid
  where t.relnamespace = current_schema()::regnamespace and c.contype in ('c', 'f')`;

const INDEXES = `
  select t.relname as table_name, i.relname as name, pg_get_expr(x.indpred, x.indrelid) as predicate,
    (select json_agg(pg_get_indexdef(x.indexrelid, n, true) order by n)
     from generate_series(1, x.indnkeyatts::integer) n) as keys
  from pg_index x
    join pg_class t on t.oid = x.indrelid
    join pg_class i on i.oid = x.indexrelid
    join pg_am m on m.oid = i.relam
  where t.relnamespace = current_schema()::regnamespace and m.amname = 'btree' and x.indisvalid`;

/** Reads all parts of the schema that the definitions describe. */
export async function readTables(db: Db): Promise<ActualTables> {
  const [columns, constraints, indexes] = await Promise.all([
    db.query(COLUMNS, []).then(groupByTable),
    db.query(CONSTRAINTS, []).then(groupByTable),
    readIndexes(db),
  ]);
  return new Map(
    [...columns].map(([name, rows]) => [
      name,
      {
        columns: new Map(rows.map((row) => [row.name as string, columnOf(row)])),
        ...constraintsOf(constraints.get(name) ?? []),
        indexes: indexes.get(name) ?? [],
      },
    ]),
  );
}

/** Reads the indexes of all tables in one query, by table name. */
export async function readIndexes(db: Db): Promise<ReadonlyMap<string, readonly ActualIndex[]>> {
  const rows = groupByTable(await db.query(INDEXES, []));
  return new Map([...rows].map(([name, tableRows]) => [name, tableRows.map(indexOf)]));
}

const groupByTable = (rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> =>
  Map.groupBy(rows, (row) => row.table_name as string);

const columnOf = (row: Row): ActualColumn => ({
  name: row.name as string,
  type: row.type as string,
  not_null: row.not_null === 't',
  isGenerated: row.filled === 't',
});

const indexOf = (row: Row): ActualIndex => ({
  name: row.name as string,
  keys: JSON.parse(row.keys as string) as string[],
  predicate: row.predicate ?? null,
});

function constraintsOf(rows: readonly Row[]): Pick<ActualTable, 'checks' | 'foreign_keys'> {
  const foreignKeys = rows.filter(({ kind }) => kind === 'f');
  return {
    checks: rows.flatMap(checkOf),
    foreign_keys: new Set(foreignKeys.map((row) => row.columns as string)),
  };
}

/**
 * Matches `CHECK ((mode = ANY (ARRAY['live'::text, 'sandbox'::text])))`, and with one value `CHECK ((outcome
 * = 'unknown'::text))`.
 */
const SET_OF_TEXTS = /^CHECK \(\(\w+ = (?:ANY \(ARRAY\[)?('.*'::text)/;

function checkOf(row: Row): ActualCheck[] {
  const valueList = SET_OF_TEXTS.exec(row.definition ?? '')?.[1];
  if (row.kind !== 'c' || !valueList) return [];
  const values = [...valueList.matchAll(/'((?:[^']|'')*)'::text/g)];
  return [
    {
      name: row.name as string,
      column: row.columns as string,
      values: values.map(([, value = '']) => value.replaceAll("''", "'")),
    },
  ];
}
