import { createHash } from 'node:crypto';
import { createLru } from '@florin/contract/lru.ts';

/** Maximum number and length of named statements. Longer statements cost so much that a name saves nothing. */
const NAMED_MAX = 300;
const NAMED_LENGTH_MAX = 4_096;
/** Number of statements whose uses are counted, and the uses that earn a name. */
const SEEN_MAX = 1_000;
const USES_BEFORE_NAME = 2;

/** PostgreSQL truncates longer names. */
const NAME_MAX = 63;
const DIGEST_LENGTH = 16;

const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);

/** A name short enough for PostgreSQL. A longer name is cut and ends with its digest. */
export const statementName = (name: string): string =>
  name.length <= NAME_MAX
    ? name
    : `${name.slice(0, NAME_MAX - DIGEST_LENGTH - 1)}_${digestOf(name)}`;

/**
 * Names prepared statements for all connections. Clients cause many different statements, so only repeated
 * ones get a name, and the least recently used one loses its name.
 */
export function createStatementNames(): (sql: string) => string | undefined {
  const names = createLru<string>(NAMED_MAX);
  const useCounts = createLru<number>(SEEN_MAX);
  return (sql) => {
    if (sql.length > NAMED_LENGTH_MAX) return undefined;
    const statementName = names.get(sql);
    if (statementName) return statementName;
    const uses = useCounts.get(sql) ?? 0;
    if (uses < USES_BEFORE_NAME) {
      useCounts.set(sql, uses + 1);
      return undefined;
    }
    useCounts.delete(sql);
    return names.getOrCreate(sql, () => `q_${digestOf(sql)}`);
  };
}
