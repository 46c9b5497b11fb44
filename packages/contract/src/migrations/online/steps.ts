import { headerOf } from '../header.ts';
import { MigrationRefusal } from '../plan.ts';
import { statementsIn } from '../statements.ts';

/** One statement of an online migration. Each can be repeated after a crash. */
export type Step =
  | {
      readonly kind: 'build_index';
      readonly index: string;
      readonly table: string;
      readonly sql: string;
    }
  | { readonly kind: 'drop_index'; readonly sql: string }
  | { readonly kind: 'validate'; readonly table: string; readonly sql: string }
  | {
      readonly kind: 'backfill';
      readonly table: string;
      /** Name by which the statement refers to the table. */
      readonly alias: string;
      readonly sql: string;
    };

/** Stands in a backfill for the condition that a row is in the batch. */
export const BATCH = ':batch';

const BUILD = /^create (?:unique )?index concurrently (\w+) on (?:only )?([\w.]+)/i;
const DROP = /^drop index concurrently if exists [\w.]+$/i;
const VALIDATE = /^alter table ([\w.]+) validate constraint \w+$/i;
const BACKFILL = /^(?:update|delete from) ([\w.]+)(?: as)?(?: (?!set\b|using\b|where\b)(\w+))?\b/i;

/** Statements of a migration that runs online. Throws `MigrationRefusal` for a statement that cannot be repeated. */
export function stepsOf(name: string, sql: string): Step[] {
  return statementsIn(sql).map((statement) => {
    const step = stepOf(statement.replace(/\s+/g, ' '), statement);
    if (step) return step;
    throw new MigrationRefusal(
      `${name} is online, but "${statement.replace(/\s+/g, ' ').slice(0, 80)}" cannot run so. An online migration has: create index concurrently NAME on TABLE; drop index concurrently if exists NAME; alter table TABLE validate constraint NAME; update or delete with ${BATCH} in its condition.`,
    );
  });
}

function stepOf(line: string, sql: string): Step | undefined {
  const [, index, indexed] = BUILD.exec(line) ?? [];
  if (index && indexed) return { kind: 'build_index', index, table: indexed, sql };
  if (DROP.test(line)) return { kind: 'drop_index', sql };
  const [, validated] = VALIDATE.exec(line) ?? [];
  if (validated) return { kind: 'validate', table: validated, sql };
  const [, table, alias = table] = BACKFILL.exec(line) ?? [];
  return table && alias && line.includes(BATCH)
    ? { kind: 'backfill', table, alias, sql }
    : undefined;
}

/** Why a file cannot be released as it is; undefined if it can. */
export function headerProblem(name: string, sql: string): string | undefined {
  const header = headerOf(sql);
  if (!header?.is_online) return undefined;
  try {
    stepsOf(name, sql);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
