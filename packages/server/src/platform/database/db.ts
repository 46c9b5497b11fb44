import { DEFAULT_SCHEMA } from '@florin/contract/database/address.ts';
import {
  type Connections,
  connectionsOf,
  firstOn,
  KEEP_ALIVES,
  type Listener,
  READ_TRIES,
  type Timing,
} from '@florin/contract/database/connections.ts';
import { type Hosts, sharedHosts, tryHosts, watchHosts } from '@florin/contract/database/hosts.ts';
import { isRead } from '@florin/contract/database/reads.ts';
import { inTransaction } from '@florin/contract/database/transactions.ts';
import pg from 'pg';
import { traced } from '../telemetry/tracing.ts';
import type { Row } from './row.ts';
import { statementName } from './statement-names.ts';
import { rowClientOf } from './wire/host-client.ts';
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
  /** The same of the connections with kept plans. Absent where these are the pool's. */
  readonly usageOfKept?: () => PoolUsage;
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
/** Longest time limit that the role of shared sessions may have. `florin check` compares it. */
const ROLE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS;
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
  fresh: 'begin; set local plan_cache_mode = force_custom_plan; set local enable_seqscan = off',
} as const;
/** Through PgBouncer, statements are planned each time: a prepared one belongs to a connection. */
const POOLED_BEGIN = `begin; set local search_path = ${DEFAULT_SCHEMA}, pg_temp; set local jit = off;
  set local lock_timeout = ${LOCK_TIMEOUT_MS};
  set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS};
  set local enable_seqscan = off`;
/** Maximum age of reused plans. A plan made for a small table would later scan all rows of a merchant. */
const PLANS_CACHED_MS = 10_000;

/** Settings of database and role could otherwise lead names to objects of others. */
export const searchPathOf = ({ schema }: Pick<Hosts, 'schema'>): string =>
  `-c search_path=${schema},pg_temp`;
const SESSION = `-c jit=off -c TimeZone=UTC -c DateStyle=ISO ${KEEP_ALIVES}`;
const FRESH_PLANS = '-c plan_cache_mode=force_custom_plan';
const GENERIC_PLANS = '-c plan_cache_mode=force_generic_plan';
const KEPT_PLANS = '-c enable_seqscan=off';
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

/** Connections to one database, and whether PgBouncer shares their sessions with others. */
interface Access {
  readonly connections: PoolConnections;
  readonly is_pooled: boolean;
  readonly has_fresh_plans: boolean;
}

const SQL_FACTS = { 'db.system.name': 'postgresql' } as const;

/** Name of a statement without its text: the beginning of its given name, or its first word. */
const spanName = (sql: string, name = ''): string =>
  `sql ${/^[a-z_]{1,40}/.exec(name)?.[0] ?? /^[a-z]{1,20}/.exec(sql)?.[0] ?? 'other'}`;

const asDb = ({ connections }: Access, client: pg.PoolClient, limit_ms?: number): Db => ({
  async query(sql, values, name) {
    const statement = { text: sql, values, name: name && statementName(name) };
    const send = () => queryRows(client, statement);
    const execute = () => connections.execute(client, send, limit_ms);
    const { rows, command } = await traced(() => spanName(sql, name), SQL_FACTS, execute);
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
  const hosts = sharedHosts(options.url);
  const { is_pooled, has_fresh_plans } = hosts;
  const { pool, keptPool } = openPools(hosts, {
    connections_max,
    statement_timeout_ms,
    acquire_timeout_ms,
  });
  // Single statements in shared sessions have the limit of the role, which a client must not anticipate.
  const answer_ms = is_pooled
    ? Math.max(statement_timeout_ms, ROLE_TIMEOUT_MS)
    : statement_timeout_ms;
  const limit_ms = answer_ms + silence_margin_ms;
  const { onWait } = options;
  const watched = {
    timing,
    limit_ms,
    ...watchHosts(hosts),
    ...options.health,
    ...(onWait && { onWait }),
  };
  const accessTo = (chosen: pg.Pool): Access => ({
    connections: connectionsOf<pg.PoolClient>(chosen, watched),
    is_pooled,
    has_fresh_plans,
  });
  const access = accessTo(pool);
  const singleStatements = createSingleStatementDb(access);
  const keptStatements = is_pooled ? singleStatements : createSingleStatementDb(accessTo(keptPool));
  const limits = { statement_timeout_ms, silence_margin_ms };
  const operationsFor = createTransactionOperations(access, limits);
  const transaction: Database['transaction'] = (work, options = {}) =>
    withRetries(connections_max, () =>
      inTransaction(access.connections, operationsFor(options), work),
    );
  const outlastsRole = is_pooled && statement_timeout_ms > ROLE_TIMEOUT_MS;
  return {
    // Only a transaction can have a longer limit than the role of shared sessions.
    query: (sql, values, name, plans) =>
      outlastsRole
        ? transaction((tx) => tx.query(sql, values))
        : withRetries(connections_max, () =>
            (plans ? keptStatements : singleStatements).query(sql, values, name),
          ),
    transaction,
    isExhausted: () => pool.waitingCount > 0,
    usage: () => usageOf(pool),
    ...(keptPool !== pool && { usageOfKept: () => usageOf(keptPool) }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...new Set([pool, keptPool])].map((each) => each.end()));
    },
  };
}

