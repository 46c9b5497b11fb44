import {
  type Connections,
  connectionsOf,
  firstOn,
  KEEP_ALIVES,
  READ_TRIES,
  type Timing,
} from '@florin/contract/database/connections.ts';
import { databaseFaultOf } from '@florin/contract/database/fault.ts';
import {
  createHosts,
  type Hosts,
  hostConfig,
  sharedHosts,
  steerClient,
  tryHosts,
  watchHosts,
} from '@florin/contract/database/hosts.ts';
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
  /** Runs `work` on a connection without a transaction, then closes it. Absent where sessions are shared. */
  connected?<T>(work: (db: Db) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export interface TransactionOptions {
  /** Timeout for each statement of background work. */
  readonly statement_timeout_ms?: number;
}

const CONNECTIONS_DEFAULT = 8;
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
  readonly connections_max?: number | undefined;
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

/** Settings of transactions through PgBouncer, whose sessions belong to nobody. */
const POOLED_BEGIN = `begin; set local search_path = pg_catalog, pg_temp;
  set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS}`;

/** Connections to one database, and whether PgBouncer shares their sessions with others. */
interface Access {
  readonly connections: PoolConnections;
  readonly is_pooled: boolean;
}

const toDb = (
  { connections, is_pooled }: Access,
  client: pg.PoolClient,
  limit_ms?: number,
): Db => ({
  async query<R extends object>(sql: string, values: readonly unknown[] = [], name?: string) {
    // A prepared statement belongs to a connection, which is another one next time.
    const config = { text: sql, values: [...values], ...(name && !is_pooled && { name }) };
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
    connections_max = CONNECTIONS_DEFAULT,
  }: DatabaseLimits = {},
): Promise<Database> {
  const hosts = sharedHosts(checkUrl(url));
  const pool = new pg.Pool({
    max: connections_max,
    connectionTimeoutMillis: acquire_timeout_ms,
    // PgBouncer refuses the settings of a session.
    ...(!hosts.is_pooled && {
      statement_timeout: statement_timeout_ms,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      options: `${SEARCH_PATH} ${KEEP_ALIVES}`,
    }),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    Client: clientOf(hosts),
  });
  // Without a listener, a broken idle connection would end the process. The pool replaces the connection.
  pool.on('error', (error) => log({ event: 'database_connection_lost', fault: faultOf(error) }));
  // A connection that breaks during use fails its statement, but also needs an `error` listener.
  pool.on('connect', (client) => client.on('error', () => {}));
  const connectOnce = (): Promise<pg.PoolClient> => pool.connect();
  const reachable = { connect: () => tryHosts(hosts, connectOnce) };
  const connections = connectionsOf<pg.PoolClient>(reachable, {
    timing,
    limit_ms: statement_timeout_ms + silence_margin_ms,
    ...watchHosts(hosts),
    onFailure(error) {
      if (databaseFaultOf(error) === 'silent')
        log({ event: 'database_connection_lost', fault: 'silent' });
    },
  });
  const access = { connections, is_pooled: hosts.is_pooled };
  const singleStatements = createPoolDb(access);
  await singleStatements.query('select 1').catch(async (error: unknown) => {
    await pool.end();
    throw new StartupError(connectErrorText(error), { cause: error });
  });
  const operationsOf = transactionOperationsOf(access, { statement_timeout_ms, silence_margin_ms });
  return {
    query: singleStatements.query,
    transaction: (work, options = {}) => inTransaction(connections, operationsOf(options), work),
    ...(!hosts.is_pooled && { connected: connectedBy(access) }),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** User of a connection string. */
export const loginOf = (connectionString: string): string | undefined =>
  new pg.Client(hostConfig(createHosts(connectionString))).user;

/** Creates the class of the pool's clients, which connect to the current host. */
const clientOf = (hosts: Hosts): typeof pg.Client =>
  class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...hostConfig(hosts) });
      steerClient(this, hosts);
    }
  };

function checkUrl(url: string): string {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new StartupError(
      'VAULT_DATABASE_URL must be an address such as postgresql://user@host/database.',
    );
  }
  return url;
}

const REFUSED_LOGIN_CODES = new Set(['28P01', '28000']);

function connectErrorText(error: unknown): string {
  const fault = faultOf(error);
  return REFUSED_LOGIN_CODES.has(fault)
    ? 'The database refuses the user name or password in VAULT_DATABASE_URL.'
    : `The vault cannot reach its database (${fault}): check VAULT_DATABASE_URL and that PostgreSQL is running.`;
}

/** Runs each statement on its own connection. */
const createPoolDb = (access: Access): Db => ({
  async query<R extends object>(sql: string, values?: readonly unknown[], name?: string) {
    const sendQuery = (client: pg.PoolClient) => toDb(access, client).query<R>(sql, values, name);
    const { client, result: answer } = await firstOn(
      access.connections,
      sendQuery,
      isRead(sql) ? READ_TRIES : 1,
    );
    access.connections.release(client, false);
    return answer;
  },
});

const connectedBy =
  (access: Access): NonNullable<Database['connected']> =>
  async (work, { statement_timeout_ms } = {}) => {
    const client = await access.connections.acquire();
    try {
      return await work(toDb(access, client, statement_timeout_ms));
    } finally {
      access.connections.release(client, true);
    }
  };

const transactionOperationsOf =
  (access: Access, limits: { statement_timeout_ms: number; silence_margin_ms: number }) =>
  ({ statement_timeout_ms }: TransactionOptions) => ({
    begin: (client: pg.PoolClient) =>
      toDb(access, client).query(
        access.is_pooled
          ? POOLED_BEGIN + timeoutClause(statement_timeout_ms ?? limits.statement_timeout_ms)
          : `begin${timeoutClause(statement_timeout_ms)}`,
      ),
    sessionOn: (client: pg.PoolClient): Db =>
      toDb(access, client, statement_timeout_ms && statement_timeout_ms + limits.silence_margin_ms),
  });

const timeoutClause = (statement_timeout_ms: number | undefined): string =>
  statement_timeout_ms ? `; set local statement_timeout = ${statement_timeout_ms}` : '';
