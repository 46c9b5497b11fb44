import type { Database } from './database/db.ts';

/** Stands before the answer of a command that ran dry. */
export const DRY_RUN_HEAD = 'Nothing was changed. Without --dry-run, the command would answer:\n';

/** Whether the words of a command ask for a dry run. */
export const isDryRun = (words: readonly string[]): boolean => words.includes('--dry-run');

/**
 * The same database for a dry run: each transaction, and each statement outside of one, is rolled back at its end. So
 * a transaction does not see what an earlier one did.
 */
export function dryRunOf(db: Database): Database {
  const transaction: Database['transaction'] = async (work, options) => {
    const results: Awaited<ReturnType<typeof work>>[] = [];
    const rollback = new Error('a dry run commits nothing');
    const run = db.transaction(async (tx) => {
      results.push(await work(tx));
      throw rollback;
    }, options);
    await run.catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
    return results[0] as Awaited<ReturnType<typeof work>>;
  };
  return {
    ...db,
    transaction,
    query: (sql, values, name) => transaction((tx) => tx.query(sql, values, name)),
  };
}
