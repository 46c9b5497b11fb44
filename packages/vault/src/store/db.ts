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
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
}

const CONNECTIONS_MAX = 8;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

const asDb = (client: { query: pg.ClientBase['query'] }): Db => ({
  async query<R extends object>(sql: string, values: readonly unknown[] = [], name?: string) {
    const result = await client.query<R & pg.QueryResultRow>({
      text: sql,
      values: [...values],
      ...(name && { name }),
    });
    return result.rows;
  },
});

/** Opens a pool and proves that it reaches the database. Throws `StartupError` where it does not. */
export async function openDatabase(url: string, log: Log): Promise<Database> {
  const pool = new pg.Pool({
    ...parseUrl(url),
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
  });
  // Without a listener, an idle connection that breaks would end the process; the pool replaces it.
  pool.on('error', (error) => log({ event: 'database_connection_lost', fault: faultOf(error) }));
  // One that breaks in use fails its statement; it too needs a listener.
  pool.on('connect', (client) => client.on('error', () => {}));
  await pool.query('select 1').catch(async (error: unknown) => {
    await pool.end();
    throw new StartupError(unreachable(error), { cause: error });
  });
  return {
    ...asDb(pool),
    transaction: (work) => inTransaction(pool, work),
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

async function inTransaction<T>(pool: pg.Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(asDb(client));
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((cause: Error) => {
      broken = cause;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
