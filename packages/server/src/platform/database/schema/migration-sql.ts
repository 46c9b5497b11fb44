import type { ActualCheck } from './actual.ts';
import { quoteLiteral } from './literal.ts';
import type { ColumnSchema, ForeignKeySchema, IndexSchema, TableSchema } from './table-schema.ts';

/** A single change towards the schema of the definitions. */
export type SchemaChange =
  | { readonly kind: 'create_table'; readonly table: TableSchema }
  | { readonly kind: 'add_column'; readonly table: string; readonly column: ColumnSchema }
  | { readonly kind: 'set_not_null'; readonly table: string; readonly column: ColumnSchema }
  | { readonly kind: 'widen_check'; readonly table: string; readonly check: ActualCheck }
  | { readonly kind: 'add_foreign_key'; readonly table: string; readonly key: ForeignKeySchema }
  | { readonly kind: 'create_index'; readonly table: string; readonly index: IndexSchema };

const LINE_WIDTH = 100;

/** Statements of a migration: first tables, then indexes and foreign keys. */
export function migrationSql(changes: readonly SchemaChange[]): string {
  const orderedChanges = order.flatMap((kind) => changes.filter((change) => change.kind === kind));
  return orderedChanges.map((change) => `${statementOf(change)}\n`).join('');
}

const order = [
  'create_table',
  'add_column',
  'set_not_null',
  'widen_check',
  'add_foreign_key',
  'create_index',
] as const satisfies SchemaChange['kind'][];

function statementOf(change: SchemaChange): string {
  switch (change.kind) {
    case 'create_table':
      return `${createTableSql(change.table)}\n`;
    case 'add_column':
      return `alter table ${change.table} add column ${columnSql(change.column, 'added')};`;
    case 'set_not_null':
      return `-- Rows that exist need a value before this.\nalter table ${change.table} alter column ${change.column.name} set not null;`;
    case 'widen_check':
      return widenCheckSql(change.table, change.check);
    case 'add_foreign_key':
      return `alter table ${change.table} add ${foreignKeySql(change.key)};`;
    case 'create_index':
      return `${createIndexSql(change.table, change.index)};`;
  }
}

function createTableSql({ name, columns, primary_key }: TableSchema): string {
  const lines = [
    ...columns.map((column) => columnSql(column, 'new')),
    `primary key (${primary_key.join(', ')})`,
  ];
  return `create table ${name} (\n  ${lines.join(',\n  ')}\n);`;
}

/** Existing rows get an added column's default, or null without a default. */
function columnSql(column: ColumnSchema, columnState: 'new' | 'added'): string {
  const hasDefaultClause = columnState === 'added' && column.default !== undefined;
  const not_null = column.not_null && (columnState === 'new' || hasDefaultClause);
  return [
    `${column.name} ${column.type}`,
    ...(not_null ? ['not null'] : []),
    ...(hasDefaultClause ? [`default ${column.default}`] : []),
    ...(column.values ? [checkSql(column.name, column.values)] : []),
  ].join(' ');
}

const checkSql = (column: string, values: readonly string[]): string =>
  `check (${column} in (${values.map(quoteLiteral).join(', ')}))`;

const widenCheckSql = (table: string, { name, column, values }: ActualCheck): string =>
  [
    `alter table ${table}`,
    `  drop constraint ${name},`,
    `  add constraint ${name} ${checkSql(column, values)};`,
  ].join('\n');

const foreignKeySql = ({ columns, table, target }: ForeignKeySchema): string =>
  `foreign key (${columns.join(', ')}) references ${table} (${target.join(', ')})`;

/** Statement that creates an index, without a semicolon. */
export function createIndexSql(table: string, index: IndexSchema): string {
  const direction = index.descending ? ' desc' : '';
  const keys = [...index.scope, ...index.keys.map((key) => `${key}${direction}`)];
  const where = index.sparse && index.nullable ? ` where ${index.nullable} is not null` : '';
  const head = `create index ${index.name}`;
  const body = `on ${table} (${keys.join(', ')})${where}`;
  return head.length + body.length < LINE_WIDTH ? `${head} ${body}` : `${head}\n  ${body}`;
}
