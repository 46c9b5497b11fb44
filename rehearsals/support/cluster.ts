import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ServiceContext,
  serverService,
  simulatorService,
  vaultService,
  vaultSocket,
} from '@florin/cli/commands/services.ts';
import { readStartSettings } from '@florin/cli/config/env.ts';
import type { Service } from '@florin/cli/supervisor/slot.ts';
import { createStack, type Stack } from '@florin/cli/supervisor/stack.ts';
import { inheritedEnv } from '@florin/dev-env/config/env.ts';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { freePort } from '@florin/dev-env/start-processes.ts';
import type { Credentials } from '@florin/server/features/demo/credentials.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PACKAGES = join(ROOT, 'packages');

export type MemberRole = 'api' | 'worker' | 'vault' | 'network';

/** A process of a cluster. A supervisor starts it again when it is killed. */
export interface Member {
  readonly name: string;
  readonly role: MemberRole;
  /** Pid of the current run. Throws before the first one. */
  pid(): number;
}

/** Several processes of Florin over one database, with a simulated card network. */
export interface Cluster extends AsyncDisposable {
  readonly apis: readonly string[];
  /** Addresses of health and metrics of apis and workers. */
  readonly privates: readonly string[];
  readonly secretKey: string;
  /** Origin of forms, and the key with which a page opens them. */
  readonly payUrl: string;
  readonly publishableKey: string;
  readonly dataDir: string;
  readonly adminUrl: string;
  /** Login of the servers, for commands of an operator. */
  readonly serverUrl: string;
  readonly members: readonly Member[];
  /** Sentences of the supervisor, such as those about killed processes. */
  readonly printed: readonly string[];
  /** Stops all processes. Afterwards the network's ledger can be read. */
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Empty directory with a short path, for data and sockets. */
  readonly dataDir: string;
  /** Administrator's URL of PostgreSQL. */
  readonly postgresUrl: string;
  readonly apis: number;
  readonly workers: number;
  /** Vaults, each with a directory of its own as on a host of its own. Every server knows all of them. Default: 1. */
  readonly vaults?: number;
  /** Changes the addresses under which server and vault reach the database. */
  readonly reach?: (url: string) => string;
  /** Whether workers listen at PostgreSQL itself, where `reach` leads to a pooler. */
  readonly listens_directly?: boolean;
  /** The `packages` directory of the release that runs; default: this checkout. */
  readonly packages?: string;
  /** Additional environment of the members of a role. With FLORIN_VAULT_ADDRESSES, servers get no socket of the vault. */
  readonly envOf?: (role: MemberRole) => Readonly<Record<string, string>>;
  /** Variables of a member that are not Florin's, by its name. */
  readonly processEnvOf?: (member: string) => Readonly<Record<string, string>>;
  /** Database and card network that other clusters use too; default: new ones. */
  readonly shared?: SharedParts;
}

/** Parts of which several releases share one. Their owner ends them. */
export interface SharedParts {
  readonly database: ClusterDatabase;
  readonly simulatorUrl: string;
}

export type ClusterDatabase = Pick<ClonedDatabase, 'serverUrl' | 'vaultUrl' | 'adminUrl'>;

interface Start {
  readonly options: ClusterOptions;
  readonly database: ClusterDatabase;
  readonly simulatorUrl: string;
  /** Sockets of the vaults. */
  readonly sockets: readonly string[];
  readonly publicUrl: string;
  readonly members: Member[];
}

/** Starts a cluster: card network, vaults, apis, workers. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  await using cleanup = new AsyncDisposableStack();
  const { dataDir, shared } = options;
  const database = shared?.database ?? cleanup.use(await cloneDatabase(options.postgresUrl));
  const printed: string[] = [];
  const print = (sentence: string): void => void printed.push(sentence);
  const stack = createStack({
    print,
    fail: ({ message }) => print(message),
    diskFull: () => false,
  });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= stack.stop();
    return stopped;
  };
  cleanup.defer(stop);
  const ports = await freePorts(options.apis + options.workers);
  const apiPorts = ports.slice(0, options.apis);
  const vaultDirs = vaultDirectories(options);
  const sockets = vaultDirs.map(vaultSocket);
  const members: Member[] = [];
  const simulatorUrl =
    shared?.simulatorUrl ?? (await startSimulator(stack, dataDir, addMember(members, 'network')));
  const publicUrl = `http://localhost:${apiPorts[0]}`;
  const start: Start = { options, database, simulatorUrl, sockets, publicUrl, members };
  for (const vaultDir of vaultDirs) {
    await copyRootKey(dataDir, vaultDir);
    await stack.start(vaultMember(start, vaultDir));
  }
  const [first, ...others] = ports.map((port, at) =>
    serverMember(start, at < options.apis ? 'api' : 'worker', port),
  );
  // The first server creates the demo merchant.
  if (first) await stack.start(first);
  await Promise.all(others.map((server) => stack.start(server)));
  const { secret_key: secretKey, publishable_key: publishableKey } = await keysIn(dataDir);
  const running = cleanup.move();
  return {
    apis: apiPorts.map((port) => `http://localhost:${port}`),
    privates: ports.map((port) => `http://127.0.0.1:${port}`),
    secretKey,
    publishableKey,
    payUrl: payUrlOf(publicUrl),
    dataDir,
    adminUrl: database.adminUrl,
    serverUrl: database.serverUrl,
    members,
    printed,
    stop,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Starts the simulated card network, and returns its address. */
