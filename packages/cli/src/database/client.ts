import pg from 'pg';

const CONNECT_LIMIT_MS = 10_000;
const STATEMENT_LIMIT_MS = 30_000;

/** Runs `work` with a new connection and closes it. */
export async function withClient<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    statement_timeout: STATEMENT_LIMIT_MS,
  });
  // A broken connection already fails its query. Without a listener the error event would also end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns the SQLSTATE or system error code of a failure, or ''. */
export const codeOf = (error: unknown): string => (error as { code?: string })?.code ?? '';
