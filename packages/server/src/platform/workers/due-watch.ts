import type { Db } from '../database/db.ts';

/** Rows that a loop works on once they are due. */
export interface DueRows {
  readonly table: string;
  /** Column with the due time; default `due_at`. Needs an index. */
  readonly column?: string;
  /** SQL condition on the row `t`. */
  readonly condition?: string;
}

/** Finds due rows for all loops of a process with one statement. Without it, each idle loop would ask for its own. */
export interface DueWatch {
  /** Calls `listener` after each check that finds due rows. Returns a function that ends this. */
  listen(rows: DueRows, listener: () => void): () => void;
  /** Checks once. `now` is an instant in ISO 8601. */
  check(now: string): Promise<void>;
}

/** Creates the watch of a process. */
export function createDueWatch(db: Db): DueWatch {
  const listeners = new Map<string, Set<() => void>>();
  return {
    listen(rows, listener) {
      const sql = existsSql(rows);
      const sharing = listeners.get(sql) ?? new Set();
      listeners.set(sql, sharing.add(listener));
      return () => {
        sharing.delete(listener);
        if (sharing.size === 0) listeners.delete(sql);
      };
    },
    async check(now) {
      // A listener that is added while the statement runs is called after the next one.
      const checked = [...listeners];
      if (checked.length === 0) return;
      const sql = `select ${checked.map(([exists], at) => `${exists} as due_${at}`).join(', ')}`;
      const [row] = await db.query(sql, [now], `due_watch ${sql}`, 'kept');
      for (const [at, [, sharing]] of checked.entries()) {
        if (row?.[`due_${at}`] === 't') for (const listener of sharing) listener();
      }
    },
  };
}

const existsSql = ({ table, column = 'due_at', condition = 'true' }: DueRows): string =>
  `exists (select from ${table} t where t.${column} <= $1 and ${condition})`;
