import { headerOf } from './header.ts';
import { namesIn } from './names.ts';
import { statementsIn } from './statements.ts';

/** Table locks that others wait for, the strongest first. */
export const LOCK_MODES = ['access exclusive', 'share row exclusive', 'share'] as const;
export type LockMode = (typeof LOCK_MODES)[number];

/** Statements, and the lock that PostgreSQL takes on the table they name. The first that fits decides. */
const RULES: readonly (readonly [pattern: RegExp, mode: LockMode | 'none'])[] = [
  [/^create (?:unique )?index concurrently /i, 'none'],
  [/^drop index concurrently /i, 'none'],
  [/^create (?:unique )?index .*? on (?:only )?([^\s(]+)/i, 'share'],
  [/^create (?:or replace )?(?:constraint )?trigger .*? on ([^\s(]+)/i, 'share row exclusive'],
  [/^alter table (?:if exists )?(?:only )?\S+ validate constraint \S+$/i, 'none'],
  [/^alter table (?:if exists )?(?:only )?([^\s(]+)/i, 'access exclusive'],
  [/^create (?:table|view|(?:or replace )?function|type|sequence|schema) /i, 'none'],
  [/^(?:insert|update|delete|select|with|comment|grant|revoke) /i, 'none'],
];
/** A foreign key locks the table that it references. */
const REFERENCES = /\breferences (?:only )?([^\s(,;]+)/gi;

/**
 * Locks that a migration takes on the tables it names. A migration from before headers locks all of them completely, as
 * it was tested.
 */
export function locksIn(sql: string): ReadonlyMap<string, LockMode> {
  const locks = new Map<string, LockMode>();
  const add = (name: string, mode: LockMode): void => {
    const bare = bareName(name);
    const known = locks.get(bare);
    if (!known || LOCK_MODES.indexOf(mode) < LOCK_MODES.indexOf(known)) locks.set(bare, mode);
  };
  if (!headerOf(sql)) for (const name of namesIn(sql)) add(name, 'access exclusive');
  else for (const statement of statementsIn(sql)) addLocksOf(statement.replace(/\s+/g, ' '), add);
  return locks;
}

function addLocksOf(statement: string, add: (name: string, mode: LockMode) => void): void {
  const rule = RULES.find(([pattern]) => pattern.test(statement));
  if (!rule) {
    for (const name of namesIn(statement)) add(name, 'access exclusive');
    return;
  }
  const [pattern, mode] = rule;
  const [, name] = pattern.exec(statement) ?? [];
  if (name && mode !== 'none') add(name, mode);
  if (!/^create or replace function |^create function /i.test(statement))
    for (const [, target = ''] of statement.matchAll(REFERENCES))
      add(target, 'share row exclusive');
}

/** Name without schema and quotes, in the case that PostgreSQL stores. */
const bareName = (name: string): string => {
  const last = name.replace(/^.*\./, '');
  return last.startsWith('"') ? last.replaceAll('"', '') : last.toLowerCase();
};
