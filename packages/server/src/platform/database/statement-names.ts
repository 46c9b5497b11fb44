import { createHash } from 'node:crypto';
import { createLru } from '@florin/contract/lru.ts';

/** Statements that have a name, and the longest of them: a costly shape gains nothing by one. */
const NAMED_MAX = 300;
const NAMED_LENGTH_MAX = 4_096;
/** Statements that are remembered to have been sent, and how often one is sent before it gets a name. */
const SEEN_MAX = 1_000;
const USES_BEFORE = 2;

/** PostgreSQL keeps as many characters of a name. */
const NAME_MAX = 63;
const DIGEST_LENGTH = 16;

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);

/** A name as PostgreSQL keeps it; one that is too long ends with a digest of it. */
export const keptName = (name: string): string =>
  name.length <= NAME_MAX
    ? name
    : `${name.slice(0, NAME_MAX - DIGEST_LENGTH - 1)}_${digestOf(name)}`;

/**
 * The names of the prepared statements of all connections whose shapes are many: clients choose them, or what changes
 * together. Only one that comes again gets a name, and the one that was not used for longest loses its own.
 */
export function createStatementNames(): (sql: string) => string | undefined {
  const names = createLru<string>(NAMED_MAX);
  const seen = createLru<number>(SEEN_MAX);
  return (sql) => {
    if (sql.length > NAMED_LENGTH_MAX) return undefined;
    const known = names.get(sql);
    if (known) return known;
    const uses = seen.get(sql) ?? 0;
    if (uses < USES_BEFORE) {
      seen.set(sql, uses + 1);
      return undefined;
    }
    seen.delete(sql);
    return names.getOrCreate(sql, () => `q_${digestOf(sql)}`);
  };
}
