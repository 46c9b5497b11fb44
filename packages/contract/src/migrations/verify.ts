import { factsOf } from './facts.ts';
import type { Migration, MigrationTable } from './migration.ts';
import { MigrationRefusal, planOf } from './plan.ts';
import type { Session } from './session.ts';
import { readApplied } from './turn.ts';

/** The schema that all migrations of a release make, as lines of `factsOf`. */
export interface RecordedSchema {
  /** Name of the newest migration in it. */
  readonly through: string;
  readonly facts: readonly string[];
}

const FIRST_LINE = 'through ';

/** Reads a recorded schema. The first line names its newest migration. */
export function parseSchema(text: string): RecordedSchema {
  const [first = '', ...facts] = text.trimEnd().split(/\r?\n/);
  return { through: first.replace(FIRST_LINE, ''), facts };
}

export const renderSchema = ({ through, facts }: RecordedSchema): string =>
  `${[`${FIRST_LINE}${through}`, ...facts].join('\n')}\n`;

/** The schema of a database to which all migrations of the program were applied. */
export const describeSchema = ({
  transaction,
  table,
  history,
}: Pick<Migration, 'transaction' | 'table' | 'history'>): Promise<RecordedSchema> =>
  transaction(async (tx) => ({
    through: history.files.at(-1)?.name ?? '',
    facts: await factsOf(tx, table.schema, table.tables),
  }));

/** Differences between a database and the recorded schema. */
export interface SchemaDifferences {
  readonly missing: readonly string[];
  /** Parts of Florin's own tables that no migration made. */
  readonly unexpected: readonly string[];
  /** Sentences about indexes that PostgreSQL does not use. */
  readonly invalid: readonly string[];
  /** Tables, indexes and functions of the operator, which are no error. */
  readonly own: readonly string[];
}

/**
 * Compares a database with the recorded schema of this release. Changes nothing. Throws `MigrationRefusal` if migrations
 * are pending, or the database is newer than the program.
 */
export const verifySchema = (to: Migration, recorded: RecordedSchema): Promise<SchemaDifferences> =>
  to.transaction(async (tx) => {
    await tx.query('set transaction read only');
    const { pending, unproven } = planOf(await readApplied(tx, to.table), to.history);
    const left = [...pending, ...unproven].map(({ name }) => name);
    if (left.length > 0)
      throw new MigrationRefusal(
        `Migrations are left to apply: ${left.join(', ')}. Run "npm run florin -- migrate apply", then verify again.`,
      );
    return compare(
      recorded.facts,
      await factsOf(tx, to.table.schema, to.table.tables),
      await invalidIndexes(tx, to.table),
    );
  });

/** Facts of these kinds may be an operator's own, beside Florin's. A unique index could refuse Florin's rows. */
const OWN = /^(?:table|function) |^index \S+ \w+ (?!unique )/;

function compare(
  expected: readonly string[],
  actual: readonly string[],
  invalid: readonly string[],
): SchemaDifferences {
  const expectedSet = new Set(expected);
  const actualSet = new Set(actual);
  const added = actual.filter((fact) => !expectedSet.has(fact));
  const ownTables = new Set(added.map((fact) => /^table (\S+) /.exec(fact)?.[1]));
  const isOwn = (fact: string): boolean =>
    OWN.test(fact) || ownTables.has(/^\w+ ([^\s.]+)\./.exec(fact)?.[1]);
  return {
    missing: expected.filter((fact) => !actualSet.has(fact)),
    unexpected: added.filter((fact) => !isOwn(fact)),
    invalid,
    own: added.filter(isOwn),
  };
}

const INVALID = (schema: string): string => `
  select format('%I.%I', n.nspname, i.relname) as name, t.relname as table_name, pg_get_indexdef(x.indexrelid) as sql
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    join pg_namespace n on n.oid = t.relnamespace and n.nspname = ${schema}
  where not (x.indisvalid and x.indisready and x.indislive) and t.relkind = 'r'
  order by 1`;

async function invalidIndexes(tx: Session, { schema }: MigrationTable): Promise<string[]> {
  const rows = await tx.query(INVALID(schema));
  return rows.map(
    ({ name, table_name, sql }) =>
      `The index ${name} of ${table_name} is not valid: its build was interrupted. Run: drop index concurrently ${name}; then: ${String(sql).replace(/ INDEX /, ' INDEX CONCURRENTLY ')}`,
  );
}

/** Whether a database has what the release expects. Own objects are allowed. */
export const isClean = ({ missing, unexpected, invalid }: SchemaDifferences): boolean =>
  missing.length + unexpected.length + invalid.length === 0;

const LISTED_MAX = 50;

/** The differences as lines of text. */
export function renderDifferences({
  missing,
  unexpected,
  invalid,
  own,
}: SchemaDifferences): string[] {
  return [
    ...listed('Missing', missing),
    ...listed('Not made by a migration', unexpected),
    ...listed('Invalid', invalid),
    ...listed('Your own (no error)', own),
  ];
}

const listed = (title: string, lines: readonly string[]): string[] => [
  ...lines.slice(0, LISTED_MAX).map((line) => `${title}: ${line}`),
  ...(lines.length > LISTED_MAX ? [`${title}: ${lines.length - LISTED_MAX} more`] : []),
];
