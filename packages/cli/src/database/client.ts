import { DEFAULT_SCHEMA } from '@florin/contract/database/address.ts';
import {
  createHosts,
  type Hosts,
  hostConfig,
  steerClient,
  tryHosts,
} from '@florin/contract/database/hosts.ts';
import pg from 'pg';

const CONNECT_LIMIT_MS = 10_000;
const STATEMENT_LIMIT_MS = 30_000;

/** Runs `work` with a new connection and closes it. */
export async function withClient<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const hosts = createHosts(connectionString);
  const client = await tryHosts(hosts, () => connect(hosts));
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

async function connect(hosts: Hosts): Promise<pg.Client> {
  const client = new pg.Client({
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    ...(!hosts.is_pooled && { statement_timeout: STATEMENT_LIMIT_MS }),
    ...(hosts.schema !== DEFAULT_SCHEMA && {
      options: `-c search_path=${hosts.schema},pg_temp`,
    }),
    ...hostConfig(hosts),
  });
  steerClient(client, hosts);
  // A broken connection already fails its query. Without a listener the error event would also end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** Returns the SQLSTATE or system error code of a failure, or ''. */
export const codeOf = (error: unknown): string => (error as { code?: string })?.code ?? '';
