import type { ActualTable, ActualTables } from './actual.ts';
import type { SchemaChange } from './migration-sql.ts';
import { servesAs } from './serves.ts';
import type { ColumnSchema, TableSchema } from './table-schema.ts';

/** Difference between a database and the definitions. */
export interface SchemaDifference {
  /** Changes that a migration can make automatically. */
  readonly changes: readonly SchemaChange[];
  /** Differences that a person must decide on, one sentence each. */
  readonly notes: readonly string[];
}

export interface DiffOptions {
  /** Whether clients set all values of the table's rows. */
  readonly isStoredAsSent: (table: string) => boolean;
}

/** Compares the tables that definitions expect with those in the database. */
export function diffSchema(
  expected: readonly TableSchema[],
  actual: ActualTables,
  options: DiffOptions,
): SchemaDifference {
  const differences = expected.map((table) => diffTable(table, actual, options));
  return {
    changes: differences.flatMap(({ changes }) => changes),
    notes: [...differences.flatMap(({ notes }) => notes), ...findAbandoned(expected, actual)],
  };
}

function diffTable(
  table: TableSchema,
  actualTables: ActualTables,
  { isStoredAsSent }: DiffOptions,
): SchemaDifference {
  const actual = actualTables.get(table.name);
  const { name } = table;
  const missingJoinTables = table.join_tables.filter((pair) => !actualTables.has(pair));
  return {
    changes: [
      ...(actual ? columnChanges(table, actual) : [{ kind: 'create_table', table } as const]),
      ...keyChanges(table, actual),
      ...indexChanges(table, actual),
    ],
    notes: [
      ...missingJoinTables.map(
        (pair) => `${name} has a relation through ${pair}, which is not there`,
      ),
      ...(actual ? columnNotes(table, actual, isStoredAsSent(name)) : []),
    ],
  };
}

const columnChanges = ({ name: table, columns }: TableSchema, actual: ActualTable) =>
  columns.flatMap((column): SchemaChange[] => {
    const actualColumn = actual.columns.get(column.name);
    const needsNotNull =
      column.not_null && !(actualColumn ? actualColumn.not_null : column.default !== undefined);
    return [
      ...(actualColumn
        ? findWidenings(table, column, actual)
        : [{ kind: 'add_column', table, column } as const]),
      ...(needsNotNull ? [{ kind: 'set_not_null', table, column } as const] : []),
    ];
  });

/** Changes of CHECKs that refuse a value of the definition. A CHECK that also accepts values of old rows stays. */
function findWidenings(
  table: string,
  { name, values }: ColumnSchema,
  actual: ActualTable,
): SchemaChange[] {
  if (!values) return [];
  return actual.checks
    .filter(({ column }) => column === name)
    .map((check) => ({ check, lacking: values.filter((value) => !check.values.includes(value)) }))
    .filter(({ lacking }) => lacking.length > 0)
    .map(({ check, lacking }) => ({
      kind: 'widen_check',
      table,
      check: { ...check, values: [...check.values, ...lacking] },
    }));
}

const keyChanges = ({ name, foreign_keys }: TableSchema, actual: ActualTable | undefined) =>
  foreign_keys
    .filter(({ columns }) => !actual?.foreign_keys.has(columns.join()))
    .map((key): SchemaChange => ({ kind: 'add_foreign_key', table: name, key }));

const indexChanges = ({ name, indexes }: TableSchema, actual: ActualTable | undefined) =>
  indexes
    .filter((requiredIndex) => !actual?.indexes.some((index) => servesAs(index, requiredIndex)))
    .filter(({ keys }) => !isPrimary(keys))
    .map((index): SchemaChange => ({ kind: 'create_index', table: name, index }));

/** Creating the table already creates the primary key. */
const isPrimary = (keys: readonly string[]): boolean => keys.length === 1 && keys[0] === 'id';

function columnNotes(table: TableSchema, actual: ActualTable, isStoredAsSent: boolean): string[] {
  const definedColumns = new Map(table.columns.map((column) => [column.name, column]));
  return [...actual.columns.values()].flatMap(({ name, type, not_null, isGenerated }) => {
    const column = definedColumns.get(name);
    const columnName = `${table.name}.${name}`;
    if (column && type !== column.type && !column.accepted.includes(type)) {
      return [`${columnName} is ${type}; the definition wants ${column.type}`];
    }
    if (!isStoredAsSent || !not_null || isGenerated) return [];
    if (!column)
      return [`${columnName} is not defined, and nothing fills it in though it may not be null`];
    return column.optional && !column.not_null
      ? [`${columnName} may not be null, and the definition lets a record be without it`]
      : [];
  });
}

/** Tables with the newest-first index of a resource type, but without a definition. */
const findAbandoned = (expected: readonly TableSchema[], actual: ActualTables): string[] =>
  [...actual]
    .filter(([name]) => !expected.some((table) => table.name === name))
    .filter(([name, { indexes }]) => indexes.some((index) => index.name === `${name}_newest`))
    .map(([name]) => `the table ${name} is that of a type, and no definition is left of it`);
