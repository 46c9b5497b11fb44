import {
  type Connections,
  connectionsOf,
  firstOn,
  KEEP_ALIVES,
  type Listener,
  READ_TRIES,
  type Timing,
} from '@florin/contract/database/connections.ts';
import { isRead } from '@florin/contract/database/reads.ts';
import { inTransaction } from '@florin/contract/database/transactions.ts';
import pg from 'pg';
import type { Row } from './row.ts';
import { statementName } from './statement-names.ts';
import { RowClient } from './wire/row-client.ts';
import { queryRows } from './wire/row-query.ts';

/** Runs single SQL statements: the pool, or the connection of a transaction. */
export interface Db {
  /**
   * With `name`, the connection prepares the statement under that name. Outside transactions, `kept` reuses the plan
   * of the first use: for what work loops repeat, since planning costs more than finding nothing.
   */
  query(sql: string, values: readonly unknown[], name?: string, plans?: 'kept'): Promise<Row[]>;
}

export interface Database extends Db, AsyncDisposable {
  /** Runs `work` in a transaction: commits when `work` returns, rolls back when it throws. */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Whether all connections are in use and a caller waits for one. */
  isExhausted(): boolean;
  /** Connections of the pool and callers that wait for one, for metrics. */
  usage(): PoolUsage;
}

export interface PoolUsage {
  readonly size: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
}

/** How PostgreSQL plans the statements of a transaction. */
export interface TransactionOptions {
  /** Cached query plans. Default `tried`. Use `kept` for lookups by key, or of the first rows of an index. */
  readonly plans?: 'tried' | 'kept';
  /** Statement timeout for background work. */
  readonly statement_timeout_ms?: number;
}

/** Timeouts for connections and statements. */
export interface DatabaseLimits {
  readonly statement_timeout_ms?: number;
  readonly silence_margin_ms?: number;
  readonly acquire_timeout_ms?: number;
}

export interface DatabaseOptions extends DatabaseLimits {
  readonly url: string;
  readonly connections_max: number;
  /** Receives the success or failure of each statement. */
  readonly health?: Listener;
  /** Called with the milliseconds that a caller waited for a connection. */
  readonly onWait?: (wait_ms: number) => void;
}

const LOCK_TIMEOUT_MS = 2_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
export const STATEMENT_TIMEOUT_MS = 5_000;
/** PostgreSQL cancels a statement at its timeout. A connection still silent after this margin is closed. */
const SILENCE_MARGIN_MS = 2_000;
/** Longer than the silence limit, so that waiting work gets a new connection. */
const ACQUIRE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + SILENCE_MARGIN_MS + 1_000;
/** Idle time of a connection before TCP keep-alive probes, in milliseconds. */
const KEEP_ALIVE_DELAY_MS = 10_000;
/**
 * Prepared statements per connection. A connection with more is replaced, because only closing
 * it frees them.
 */
const PREPARED_MAX = 500;

/**
 * Planning took 40% of the database's work on a day of renewals, so transactions reuse plans. `tried` reuses
 * a plan that costs no more than five fresh plans, `kept` the first plan.
 */
const BEGIN = {
  tried: 'begin; set local plan_cache_mode = auto; set local enable_seqscan = off',
  kept: 'begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off',
} as const;
/** Maximum age of reused plans. A plan made for a small table would later scan all rows of a merchant. */
const PLANS_CACHED_MS = 10_000;

/** Settings of database and role could otherwise lead names to objects of others. */
export const SEARCH_PATH = '-c search_path=public,pg_temp';
const SESSION = `${SEARCH_PATH} -c jit=off -c TimeZone=UTC -c DateStyle=ISO ${KEEP_ALIVES}`;
const FRESH_PLANS = '-c plan_cache_mode=force_custom_plan';
const KEPT_PLANS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off';
/** Connections with kept plans, for the statements of work loops. Replaced before their plans get old. */
const KEPT_CONNECTIONS_MAX = 3;
const KEPT_LIFETIME_SECONDS = PLANS_CACHED_MS / 1_000;
/** Idle time after which a connection is closed. A new one costs a login, for which requests may wait. */
const IDLE_MS = 300_000;

/** Timers run before sockets are read, so a response that arrived while the process was blocked still counts. */
export const timing: Timing = {
  monotonic_ms: () => performance.now(),
  callAfter(ms, late) {
    const timer = setTimeout(() => setImmediate(late), ms);
    return () => clearTimeout(timer);
  },
};

type PoolConnections = Connections<pg.PoolClient>;

/** PostgreSQL answers the commit of a failed transaction with a rollback, and no error. */
const NOTHING_COMMITTED = 'the transaction was rolled back: an error of a statement was ignored';

const asDb = (connections: PoolConnections, client: pg.PoolClient, limit_ms?: number): Db => ({
  async query(sql, values, name) {
    const statement = { text: sql, values, name: name && statementName(name) };
    const send = () => queryRows(client, statement);
    const { rows, command } = await connections.execute(client, send, limit_ms);
    if (sql === 'commit' && command === 'ROLLBACK') throw new Error(NOTHING_COMMITTED);
    return rows;
  },
});

