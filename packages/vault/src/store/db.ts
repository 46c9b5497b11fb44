import {
  type Connections,
  connectionsOf,
  harmlessly,
  isHarmlesslyLost,
  isRead,
} from '@florin/contract/database/connections.ts';
import { databaseFaultOf, isConnectionError } from '@florin/contract/database/fault.ts';
import pg from 'pg';
import { StartupError } from '../kernel/errors.ts';
import { faultOf, type Log } from '../kernel/logger.ts';

/** Anything that runs one SQL statement: the pool, or the connection of a transaction. */
export interface Db {
  /** `name` makes it a prepared statement of that name. */
  query<R extends object>(sql: string, values?: readonly unknown[], name?: string): Promise<R[]>;
}

export interface Database extends Db, AsyncDisposable {
  /** Runs `work` in one transaction: committed when it returns, rolled back when it throws. */
  transaction<T>(work: (tx: Db) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export interface TransactionOptions {
  /** Longest that each statement of background work takes. */
  readonly statement_timeout_ms?: number;
}

const CONNECTIONS_MAX = 8;
const STATEMENT_TIMEOUT_MS = 5_000;
/** The database ends a statement at its time-out. A connection that is silent for so much longer is closed. */
const SILENCE_MARGIN_MS = 2_000;
/** Work that waits for a connection outlasts the silence of those in use, and gets a new one. */
const CONNECT_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + SILENCE_MARGIN_MS + 1_000;
/** How long a connection is idle before TCP probes the other side. */
const KEEP_ALIVE_DELAY_MS = 10_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

const asDb = (client: pg.PoolClient, statement_timeout_ms?: number): Db => ({
  async query<R extends object>(sql: string, values: readonly unknown[] = [], name?: string) {
    const result = await client.query<R & pg.QueryResultRow>({
      text: sql,
      values: [...values],
      ...(name && { name }),
      ...(statement_timeout_ms && { query_timeout: statement_timeout_ms + SILENCE_MARGIN_MS }),
    } as pg.QueryConfig);
    return result.rows;
  },
});

/** Opens a pool and proves that it reaches the database. Throws `StartupError` where it does not. */
export async function openDatabase(
  url: string,
  log: Log,
  statement_timeout_ms = STATEMENT_TIMEOUT_MS,
): Promise<Database> {
  const pool = new pg.Pool({
    ...parseUrl(url),
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statement_timeout_ms,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    query_timeout: statement_timeout_ms + SILENCE_MARGIN_MS,
  });
  // Without a listener, an idle connection that breaks would end the process; the pool replaces it.
  pool.on('error', (error) => log({ event: 'database_connection_lost', fault: faultOf(error) }));
  // One that breaks in use fails its statement; it too needs a listener.
  pool.on('connect', (client) => client.on('error', () => {}));
  await pool.query('select 1').catch(async (error: unknown) => {
    await pool.end();
    throw new StartupError(unreachable(error), { cause: error });
  });
  const connections = connectionsOf<pg.PoolClient>(pool, {
    answered() {},
    failed(error) {
      if (databaseFaultOf(error) === 'silent')
        log({ event: 'database_connection_lost', fault: 'silent' });
    },
  });
  const alone = onOwnConnection(connections);
  return {
    query: (sql, values, name) => onceMore(() => alone.query(sql, values, name)),
    transaction: (work, options) => onceMore(() => inTransaction(connections, work, options)),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

function parseUrl(url: string): pg.PoolConfig {
  if (!/^postgres(ql)?:\/\//.test(url)) {
    throw new StartupError(
      'VAULT_DATABASE_URL must be an address such as postgresql://user@host/database.',
    );
  }
  return { connectionString: url };
}

const REFUSED_LOGIN = new Set(['28P01', '28000']);

function unreachable(error: unknown): string {
  const fault = faultOf(error);
  return REFUSED_LOGIN.has(fault)
    ? 'The database refuses the user name or password in VAULT_DATABASE_URL.'
    : `The vault cannot reach its database (${fault}): check VAULT_DATABASE_URL and that PostgreSQL is running.`;
}

/** Statements each on a connection of its own for as long as it takes. */
const onOwnConnection = (connections: Connections<pg.PoolClient>): Db => ({
  async query<R extends object>(sql: string, values?: readonly unknown[], name?: string) {
    const client = await connections.take();
    let failed: Error | undefined;
    try {
      const asked = asDb(client).query<R>(sql, values, name);
      return await (isRead(sql) ? harmlessly(asked) : asked);
    } catch (error) {
      failed = error as Error;
      throw error;
    } finally {
      connections.give(client, failed ?? false);
    }
  },
});

/** Repeats work on another connection where the first failed before any change. */
async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isHarmlesslyLost(error)) return work();
    throw error;
  }
}

async function inTransaction<T>(
  connections: Connections<pg.PoolClient>,
  work: (tx: Db) => Promise<T>,
  { statement_timeout_ms }: TransactionOptions = {},
): Promise<T> {
  const client = await connections.take();
  const tx = asDb(client, statement_timeout_ms);
  let broken: Error | undefined;
  try {
    await harmlessly(asDb(client).query('begin'));
    if (statement_timeout_ms)
      await tx.query(`set local statement_timeout = ${statement_timeout_ms}`);
    const result = await work(tx);
    await tx.query('commit');
    return result;
  } catch (error) {
    broken = await rolledBack(tx, error as Error);
    throw error;
  } finally {
    connections.give(client, broken ?? false);
  }
}

/** Gives what makes the connection of no more use. Where nothing answers, no rollback would be heard either. */
async function rolledBack(tx: Db, error: Error): Promise<Error | undefined> {
  if (isConnectionError(error)) return error;
  return tx.query('rollback').then(
    () => undefined,
    (cause: Error) => cause,
  );
}
