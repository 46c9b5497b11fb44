import pg from 'pg';
import type { Row } from './row.ts';

/** Anything that runs one SQL statement: the pool, or the connection of a transaction. */
export interface Db {
  /** `name` makes it a prepared statement of that name. */
  query(sql: string, values: readonly unknown[], name?: string): Promise<Row[]>;
}

/** A pool of connections. */
export interface Database extends Db, AsyncDisposable {
  /** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
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
 * Statements are planned each time, for what they hold. The database's own look-ups for foreign keys, one a row, are
 * statements too, of which planning was a quarter of all its work: transactions let it keep their plans.
 */
const BEGIN = 'begin; set local plan_cache_mode = auto; set local enable_seqscan = off';
/** How long a connection keeps them at most. One that was made while a table was small reads all of a merchant's rows. */
const PLANS_KEPT_MS = 1_000;

/** Values stay text: nothing is parsed that is only passed on, and no digit of a bigint or microsecond is lost. */
const rawText = { getTypeParser: () => (value: string | Buffer) => value };

const asDb = (client: { query: pg.ClientBase['query'] }): Db => ({
  async query(sql, values, name) {
    const config = {
      text: sql,
      values: values as unknown[],
      types: rawText,
      ...(name && { name }),
    };
    const result = await client.query(config as pg.QueryConfig);
    return result.rows as Row[];
  },
});

/** Opens a pool on `url`. Connections are made when they are first needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = poolOf({
    connectionString: options.url,
    max: options.connections_max,
    connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
    statement_timeout: options.statement_timeout_ms ?? STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    options: '-c plan_cache_mode=force_custom_plan -c TimeZone=UTC -c DateStyle=ISO',
    keepAlive: true,
  });
  const unnamed = asDb(pool);
  const named = preparing(pool);
  return {
    query: (sql, values, name) => retrying(() => (name ? named : unnamed).query(sql, values, name)),
    transaction: (work) => retrying(() => inTransaction(pool, work)),
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

/** Connections that have prepared as much as they may are closed after their statement. */
function preparing(pool: pg.Pool): Db {
  const prepared = new WeakMap<pg.PoolClient, Set<string>>();
  const isFull = (client: pg.PoolClient, name: string): boolean => {
    const names = prepared.get(client) ?? new Set();
    prepared.set(client, names.add(name));
    return names.size >= PREPARED_MAX;
  };
  return {
    async query(sql, values, name = '') {
      const client = await pool.connect();
      let failed: Error | undefined;
      try {
        return await asDb(client).query(sql, values, name);
      } catch (error) {
        failed = error as Error;
        throw error;
      } finally {
        client.release(failed ?? isFull(client, name));
      }
    },
  };
}

/**
 * A connection does one statement after the other, also those that are asked for at once. In a transaction none is
 * prepared, since one that is would be planned as the look-ups for foreign keys are: once.
 */
function inTurn(db: Db): Db {
  let before: Promise<unknown> = Promise.resolve();
  return {
    query(sql, values) {
      const asked = before.then(() => db.query(sql, values));
      before = asked.catch(() => {});
      return asked;
    },
  };
}

/** When connections last forgot their plans. */
const forgotten = new WeakMap<pg.PoolClient, number>();

function beginning(client: pg.PoolClient): string {
  const now = performance.now();
  if (now - (forgotten.get(client) ?? Number.NEGATIVE_INFINITY) < PLANS_KEPT_MS) return BEGIN;
  forgotten.set(client, now);
  return `discard plans; ${BEGIN}`;
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const tx = inTurn(asDb(client));
  let broken: Error | undefined;
  try {
    await tx.query(beginning(client), []);
    const result = await work(tx);
    await tx.query('commit', []);
    return result;
  } catch (error) {
    await tx.query('rollback', []).catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

const RETRIES_MAX = 3;
/** Serialisation failure, deadlock, lock not available: the database asks to try the whole thing again. */
const RETRYABLE = new Set(['40001', '40P01', '55P03']);

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: string };
      if (tries >= RETRIES_MAX || !code || !RETRYABLE.has(code)) throw error;
    }
  }
}

/** Whether the database takes writes: it answers, and is not a standby. */
export async function isWritable(db: Db): Promise<boolean> {
  const [row] = await db.query('select not pg_is_in_recovery() as writable', []);
  return row?.writable === 't';
}