/** Opens a pool on `url`. The pool connects on first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const {
    connections_max,
    statement_timeout_ms = STATEMENT_TIMEOUT_MS,
    silence_margin_ms = SILENCE_MARGIN_MS,
    acquire_timeout_ms = ACQUIRE_TIMEOUT_MS,
  } = options;
  const config = {
    connectionString: options.url,
    connectionTimeoutMillis: acquire_timeout_ms,
    statement_timeout: statement_timeout_ms,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
  };
  const pool = poolOf({ ...config, max: connections_max, options: `${FRESH_PLANS} ${SESSION}` });
  const keptPool = poolOf({
    ...config,
    max: Math.min(KEPT_CONNECTIONS_MAX, connections_max),
    maxLifetimeSeconds: KEPT_LIFETIME_SECONDS,
    options: `${KEPT_PLANS} ${SESSION}`,
  });
  const limit_ms = statement_timeout_ms + silence_margin_ms;
  const { onWait } = options;
  const watched = { timing, limit_ms, ...options.health, ...(onWait && { onWait }) };
  const connections = connectionsOf<pg.PoolClient>(pool, watched);
  const singleStatements = createSingleStatementDb(connections);
  const keptStatements = createSingleStatementDb(connectionsOf<pg.PoolClient>(keptPool, watched));
  const operationsFor = createTransactionOperations(connections, silence_margin_ms);
  return {
    query: (sql, values, name, plans) =>
      withRetries(connections_max, () =>
        (plans ? keptStatements : singleStatements).query(sql, values, name),
      ),
    transaction: (work, options = {}) =>
      withRetries(connections_max, () => inTransaction(connections, operationsFor(options), work)),
    isExhausted: () => pool.waitingCount > 0,
    usage: () => ({
      size: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max: connections_max,
    }),
    [Symbol.asyncDispose]: async () => void (await Promise.all([pool.end(), keptPool.end()])),
  };
}

/**
 * Pool that replaces broken connections; their running statements fail. Without `error` listeners on the pool
 * and on connections in use, Node would exit.
 */
export function poolOf(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    idleTimeoutMillis: IDLE_MS,
    ...config,
    Client: RowClient,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Names of the statements that a connection has prepared. */
const preparedNames = new WeakMap<pg.PoolClient, Set<string>>();

function notePrepared(client: pg.PoolClient, name: string): void {
  const names = preparedNames.get(client) ?? new Set();
  preparedNames.set(client, names.add(name));
}

/** Whether a connection has prepared the maximum number of statements. Release closes it. */
const isFull = (client: pg.PoolClient): boolean =>
  (preparedNames.get(client)?.size ?? 0) >= PREPARED_MAX;

/** Runs each statement on a connection that no other statement uses at the same time. */
const createSingleStatementDb = (connections: PoolConnections): Db => ({
  async query(sql, values, name) {
    const sendQuery = (client: pg.PoolClient) => {
      if (name) notePrepared(client, name);
      return asDb(connections, client).query(sql, values, name);
    };
    const { client, result: answer } = await firstOn(
      connections,
      sendQuery,
      isRead(sql) ? READ_TRIES : 1,
    );
    connections.release(client, isFull(client));
    return answer;
  },
});

/** Runs the statements of one connection in sequence, even if callers start them concurrently. */
function createSequentialDb(
  connections: PoolConnections,
  client: pg.PoolClient,
  limit_ms?: number,
): Db {
  const db = asDb(connections, client, limit_ms);
  let previous: Promise<unknown> = Promise.resolve();
  return {
    query(sql, values, name) {
      if (name) notePrepared(client, name);
      const result = previous.then(() => db.query(sql, values, name));
      previous = result.catch(() => {});
      return result;
    },
  };
}

/** Time when each connection last discarded its cached plans. */
const plansDiscardedAt = new WeakMap<pg.PoolClient, number>();

function beginStatement(client: pg.PoolClient, beginSql: string): string {
  const now = performance.now();
  if (now - (plansDiscardedAt.get(client) ?? Number.NEGATIVE_INFINITY) < PLANS_CACHED_MS)
    return beginSql;
  plansDiscardedAt.set(client, now);
  return `discard plans; ${beginSql}`;
}

const createTransactionOperations =
  (connections: PoolConnections, silence_margin_ms: number) =>
  ({ plans = 'tried', statement_timeout_ms }: TransactionOptions) => ({
    begin: (client: pg.PoolClient) =>
      asDb(connections, client).query(
        beginStatement(client, BEGIN[plans] + limitStatement(statement_timeout_ms)),
        [],
      ),
    sessionOn: (client: pg.PoolClient) =>
      createSequentialDb(
        connections,
        client,
        statement_timeout_ms && statement_timeout_ms + silence_margin_ms,
      ),
    isUnusable: (client: pg.PoolClient, error: unknown) => isStale(error) || isFull(client),
  });

const limitStatement = (statement_timeout_ms: number | undefined): string =>
  statement_timeout_ms ? `; set local statement_timeout = ${statement_timeout_ms}` : '';

const RETRIES_MAX = 3;
/** Serialisation failure, deadlock, lock not available. The complete transaction must be retried. */
const RETRYABLE = new Set(['40001', '40P01', '55P03']);

type DatabaseFailure = Partial<Record<'code' | 'routine', string>>;

/** Whether table columns changed after the statement was prepared. Nothing ran, and the connection is unusable. */
function isStale(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as DatabaseFailure;
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Retries `work`. A failed stale connection is replaced, so each connection fails at most once. */
async function withRetries<T>(connections_max: number, work: () => Promise<T>): Promise<T> {
  for (let failures = 0, staleCount = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      const isRetryable = RETRYABLE.has((error as DatabaseFailure).code ?? '');
      const canRetry = isStale(error)
        ? staleCount++ < connections_max
        : isRetryable && ++failures < RETRIES_MAX;
      if (!canRetry) throw error;
    }
  }
}

/** Whether the database accepts writes: it responds and is not a standby. */
export async function isWritable(db: Db): Promise<boolean> {
  const [row] = await db.query('select not pg_is_in_recovery() as writable', []);
  return row?.writable === 't';
}
