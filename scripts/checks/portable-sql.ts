import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  ownTables,
  tenantTables,
} from '@florin/server/platform/database/installation/placement.ts';
import { parseSync, Visitor } from 'oxc-parser';
import { ROOT } from '../program.ts';

const SOURCES = 'packages/server/src/**/*.ts';
const MIGRATIONS = 'packages/server/src/platform/database/migrations/*.sql';
/** Later migrations follow the rules. Recorded ones never change. */
const LAST_EXEMPT_MIGRATION = 165;

/** Stands for a value that a template inserts. */
const INSERTED = '§';
const START_CHARACTERS = 60;
const STATEMENT =
  /^\W*(?:\w+ as (?:materialized )?\(\s*)?(?:with|select|insert into|update|delete from)\b/i;

const REPLACEMENTS = {
  random: 'order by shuffledBy (platform/workers/shuffle.ts)',
  time: 'use statement_timestamp()',
  cte: 'put the query into a materialised CTE',
  conflict: 'use excluded.* in place of the parameter',
  interval: 'use instantAfter (platform/time/instant-after.ts)',
  activity: 'read the statistics in a statement of their own',
  alter: 'write one "alter table" for each change, and name the constraint',
} as const;

/** A shape of statement that Citus refuses, or runs on the wrong node. */
interface Shape {
  readonly name: string;
  readonly next_step: string;
  readonly isIn: (sql: string) => boolean;
}

const changesRows = (sql: string): boolean =>
  /\bdelete from\b|\bupdate\b[\s\S]*?\bset\b/i.test(sql);

const VALUES_INSERT = /^insert into [\w.§]+(?: as \w+)?\s*(?:\([^)]*\)\s*)?values\b/i;

/** Text of an INSERT of a query, to the end of the statement; empty for any other statement. */
function insertQueryOf(sql: string): string {
  const [insert = ''] = /\binsert into [\s\S]*/i.exec(sql) ?? [];
  return VALUES_INSERT.test(insert) ? '' : insert;
}

/** Tables of cells. Statements of the global database never run on Citus. */
const CELL_TABLES: ReadonlySet<string> = new Set([...tenantTables, ...ownTables]);

