import { describeSchemaProblem, parseDatabaseAddress } from '@florin/contract/database/address.ts';
import { CELL_NAME } from '../../config/cells.ts';

const ADDRESS = /^postgres(?:ql)?:\/\/./;

/** Describes why a cell cannot have this name or address; undefined if it can. */
export function describeInputProblem(name: string, address: string): string | undefined {
  if (!CELL_NAME.test(name))
    return `${JSON.stringify(name)} is no name of a cell: use 1 to 31 lower-case letters, digits and _, begin with a letter, and use neither all nor none`;
  if (!ADDRESS.test(address))
    return 'the address must be postgres://user@host:5432/name, and may end in ?schema=cell_a';
  const parsed = parseDatabaseAddress(address);
  if (parsed.is_pooled)
    return 'the address leads to PgBouncer: give that of PostgreSQL itself, which migrations need';
  const problem = describeSchemaProblem(parsed);
  return problem && `of the address, ${problem}`;
}

/** Address without user, password and parameters that could hold a secret. */
export function shownAddress(address: string): string {
  const { hosts, rest, schema } = parseDatabaseAddress(address);
  const [path = ''] = rest.split('?');
  return `${hosts.join(',')}${path} schema ${schema}`;
}

/** A database that shall become a cell, as its login sees it. */
export interface CellCandidate {
  readonly login: string;
  /** Number of tables in the schema. */
  readonly tables: number;
  /** Whether Florin has migrated the schema. */
  readonly is_florin: boolean;
  /** Owner of Florin's tables; null without them. */
  readonly owner: string | null;
  /** Whether the login may act as that owner. */
  readonly owns: boolean;
  readonly may_create: boolean;
  /** Cell that the schema is already, as its `cell` fact says. */
  readonly cell: string | undefined;
  readonly has_merchants: boolean;
  /** Whether the schema is that of the global database itself. */
  readonly is_global: boolean;
  /** Applied migrations that this version does not know. */
  readonly newer: readonly string[];
}

/** Describes why a database cannot become the cell with this fact; undefined if it can. */
export function describeRefusal(candidate: CellCandidate, fact: string): string | undefined {
  const { login, owner } = candidate;
  if (!candidate.is_florin && candidate.tables > 0)
    return `the schema has ${candidate.tables} tables of another program: choose an empty database or schema`;
  if (candidate.is_florin && !candidate.owns)
    return `the tables there belong to ${owner}, and ${login} may not change them: use the login of their owner`;
  if (!candidate.is_florin && !candidate.may_create)
    return `${login} may not create tables there: use the login that will own them, or grant it CREATE`;
  if (candidate.newer.length > 0)
    return `the schema is newer than this version of Florin, which does not know ${candidate.newer.at(-1)}: use the newer version`;
  if (candidate.cell !== undefined && candidate.cell !== fact)
    return 'the schema is another cell already: "cell list" shows those of this installation';
  if (candidate.cell === undefined && candidate.has_merchants && !candidate.is_global)
    return 'the schema has merchants of another installation: choose an empty database or schema';
  return undefined;
}
