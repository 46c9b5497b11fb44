import { describeSchemaProblem, parseDatabaseAddress } from './address.ts';
import { codeOf, databaseFaultOf, isConnectionError, READ_ONLY } from './fault.ts';

/** Longest wait for one of several hosts to accept a connection. The next host may be the primary. */
const HOST_LIMIT_MS = 3_000;

/** Hosts of a database. New connections go to the last one that accepted writes. */
export interface Hosts {
  readonly count: number;
  readonly is_pooled: boolean;
  /** Schema of the server's tables. */
  readonly schema: string;
  readonly has_fresh_plans: boolean;
  /** Address of the host for the next connection. */
  current(): string;
  /** Chooses the next host, unless somebody has left this one already. */
  leave(url: string): void;
}

/** Throws if the address names a schema that is not usable. */
export function createHosts(address: string): Hosts {
  const parsed = parseDatabaseAddress(address);
  const { urls, is_pooled, schema, has_fresh_plans } = parsed;
  const problem = describeSchemaProblem(parsed);
  if (problem) throw new Error(`The address of the database is not usable: ${problem}.`);
  let index = 0;
  const current = (): string => urls[index] ?? address;
  return {
    count: urls.length,
    is_pooled,
    schema,
    has_fresh_plans,
    current,
    leave(url) {
      if (url === current()) index = (index + 1) % urls.length;
    },
  };
}

/** The host is a standby, so another one has to be the primary, or this one becomes it later. */
export class StandbyError extends Error {
  override name = 'StandbyError';
  readonly code = READ_ONLY;
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

const hostsByAddress = new Map<string, Hosts>();

/** Hosts of an address that all pools of the process share, so that all leave a host together. */
export function sharedHosts(address: string): Hosts {
  const hosts = hostsByAddress.get(address) ?? createHosts(address);
  if (hosts.count > 1) hostsByAddress.set(address, hosts);
  return hosts;
}

/** Host of each steered client. */
const urlOfClient = new WeakMap<object, string>();

/** Callbacks of a pool of steered clients. */
interface HostWatch {
  onSilence(client: object): void;
  isOutdated(client: object): boolean;
}

/**
 * Leaves a host that falls silent, with all connections to it. A former leader whose manager hangs still connects and
 * answers reads, but no write.
 */
export const watchHosts = (hosts: Hosts): HostWatch => ({
  onSilence: (client) => hosts.leave(urlOfClient.get(client) ?? ''),
  isOutdated: (client) => hosts.count > 1 && urlOfClient.get(client) !== hosts.current(),
});

/**
 * Changes a client for the current host: `connect` fails with `StandbyError` on a standby, and with several hosts
 * also where the host accepts no writes. After any error, the next client is for the next host.
 */
export function steerClient(client: HostClient, hosts: Hosts): void {
  const url = hosts.current();
  urlOfClient.set(client, url);
  // A connection may break before its owner listens, and Node would exit. The client's next statement fails.
  client.on('error', () => {});
  const connectOnce = client.connect.bind(client) as () => Promise<unknown>;
  const greeting = hosts.is_pooled ? undefined : listenForStandby(client);
  async function connect(): Promise<void> {
    try {
      await connectOnce();
      if (greeting?.isStandby() || (hosts.count > 1 && (await isReadOnly(client))))
        await refuseStandby(client);
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

/** The part of pg's connection that receives settings of the server. pg does not document this part. */
interface ReportingClient {
  readonly connection: {
    on(event: 'parameterStatus', listener: (setting: ReportedSetting) => void): unknown;
  };
}

interface ReportedSetting {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/**
 * PostgreSQL 14 and newer says at the start of a connection whether it is a standby. A balancer leads to one while it
 * has not noticed a failover. PgBouncer repeats the greeting of an earlier server.
 */
function listenForStandby(client: unknown): { isStandby(): boolean } {
  let isStandby = false;
  (client as ReportingClient).connection.on(
    'parameterStatus',
    ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') isStandby = parameterValue === 'on';
    },
  );
  return { isStandby: () => isStandby };
}

const READ_ONLY_QUERY = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as standby`;

async function isReadOnly(client: HostClient): Promise<boolean> {
  const { rows } = await client.query(READ_ONLY_QUERY);
  // Parsed rows have a boolean, others its text.
  return rows[0]?.standby === true || rows[0]?.standby === 't';
}

async function refuseStandby(client: HostClient): Promise<never> {
  await client.end().catch(() => {});
  throw new StandbyError('the host is a standby');
}

/** SQLSTATE of an unknown database. */
const UNKNOWN_DATABASE = '3D000';

/**
 * Faults of a host. A standby that lags knows no new database or password. A full pool is no fault: a caller would wait
 * for it once for each host.
 */
function isHostFault(error: unknown): boolean {
  const fault = databaseFaultOf(error);
  if (error instanceof StandbyError || fault === 'login_refused') return true;
  return (
    codeOf(error) === UNKNOWN_DATABASE || (isConnectionError(error) && fault !== 'pool_exhausted')
  );
}

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
