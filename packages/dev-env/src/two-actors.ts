/** Runs one SQL statement inside a transaction. */
export interface Tx {
  query(sql: string, values: readonly unknown[]): Promise<readonly object[]>;
}

export interface Transactions<T extends Tx> extends Tx {
  transaction<R>(work: (tx: T) => Promise<R>): Promise<R>;
}

export interface TwoActors<T extends Tx, A, B> {
  /** Runs first. The transaction stays open while the second actor runs. */
  readonly first: (tx: T) => Promise<A>;
  /** Runs and commits in a transaction of its own. */
  readonly second: (tx: T) => Promise<B>;
}

export interface ConcurrentResult<A, B> {
  readonly first: A;
  readonly second: B;
  /** Whether locks of the first actor blocked the second. */
  readonly waited: boolean;
}

const POLL_MS = 5;

/**
 * Holds the first actor's transaction open and runs the second actor against it. The first commits when the second
 * has ended or is blocked, so the result depends only on locks, never on time.
 */
export async function runConcurrently<T extends Tx, A, B>(
  db: Transactions<T>,
  { first, second }: TwoActors<T, A, B>,
): Promise<ConcurrentResult<A, B>> {
  const firstResult = Promise.withResolvers<{ pid: string; answer: A }>();
  const release = Promise.withResolvers<void>();
  const firstRun = db.transaction(async (tx) => {
    const pid = await pidOf(tx);
    firstResult.resolve({ pid, answer: await first(tx) });
    await release.promise;
  });
  firstRun.catch(firstResult.reject);
  const { pid, answer } = await firstResult.promise;
  const secondRun = db.transaction(second);
  const waited = await isBlocked(db, pid, secondRun).finally(release.resolve);
  await firstRun;
  return { first: answer, second: await secondRun, waited };
}

async function pidOf(tx: Tx): Promise<string> {
  const [row] = await tx.query('select pg_backend_pid()::text as pid', []);
  return (row as { pid: string }).pid;
}

/** Polls the database until the work has ended or waits for a lock of backend `pid`. Returns whether it waits. */
async function isBlocked(db: Tx, pid: string, work: Promise<unknown>): Promise<boolean> {
  let hasEnded = false;
  const markEnded = () => {
    hasEnded = true;
  };
  work.then(markEnded, markEnded);
  for (;;) {
    const blockedRows = await db.query(
      'select 1 from pg_stat_activity where $1::int = any (pg_blocking_pids(pid))',
      [pid],
    );
    if (blockedRows.length > 0) return true;
    if (hasEnded) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Locking clauses and functions with their replacements, for tests that prove that the locks are needed. */
const REPLACEMENTS: readonly (readonly [clause: RegExp, instead: string])[] = [
  [/\s+for (?:no key )?(?:update|share)(?: of \w+)?(?: skip locked)?/g, ''],
  [/\bpg_advisory_xact_lock(?:_shared)?\(/g, 'pg_typeof('],
  [/\bpg_try_advisory_xact_lock(?:_shared)?\(/g, '0 < pg_column_size('],
  [/^lock table \w+ in [a-z ]+ mode$/g, 'select 1'],
];

/** Wraps a database and removes all locks from its statements. */
export const withoutLocks = <T extends Tx>(db: Transactions<T>): Transactions<T> =>
  withRewrites(db, (sql) =>
    REPLACEMENTS.reduce((text, [clause, instead]) => text.replace(clause, instead), sql),
  );

/** Wraps a database and removes `skip locked`: statements then wait for locked rows. */
export const withoutSkips = <T extends Tx>(db: Transactions<T>): Transactions<T> =>
  withRewrites(db, (sql) => sql.replaceAll(' skip locked', ''));

function withRewrites<T extends Tx>(
  db: Transactions<T>,
  rewrite: (sql: string) => string,
): Transactions<T> {
  // Sends statements without their names, because a prepared statement would keep its original text.
  const rewriteTx = (tx: Tx): Tx => ({ query: (sql, values) => tx.query(rewrite(sql), values) });
  return {
    ...rewriteTx(db),
    transaction: (work) => db.transaction((tx) => work(rewriteTx(tx) as T)),
  };
}