/** Tables of cells and statistics of the server that a text reads. */
const tablesRead = (text: string): string[] =>
  [
    ...text.matchAll(
      /\b(?:from|join)\s+(?:lateral\s+)?([a-z_]\w*)\b(?:\s+\w+,\s*([a-z_]\w*))?(?!\s*[(.])/gi,
    ),
  ]
    .flatMap(([, first = '', second = '']) => [first, second])
    .filter((name) => CELL_TABLES.has(name) || isStatistics(name));

const conflictOf = (insert: string): string => /\bon conflict\b[\s\S]*/i.exec(insert)?.[0] ?? '';

/** Shapes that failed on Citus 13.2 with PostgreSQL 15. */
const SHAPES: readonly Shape[] = [
  {
    name: 'random() in a write',
    next_step: REPLACEMENTS.random,
    isIn: (sql) => /(?<!_)\brandom\(\)/i.test(sql),
  },
  {
    name: 'clock_timestamp() in an UPDATE or DELETE',
    next_step: REPLACEMENTS.time,
    isIn: (sql) => changesRows(sql) && /\bclock_timestamp\(\)/i.test(sql),
  },
  {
    name: 'INSERT of a query that has parameters and reads a table',
    next_step: REPLACEMENTS.cte,
    isIn: (sql) => {
      const [query = ''] = insertQueryOf(sql).split(/\bon conflict\b/i);
      return /\$\d/.test(query) && tablesRead(query).length > 0;
    },
  },
  {
    name: 'parameters in ON CONFLICT of an INSERT of a query',
    next_step: REPLACEMENTS.conflict,
    isIn: (sql) => /\$\d/.test(conflictOf(insertQueryOf(sql))),
  },
  {
    name: 'an interval in DO UPDATE',
    next_step: REPLACEMENTS.interval,
    isIn: (sql) =>
      /\binterval\b/i.test(conflictOf(sql).replaceAll(/at time zone 'UTC' \+ interval/gi, '')),
  },
  {
    name: 'a subquery in VALUES of an INSERT',
    next_step: REPLACEMENTS.cte,
    isIn: (sql) =>
      /\binsert into [^;]*?\bvalues\s*\((?:(?!\bon conflict\b|\breturning\b)[\s\S])*\(\s*select\b/i.test(
        sql,
      ),
  },
  {
    name: 'statistics of the server beside a table',
    next_step: REPLACEMENTS.activity,
    isIn: (sql) => {
      const tables = tablesRead(sql);
      return tables.some(isStatistics) && !tables.every(isStatistics);
    },
  },
];

const isStatistics = (table: string): boolean => /^pg_(?:stat_|locks$)/.test(table);

const MIGRATION_SHAPES: readonly Shape[] = [
  {
    name: 'several changes or an unnamed constraint in one ALTER TABLE',
    next_step: REPLACEMENTS.alter,
    isIn: (sql) =>
      /^\s*alter table\b/i.test(sql) &&
      (/,\s*(?:add|drop|alter|rename|set|validate)\b/i.test(sql) ||
        /\badd\s+(?:check|unique|primary key|foreign key|exclude)\b/i.test(sql)),
  },
  {
    name: 'an interval added to a column in an UPDATE',
    next_step: REPLACEMENTS.interval,
    isIn: (sql) => changesRows(sql) && /\b[a-z_]\w*\s*[+-]\s*interval\b/i.test(sql),
  },
];

/** Names of the shapes in a statement that Citus does not run. `migration`: with those of migrations. */
export const shapesIn = (sql: string, where: 'source' | 'migration' = 'source'): string[] =>
  shapesOf(where)
    .filter(({ isIn }) => isIn(sql))
    .map(({ name }) => name);

const shapesOf = (where: 'source' | 'migration'): readonly Shape[] =>
  where === 'migration' ? [...SHAPES, ...MIGRATION_SHAPES] : SHAPES;

/** SQL in the strings and templates of a source. Inserted values are one character. */
export function statementsIn(file: string, source: string): string[] {
  const texts: string[] = [];
  new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && texts.push(value)),
    TemplateLiteral: ({ quasis }) =>
      void texts.push(quasis.map(({ value }) => value.cooked ?? '').join(INSERTED)),
  }).visit(parseSync(file, source).program);
  return texts.filter((text) => STATEMENT.test(text) || /\b(?:on conflict|order by)\b/.test(text));
}

/** Statements of a migration, without comments and the bodies of functions. */
export const migrationStatements = (sql: string): string[] =>
  sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, INSERTED)
    .split(';');

/** Sources whose statements may have a shape, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'packages/server/src/platform/rates/shared-tries.ts':
    'counts of card and sign-in attempts are global',
};

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

interface Finding {
  readonly file: string;
  readonly text: string;
}

const findingsOf = (
  file: string,
  statements: readonly string[],
  where: 'source' | 'migration',
): Finding[] =>
  statements.flatMap((sql) => {
    const [start = ''] = sql.trim().split('\n');
    return shapesOf(where)
      .filter(({ isIn }) => isIn(sql))
      .map(({ name, next_step }) => ({
        file,
        text: `${file}: "${start.slice(0, START_CHARACTERS)}" has ${name}, which Citus refuses: ${next_step}.`,
      }));
  });

/** One sentence for each shape of a source or a new migration, and for each exception that is not needed. */
export function portabilityFindings(): string[] {
  const sources = globSync(SOURCES, { cwd: ROOT, exclude: ['**/*.test.ts'] }).sort();
  const migrations = globSync(MIGRATIONS, { cwd: ROOT })
    .filter((file) => Number.parseInt(basename(file), 10) > LAST_EXEMPT_MIGRATION)
    .sort();
  const findings = [
    ...sources.flatMap((file) => findingsOf(file, statementsIn(file, read(file)), 'source')),
    ...migrations.flatMap((file) => findingsOf(file, migrationStatements(read(file)), 'migration')),
  ];
  const found = new Set(findings.map(({ file }) => file));
  return [
    ...findings.filter(({ file }) => !(file in EXCEPTIONS)).map(({ text }) => text),
    ...Object.keys(EXCEPTIONS)
      .filter((file) => !found.has(file))
      .map((file) => `${file} needs no exception in scripts/checks/portable-sql.ts.`),
  ];
}