interface Pools {
  readonly pool: pg.Pool;
  /** Connections with kept plans, or the pool. */
  readonly keptPool: pg.Pool;
}

function openPools(
  hosts: Hosts,
  {
    connections_max,
    statement_timeout_ms,
    acquire_timeout_ms,
  }: Required<
    Pick<DatabaseOptions, 'connections_max' | 'statement_timeout_ms' | 'acquire_timeout_ms'>
  >,
): Pools {
  const { is_pooled, has_fresh_plans } = hosts;
  const session = `${searchPathOf(hosts)} ${SESSION}`;
  const config = {
    connectionTimeoutMillis: acquire_timeout_ms,
    ...(!is_pooled && {
      statement_timeout: statement_timeout_ms,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    }),
  };
  const pool = poolOf(hosts, { ...config, max: connections_max }, `${FRESH_PLANS} ${session}`);
  const keptOptions = {
    ...config,
    max: Math.min(KEPT_CONNECTIONS_MAX, connections_max),
    maxLifetimeSeconds: KEPT_LIFETIME_SECONDS,
  };
  const keptPlans = `${has_fresh_plans ? FRESH_PLANS : GENERIC_PLANS} ${KEPT_PLANS}`;
  const keptPool = is_pooled ? pool : poolOf(hosts, keptOptions, `${keptPlans} ${session}`);
  return { pool, keptPool };
}

const usageOf = (pool: pg.Pool): PoolUsage => ({
  size: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
  max: pool.options.max,
});

/**
 * Pool that replaces broken connections; their running statements fail. `session` has the settings of a session, which
 * PgBouncer would refuse. Without `error` listeners on the pool and on connections in use, Node would exit.
 */
export function poolOf(hosts: Hosts, config: pg.PoolConfig, session: string): pg.Pool {
  const pool = new pg.Pool({
    idleTimeoutMillis: IDLE_MS,
    ...config,
    ...(!hosts.is_pooled && { options: session }),
    Client: rowClientOf(hosts),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  return Object.assign(pool, { connect: () => tryHosts(hosts, connect) });
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
const createSingleStatementDb = (access: Access): Db => ({
  async query(sql, values, wantedName) {
    const name = access.is_pooled ? undefined : wantedName;
    const sendQuery = (client: pg.PoolClient) => {
      if (name) notePrepared(client, name);
      return asDb(access, client).query(sql, values, name);
    };
    const { client, result: answer } = await firstOn(
      access.connections,
      sendQuery,
      isRead(sql) ? READ_TRIES : 1,
    );
    access.connections.release(client, isFull(client));
    return answer;
  },
});

/** Runs the statements of one connection in sequence, even if callers start them concurrently. */
function createSequentialDb(access: Access, client: pg.PoolClient, limit_ms?: number): Db {
  const db = asDb(access, client, limit_ms);
  let previous: Promise<unknown> = Promise.resolve();
  return {
    query(sql, values, wantedName) {
      const name = access.is_pooled ? undefined : wantedName;
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
  (
    access: Access,
    limits: Required<Pick<DatabaseLimits, 'statement_timeout_ms' | 'silence_margin_ms'>>,
  ) =>
  ({ plans = 'tried', statement_timeout_ms }: TransactionOptions) => ({
    begin: (client: pg.PoolClient) =>
      asDb(access, client).query(
        access.is_pooled
          ? POOLED_BEGIN + limitStatement(statement_timeout_ms ?? limits.statement_timeout_ms)
          : beginStatement(
              client,
              BEGIN[access.has_fresh_plans ? 'fresh' : plans] +
                limitStatement(statement_timeout_ms),
            ),
        [],
      ),
    sessionOn: (client: pg.PoolClient) =>
      createSequentialDb(
        access,
        client,
        statement_timeout_ms && statement_timeout_ms + limits.silence_margin_ms,
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

/** Whether the database accepts writes: it responds, is not a standby, and was not made read-only. */
export async function isWritable(db: Db): Promise<boolean> {
  const readOnly = `current_setting('default_transaction_read_only')::boolean`;
  const [row] = await db.query(`select not (pg_is_in_recovery() or ${readOnly}) as writable`, []);
  return row?.writable === 't';
}
