import {
  type Connections,
  connectionsOf,
  firstOn,
  KEEP_ALIVES,
  READ_TRIES,
  type Timing,
} from '@florin/contract/database/connections.ts';
import { databaseFaultOf } from '@florin/contract/database/fault.ts';
import { isRead } from '@florin/contract/database/reads.ts';
import { inTransaction } from '@florin/contract/database/transactions.ts';
import pg from 'pg';
import { StartupError } from '../kernel/errors.ts';
import { faultOf, type Log } from '../kernel/logger.ts';

/** Runs single SQL statements: the pool, or the connection of a transaction. */
export interface Db {
  /** With `name`, the connection prepares the statement under that name. */
  query<R extends object>(sql: string, values?: readonly unknown[], name?: string): Promise<R[]>;
}

export interface Database extends Db, AsyncDisposable {
  /** Runs `work` in a transaction: commits when `work` returns, rolls back when it throws. */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export interface TransactionOptions {
  /** Timeout for each statement of background work. */
  readonly statement_timeout_ms?: number;
}

const CONNECTIONS_MAX = 8;
const STATEMENT_TIMEOUT_MS = 5_000;
/** All statements name the schema. Settings of database and role cannot lead other names elsewhere. */
const SEARCH_PATH = '-c search_path=pg_catalog,pg_temp';
/** PostgreSQL cancels a statement at its timeout. A connection still silent after this margin is closed. */
const SILENCE_MARGIN_MS = 2_000;
/** Longer than the silence limit, so that waiting work gets a new connection. */
const ACQUIRE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + SILENCE_MARGIN_MS + 1_000;
/** Idle time of a connection before TCP keep-alive probes, in milliseconds. */
const KEEP_ALIVE_DELAY_MS = 10_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** Timeouts of the vault's database statements and connections. */
export interface DatabaseLimits {
  readonly statement_timeout_ms?: number;
  readonly silence_margin_ms?: number;
  readonly acquire_timeout_ms?: number;
}

/** Reads sockets before a timeout takes effect: a response that arrived while the process was paused counts. */
const timing: Timing = {
  monotonic_ms: () => performance.now(),
  callAfter(ms, onTimeout) {
    const timer = setTimeout(() => setImmediate(onTimeout), ms);
    return () => clearTimeout(timer);
  },
};

type PoolConnections = Connections<pg.PoolClient>;

const toDb = (connections: PoolConnections, client: pg.PoolClient, limit_ms?: number): Db => ({
  async query<R extends object>(sql: string, values: readonly unknown[] = [], name?: string) {
    const config = { text: sql, values: [...values], ...(name && { name }) };
    const sendQuery = () => client.query<R & pg.QueryResultRow>(config);
    return (await connections.execute(client, sendQuery, limit_ms)).rows;
  },
});

/** Opens a pool and checks that it reaches the database. Throws `StartupError` if it does not. */
export async function openDatabase(
  url: string,
  log: Log,
  {
    statement_timeout_ms = STATEMENT_TIMEOUT_MS,
    silence_margin_ms = SILENCE_MARGIN_MS,
    acquire_timeout_ms = ACQUIRE_TIMEOUT_MS,
  }: DatabaseLimits = {},
): Promise<Database> {
  const pool = new pg.Pool({
    ...parseUrl(url),
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: acquire_timeout_ms,
    statement_timeout: statement_timeout_ms,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    options: `${SEARCH_PATH} ${KEEP_ALIVES}`,
  });
  // Without a listener, a broken idle connection would end the process. The pool replaces the connection.
  pool.on('error', (error) => log({ event: 'database_connection_lost', fault: faultOf(error) }));
  // A connection that breaks during use fails its statement, but also needs an `error` listener.
  pool.on('connect', (client) => client.on('error', () => {}));
  const connections = connectionsOf<pg.PoolClient>(pool, {
    timing,
    limit_ms: statement_timeout_ms + silence_margin_ms,
    onFailure(error) {
      if (databaseFaultOf(error) === 'silent')
        log({ event: 'database_connection_lost', fault: 'silent' });
    },
  });
  const singleStatements = createPoolDb(connections);
  await singleStatements.query('select 1').catch(async (error: unknown) => {
    await pool.end();
    throw new StartupError(connectErrorText(error), { cause: error });
  });
  const operationsOf = transactionOperationsOf(connections, silence_margin_ms);
  return {
    query: singleStatements.query,
    transaction: (work, options = {}) => inTransaction(connections, operationsOf(options), work),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** User of a connection string. */
export const loginOf = (connectionString: string): string | undefined =>
  new pg.Client({ connectionString }).user;

function parseUrl(url: string): pg.PoolConfig {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new StartupError(
      'VAULT_DATABASE_URL must be an address such as postgresql://user@host/database.',
    );
  }
  return { connectionString: url };
}

const REFUSED_LOGIN_CODES = new Set(['28P01', '28000']);

function connectErrorText(error: unknown): string {
  const fault = faultOf(error);
  return REFUSED_LOGIN_CODES.has(fault)
    ? 'The database refuses the user name or password in VAULT_DATABASE_URL.'
    : `The vault cannot reach its database (${fault}): check VAULT_DATABASE_URL and that PostgreSQL is running.`;
}

/** Runs each statement on its own connection. */
const createPoolDb = (connections: PoolConnections): Db => ({
  async query<R extends object>(sql: string, values?: readonly unknown[], name?: string) {
    const sendQuery = (client: pg.PoolClient) =>
      toDb(connections, client).query<R>(sql, values, name);
    const { client, result: answer } = await firstOn(
      connections,
      sendQuery,
      isRead(sql) ? READ_TRIES : 1,
    );
    connections.release(client, false);
    return answer;
  },
});

const transactionOperationsOf =
  (connections: PoolConnections, silence_margin_ms: number) =>
  ({ statement_timeout_ms }: TransactionOptions) => ({
    begin: (client: pg.PoolClient) =>
      toDb(connections, client).query(`begin${timeoutClause(statement_timeout_ms)}`),
    sessionOn: (client: pg.PoolClient): Db =>
      toDb(connections, client, statement_timeout_ms && statement_timeout_ms + silence_margin_ms),
  });

const timeoutClause = (statement_timeout_ms: number | undefined): string =>
  statement_timeout_ms ? `; set local statement_timeout = ${statement_timeout_ms}` : '';
