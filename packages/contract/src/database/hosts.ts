import { parseDatabaseAddress } from './address.ts';
import { databaseFaultOf, isConnectionError } from './fault.ts';

/** Longest wait for one of several hosts to accept a connection. The next host may be the primary. */
const HOST_LIMIT_MS = 3_000;

/** Hosts of a database. New connections go to the last one that accepted writes. */
export interface Hosts {
  readonly count: number;
  readonly is_pooled: boolean;
  /** Address of the host for the next connection. */
  current(): string;
  /** Chooses the next host, unless somebody has left this one already. */
  leave(url: string): void;
}

export function createHosts(address: string): Hosts {
  const { urls, is_pooled } = parseDatabaseAddress(address);
  let index = 0;
  const current = (): string => urls[index] ?? address;
  return {
    count: urls.length,
    is_pooled,
    current,
    leave(url) {
      if (url === current()) index = (index + 1) % urls.length;
    },
  };
}

/** The host is a standby, so another host of the address has to be the primary. */
export class StandbyError extends Error {
  override name = 'StandbyError';
  /** SQLSTATE of a server that cannot be used now. */
  readonly code = '57P03';
}

/** The part of pg's client that the choice of a host needs. `getStartupConf` is none of its public methods. */
interface HostClient {
  connect(callback?: (error: Error) => void): unknown;
  query(sql: string): Promise<{ readonly rows: readonly { readonly standby?: unknown }[] }>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): unknown;
}

/** Settings of pg's client that the choice of a host replaces. */
export interface HostConfig {
  readonly connectionString: string;
  readonly connectionTimeoutMillis?: number;
}

/** Settings for the current host. The caller gives them to its client, then calls `steerClient`. */
export const hostConfig = (hosts: Hosts): HostConfig => ({
  connectionString: hosts.current(),
  ...(hosts.count > 1 && { connectionTimeoutMillis: HOST_LIMIT_MS }),
});

/** PgBouncer sets these for each client, and refuses all other settings of a new connection. */
const POOLED_SETTINGS = { TimeZone: 'UTC', DateStyle: 'ISO' };

/**
 * Changes a client for the current host. With several hosts, its `connect` fails with `StandbyError` where the host
 * accepts no writes. After any error, the next client is for the next host.
 */
export function steerClient(client: HostClient, hosts: Hosts): void {
  const url = hosts.current();
  // A connection may break before its owner listens, and Node would exit. The client's next statement fails.
  client.on('error', () => {});
  const connectOnce = client.connect.bind(client) as () => Promise<unknown>;
  async function connect(): Promise<void> {
    try {
      await connectOnce();
      if (hosts.count > 1) await requirePrimary(client);
    } catch (error) {
      hosts.leave(url);
      throw error;
    }
  }
  client.connect = (callback) => {
    if (!callback) return connect();
    const succeed = callback as () => void;
    return void connect().then(() => succeed(), callback);
  };
  if (hosts.is_pooled) addStartupSettings(client as unknown as StartingClient);
}

interface StartingClient {
  /** Parameters of the packet that opens the connection. */
  getStartupConf(): object;
}

function addStartupSettings(client: StartingClient): void {
  const settingsOf = client.getStartupConf.bind(client);
  client.getStartupConf = () => ({ ...settingsOf(), ...POOLED_SETTINGS });
}

const STANDBY_QUERY = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as standby`;

async function requirePrimary(client: HostClient): Promise<void> {
  const { rows } = await client.query(STANDBY_QUERY);
  // Parsed rows have a boolean, others its text.
  if (rows[0]?.standby !== true && rows[0]?.standby !== 't') return;
  await client.end().catch(() => {});
  throw new StandbyError('the host is a standby');
}

/** Faults of a host. A full pool is none: a caller would wait for it once for each host. */
const isHostFault = (error: unknown): boolean =>
  error instanceof StandbyError ||
  (isConnectionError(error) && databaseFaultOf(error) !== 'pool_exhausted');

/** Tries each host once, until one is connected. Throws the last error. */
export async function tryHosts<C>({ count }: Hosts, connect: () => Promise<C>): Promise<C> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await connect();
    } catch (error) {
      if (tries >= count || !isHostFault(error)) throw error;
    }
  }
}
