import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` in a transaction and resolves with its result once that is on disk. */
export type Commit = <T>(work: () => T) => Promise<T>;

/**
 * Groups the work of one turn of the event loop into one transaction, so that concurrent requests share one disk
 * sync.
 * If the transaction fails, all work in it fails.
 */
export function groupCommit(db: DatabaseSync): Commit {
  let waitingWork: { readonly run: () => () => void; readonly fail: (error: unknown) => void }[] =
    [];

  function flush(): void {
    const group = waitingWork;
    waitingWork = [];
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
      if (waitingWork.length === 0) setImmediate(flush);
      const run = () => {
        const result = work();
        return () => resolve(result);
      };
      waitingWork.push({ run, fail });
    });
}
