import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` in a transaction and gives its result once that is on disk. */
export type Commit = <T>(work: () => T) => Promise<T>;

/**
 * One transaction for all work that is handed over in the same turn of the event loop, so that many
 * requests at once share one wait for the disk. Where it fails, all of its work fails.
 */
export function groupCommit(db: DatabaseSync): Commit {
  let waiting: { readonly run: () => () => void; readonly fail: (error: unknown) => void }[] = [];

  function flush(): void {
    const group = waiting;
    waiting = [];
    try {
      db.exec('begin immediate');
      const answers = group.map(({ run }) => run());
      db.exec('commit');
      for (const answer of answers) answer();
    } catch (error) {
      if (db.isTransaction) db.exec('rollback');
      for (const { fail } of group) fail(error);
    }
  }

  return (work) =>
    new Promise((resolve, fail) => {
      if (waiting.length === 0) setImmediate(flush);
      const run = () => {
        const result = work();
        return () => resolve(result);
      };
      waiting.push({ run, fail });
    });
}