export async function startSimulator(
  stack: Stack,
  dataDir: string,
  onSpawn?: (pid: number) => void,
): Promise<string> {
  const { url = '' } = await stack.start(simulatorService(contextOf({ dataDir }, {}, onSpawn)));
  return url;
}

/** Different loopback ports without listeners. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

const contextOf = (
  { dataDir, packages = PACKAGES }: Pick<ClusterOptions, 'dataDir' | 'packages'>,
  env: Readonly<Record<string, string>>,
  onSpawn: (pid: number) => void = () => {},
) => ({
  settings: readStartSettings(ROOT, { ...inheritedEnv(), ...env, FLORIN_DATA: dataDir }),
  packages,
  onSpawn,
});

/** Adds a member to the list, and returns the function that notes its pid. */
function addMember(members: Member[], role: MemberRole): (pid: number) => void {
  let current = 0;
  const count = members.filter((member) => member.role === role).length;
  const name = `${role} ${count + 1}`;
  const pid = (): number => {
    // A signal to pid 0 would reach the whole process group of the rehearsal.
    if (current === 0) throw new Error(`${name} has not started.`);
    return current;
  };
  members.push({ name, role, pid });
  return (pid) => {
    current = pid;
  };
}

/** Adds variables that a vault would not inherit. */
function withOwnVariables(
  { settings, ...context }: ServiceContext,
  { options: { processEnvOf }, members }: Start,
): ServiceContext {
  const variables = processEnvOf?.(members.at(-1)?.name ?? '');
  const { server, vault, simulator } = settings.inherited;
  const inherited = {
    server: { ...server, ...variables },
    vault: { ...vault, ...variables },
    simulator,
  };
  return { ...context, settings: { ...settings, inherited } };
}

/** The first vault has the directory of the cluster. */
const vaultDirectories = ({ dataDir, vaults = 1 }: ClusterOptions): string[] =>
  Array.from({ length: vaults }, (_, at) => (at === 0 ? dataDir : join(dataDir, `v${at + 1}`)));

/** Gives a further vault the root key of the first one, as an operator does. */
async function copyRootKey(from: string, to: string): Promise<void> {
  if (from === to) return;
  await mkdir(join(to, 'vault'), { recursive: true, mode: 0o700 });
  await copyFile(join(from, 'vault', 'root.key'), join(to, 'vault', 'root.key'));
}

function vaultMember(start: Start, dataDir: string): Service {
  const { options, database, simulatorUrl, members } = start;
  const { reach = (url: string) => url } = options;
  const env = { VAULT_LOG_LEVEL: 'error', ...options.envOf?.('vault') };
  const context = contextOf({ ...options, dataDir }, env, addMember(members, 'vault'));
  return vaultService(withOwnVariables(context, start), {
    socket: vaultSocket(dataDir),
    database_url: reach(database.vaultUrl),
    egress: simulatorUrl,
  });
}

/** A server asks its own vault first, and the next one where that is gone. */
function vaultAddresses(sockets: readonly string[], server: number): string {
  const own = server % sockets.length;
  const inTurn = [...sockets.slice(own), ...sockets.slice(0, own)];
  return inTurn.map((socket) => `unix:${socket}`).join();
}

function serverMember(start: Start, role: 'api' | 'worker', port: number): Service {
  const { options, database, simulatorUrl, sockets, publicUrl, members } = start;
  const { reach = (url: string) => url } = options;
  const [socket] = sockets;
  const isAlone = sockets.length === 1;
  const server = members.filter((member) => member.role === role).length;
  const env = {
    PORT: String(port),
    FLORIN_PRIVATE_LISTEN: `127.0.0.1:${port}`,
    FLORIN_PUBLIC_URL: publicUrl,
    FLORIN_PAY_URL: payUrlOf(publicUrl),
    FLORIN_DEMO_ORDERS: 'false',
    FLORIN_RATE_LIMIT: 'off',
    FLORIN_LOG_LEVEL: 'error',
    FLORIN_DRAIN_SECONDS: '0',
    ...(!isAlone && { FLORIN_VAULT_ADDRESSES: vaultAddresses(sockets, server) }),
    ...(options.listens_directly && { FLORIN_LISTEN_DATABASE_URL: database.serverUrl }),
    ...options.envOf?.(role),
  };
  const place = {
    role,
    socket: 'FLORIN_VAULT_ADDRESSES' in env ? undefined : socket,
    database_url: reach(database.serverUrl),
    simulator_url: simulatorUrl,
  };
  const context = contextOf(options, env, addMember(members, role));
  return serverService(withOwnVariables(context, start), place);
}

const payUrlOf = (publicUrl: string): string => publicUrl.replace('localhost', 'pay.localhost');

async function keysIn(dataDir: string): Promise<Credentials['sandbox']> {
  const text = await readFile(join(dataDir, 'credentials.json'), 'utf8');
  return (JSON.parse(text) as Credentials).sandbox;
}
