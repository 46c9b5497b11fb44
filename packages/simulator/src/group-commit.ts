import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` in a transaction and resolves with its result once that is on disk. */
export type Commit = <T>(work: () => T) => Promise<T>;

/**
 * Groups the work of one turn of the event loop into one transaction, so that concurrent requests share one disk
 * sync.
 * If the transaction fails, all work in it fails.
 */
export function createGroupCommit(db: DatabaseSync): Commit {
  let pendingWork: { readonly run: () => () => void; readonly fail: (error: unknown) => void }[] =
    [];

  function flush(): void {
    const group = pendingWork;
    pendingWork = [];
    try {
      db.exec('begin immediate');
      const resolvers = group.map(({ run }) => run());
      db.exec('commit');
      for (const resolve of resolvers) resolve();
    } catch (error) {
      if (db.isOpen && db.isTransaction) db.exec('rollback');
      for (const { fail } of group) fail(error);
    }
  }

  return (work) =>
    new Promise((resolve, fail) => {
      if (pendingWork.length === 0) setImmediate(flush);
      const run = () => {
        const result = work();
        return () => resolve(result);
      };
      pendingWork.push({ run, fail });
    });
}
