import pg from 'pg';
import type { Row } from './row.ts';
import { keptName } from './statement-names.ts';

/** Anything that runs one SQL statement: the pool, or the connection of a transaction. */
export interface Db {
  /** `name` makes it a prepared statement of that name. */
  query(sql: string, values: readonly unknown[], name?: string): Promise<Row[]>;
}

/** A pool of connections. */
export interface Database extends Db, AsyncDisposable {
  /** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

/** What a transaction's statements are to the planner. */
export interface TransactionOptions {
  /** `kept` is for work that finds all rows by their keys, or the first few by an index; default `tried`. */
  readonly plans?: 'tried' | 'kept';
}

export interface DatabaseOptions {
  readonly url: string;
  readonly connections_max: number;
  readonly statement_timeout_ms?: number;
}

const LOCK_TIMEOUT_MS = 2_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
const ACQUIRE_TIMEOUT_MS = 5_000;
export const STATEMENT_TIMEOUT_MS = 5_000;
/** Prepared statements of one connection, which keeps each as long as it lives; then another takes its place. */
const PREPARED_MAX = 500;

/**
 * Statements alone are planned each time, for what they hold. In a transaction those that have a name may keep their
 * plans, as may the database's own look-ups for foreign keys, one a row: planning these was a quarter of all its work on a
 * day of renewals, and planning the others a sixth of the rest. `tried` keeps a plan that costs no more than five made
 * before it, `kept` the first.
 */
const BEGIN = {
  tried: 'begin; set local plan_cache_mode = auto; set local enable_seqscan = off',
  kept: 'begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off',
} as const;
/** How long a connection keeps them at most. One that was made while a table was small reads all of a merchant's rows. */
const PLANS_KEPT_MS = 3_000;

/** Values stay text: nothing is parsed that is only passed on, and no digit of a bigint or microsecond is lost. */
const rawText = { getTypeParser: () => (value: string | Buffer) => value };

const asDb = (client: { query: pg.ClientBase['query'] }): Db => ({
  async query(sql, values, name) {
    const config = {
      text: sql,
      values: values as unknown[],
      types: rawText,
      ...(name && { name: keptName(name) }),
    };
    const result = await client.query(config as pg.QueryConfig);
    return result.rows as Row[];
  },
});

/** Opens a pool on `url`. Connections are made when they are first needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const { connections_max } = options;
  const pool = poolOf({
    connectionString: options.url,
    max: connections_max,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    statement_timeout: options.statement_timeout_ms ?? STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: '-c plan_cache_mode=force_custom_plan -c jit=off -c TimeZone=UTC -c DateStyle=ISO',
    keepAlive: true,
  });
  const unnamed = asDb(pool);
  const named = preparing(pool);
  return {
    query: (sql, values, name) =>
      retrying(connections_max, () => (name ? named : unnamed).query(sql, values, name)),
    transaction: (work, options) =>
      retrying(connections_max, () => inTransaction(pool, work, options)),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/**
 * A pool in which a connection that breaks fails the statement that runs on it and is replaced. Without listeners, of the
 * pool for idle ones and of each for those in use, Node would exit.
 */
export function poolOf(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The names of what a connection has prepared. */
const prepared = new WeakMap<pg.PoolClient, Set<string>>();

/** Notes that a connection prepares a statement. */
function prepares(client: pg.PoolClient, name: string): void {
  const names = prepared.get(client) ?? new Set();
  prepared.set(client, names.add(name));
}

/** Connections that have prepared as much as they may are closed by whoever gives them back. */
const isFull = (client: pg.PoolClient): boolean =>
  (prepared.get(client)?.size ?? 0) >= PREPARED_MAX;

/** Statements each on a connection of its own for as long as it takes. */
const preparing = (pool: pg.Pool): Db => ({
  async query(sql, values, name = '') {
    const client = await pool.connect();
    let failed: Error | undefined;
    try {
      prepares(client, name);
      return await asDb(client).query(sql, values, name);
    } catch (error) {
      failed = error as Error;
      throw error;
    } finally {
      client.release(failed ?? isFull(client));
    }
  },
});

/** A connection does one statement after the other, also those that are asked for at once. */
function inTurn(client: pg.PoolClient): Db {
  const db = asDb(client);
  let before: Promise<unknown> = Promise.resolve();
  return {
    query(sql, values, name) {
      if (name) prepares(client, name);
      const asked = before.then(() => db.query(sql, values, name));
      before = asked.catch(() => {});
      return asked;
    },
  };
}

/** When connections last forgot their plans. */
const forgotten = new WeakMap<pg.PoolClient, number>();

function beginning(client: pg.PoolClient, begin: string): string {
  const now = performance.now();
  if (now - (forgotten.get(client) ?? Number.NEGATIVE_INFINITY) < PLANS_KEPT_MS) return begin;
  forgotten.set(client, now);
  return `discard plans; ${begin}`;
}

async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: Db) => Promise<T>,
  { plans = 'tried' }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect();
  const tx = inTurn(client);
  let broken: Error | undefined;
  try {
    await tx.query(beginning(client, BEGIN[plans]), []);
    const result = await work(tx);
    await tx.query('commit', []);
    return result;
  } catch (error) {
    if (isStale(error)) broken = error as Error;
    await tx.query('rollback', []).catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken ?? isFull(client));
  }
}

const RETRIES_MAX = 3;
/** Serialisation failure, deadlock, lock not available: the database asks to try the whole thing again. */
const RETRYABLE = new Set(['40001', '40P01', '55P03']);

type DatabaseFailure = Partial<Record<'code' | 'routine', string>>;

/** A table has other columns than when the statement was prepared. Nothing was done, and the connection is of no more use. */
function isStale(error: unknown): boolean {
  const { code, routine } = error as DatabaseFailure;
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Each stale connection is met once at most. */
async function retrying<T>(connections_max: number, work: () => Promise<T>): Promise<T> {
  for (let failures = 0, stale = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      const isRetryable = RETRYABLE.has((error as DatabaseFailure).code ?? '');
      const again = isStale(error)
        ? stale++ < connections_max
        : isRetryable && ++failures < RETRIES_MAX;
      if (!again) throw error;
    }
  }
}

/** Whether the database takes writes: it answers, and is not a standby. */
export async function isWritable(db: Db): Promise<boolean> {
  const [row] = await db.query('select not pg_is_in_recovery() as writable', []);
  return row?.writable === 't';
}
