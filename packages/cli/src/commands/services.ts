import { dirname, join } from 'node:path';
import type { StartSettings } from '../config/env.ts';
import { makeSocketDirectory } from '../kernel/socket-directory.ts';
import { ACCESS_LOG_FD, STOP_LIMIT_MS, startChild } from '../supervisor/child.ts';
import type { ReadyMessage } from '../supervisor/child-message.ts';
import { openLogFile, openStandardOutput } from '../supervisor/log-file.ts';
import type { Service } from '../supervisor/slot.ts';

interface ProgramTraits {
  readonly title: string;
  readonly log: string;
  /** Whether the process has card numbers or keys in memory. */
  readonly guarded?: boolean;
  readonly stop_limit_ms?: number | undefined;
}

const PROGRAMS = {
  simulator: { title: 'The simulated card network', log: 'simulator.log' },
  vault: { title: 'The vault', log: 'vault.log', guarded: true },
  server: { title: 'The server', log: 'server.log' },
} satisfies Record<string, ProgramTraits>;
type Program = keyof typeof PROGRAMS;

export interface ServiceContext {
  readonly settings: StartSettings;
  /** The `packages` directory. */
  readonly packages: string;
  readonly onSpawn: (pid: number) => void;
}

/** Name of the embedded PostgreSQL's database. */
export const DATABASE = 'florin';

export const logDirectory = (dataDir: string): string => join(dataDir, 'logs');

const SOCKET_NAME = 'vault.sock';
/** Has the length of `SOCKET_NAME`, so that both paths are below the same limit. */
const ADMIN_SOCKET_NAME = 'admin.sock';

/** The vault's socket, in a directory that only the current user may enter. */
export function vaultSocket(dataDir: string): string {
  return join(makeSocketDirectory(join(dataDir, 'run'), SOCKET_NAME), SOCKET_NAME);
}

/** The vault's socket for operator commands. The server does not get its path. */
export const vaultAdminSocket = (dataDir: string): string =>
  join(dirname(vaultSocket(dataDir)), ADMIN_SOCKET_NAME);

/** A restarted simulator keeps its port, because the vault and the server already use its address. */
export function simulatorService(context: ServiceContext): Service {
  const SIMULATOR_DATA = join(context.settings.dataDir, 'simulator');
  return programService('simulator', context, (previousReady) => {
    const port = previousReady?.url ? new URL(previousReady.url).port : undefined;
    return { SIMULATOR_DATA, ...(port && { SIMULATOR_PORT: port }) };
  });
}

/** Where a vault listens, and what it may reach. */
export interface VaultPlace {
  /** Absent for a vault that listens with TLS only. */
  readonly socket?: string | undefined;
  /** Whether the group of the socket's directory may connect too. */
  readonly is_shared?: boolean;
  readonly database_url: string;
  /** Login for migrations; production has none here. */
  readonly owner_database_url?: string | undefined;
  readonly egress: string;
}

export function vaultService(context: ServiceContext, place: VaultPlace): Service {
  const env = {
    ...(place.socket && { VAULT_SOCKET: place.socket }),
    VAULT_SOCKET_MODE: place.is_shared ? 'group' : 'owner',
    VAULT_ADMIN_SOCKET: vaultAdminSocket(context.settings.dataDir),
    VAULT_DATABASE_URL: place.database_url,
    ...(place.owner_database_url && { VAULT_OWNER_DATABASE_URL: place.owner_database_url }),
    VAULT_DATA: join(context.settings.dataDir, 'vault'),
    VAULT_EGRESS: place.egress,
  };
  return programService('vault', context, () => env);
}

/** Egress list of the vault: the simulated network with its stand-ins, and additions from the environment. */
export const egressOf = (networkUrls: readonly string[], extraOrigins?: string): string =>
  [...networkUrls.map((url) => new URL(url).origin), extraOrigins].filter(Boolean).join(',');

/** Addresses that a server reaches. Production has no simulated card network. */
export interface ServerPlace {
  /** Half of the server, or router, to run; absent or `server`: both halves. */
  readonly role?: ServingRole;
  /** Absent for a server with FLORIN_VAULT_ADDRESSES. */
  readonly socket?: string | undefined;
  readonly database_url: string;
  /** Login for migrations; production has none here. */
  readonly owner_database_url?: string | undefined;
  readonly simulator_url?: string;
}

export function serverService(
  context: ServiceContext,
  { role = 'server', socket, database_url, owner_database_url, simulator_url }: ServerPlace,
): Service {
  const env = {
    FLORIN_ROLE: role === 'server' ? 'all' : role,
    DATABASE_URL: database_url,
    ...(owner_database_url && { FLORIN_OWNER_DATABASE_URL: owner_database_url }),
    FLORIN_DATA: context.settings.dataDir,
    ...(socket && { VAULT_SOCKET: socket }),
    ...(simulator_url && { SIMULATOR_URL: simulator_url }),
  };
  const { title, log } =
    role === 'server' ? PROGRAMS.server : numberedTraits(role, context.settings);
  return programService('server', context, () => env, {
    title,
    log,
    stop_limit_ms: STOP_LIMIT_MS + drainMs(context),
  });
}

/** A process of which a machine may have several. */
type NumberedRole = 'api' | 'worker' | 'router';
type ServingRole = 'server' | NumberedRole;

const TITLES: Readonly<Record<NumberedRole, string>> = {
  api: 'The API',
  worker: 'The worker',
  router: 'The router',
};

const numberedTraits = (role: NumberedRole, settings: StartSettings): ProgramTraits => ({
  title: TITLES[role],
  log: `${processName(role, settings)}.log`,
});

/** Name of one of several processes of a machine. Their ports differ, because only one can open a port. */
export const processName = (role: NumberedRole, { ports }: Pick<StartSettings, 'ports'>): string =>
  `${role}-${role === 'worker' ? ports.worker : ports.api}`;

/** The server itself refuses other values. */
const drainMs = ({ settings }: ServiceContext): number =>
  Number(settings.inherited.server.FLORIN_DRAIN_SECONDS || DRAIN_SECONDS) * 1_000 || 0;
/** Default of a server in production. */
const DRAIN_SECONDS = 5;

function programService(
  name: Program,
  { settings, packages, onSpawn }: ServiceContext,
  envOf: (previousReady?: ReadyMessage) => Record<string, string>,
  traits: ProgramTraits = PROGRAMS[name],
): Service {
  const { title, log: file, guarded = false, stop_limit_ms } = traits;
  const { log, access_log } = openLogs(name, file, settings);
  const script = join(packages, name, 'src', 'main.ts');
  let starts = 0;
  const start = (previousReady?: ReadyMessage) => {
    const restarts = { FLORIN_RESTARTS: String(starts++) };
    const env = {
      ...settings.inherited[name],
      ...envOf(previousReady),
      ...restarts,
      ...(access_log && { FLORIN_ACCESS_LOG_FD: String(ACCESS_LOG_FD) }),
    };
    return startChild({ title, script, env, log, access_log, onSpawn, guarded, stop_limit_ms });
  };
  return { title, start };
}

/** Logs of a child. A separate access log has files of its own, or standard output: all else then goes to the error output. */
function openLogs(name: Program, file: string, settings: StartSettings) {
  const isSeparate =
    name === 'server' && settings.inherited.server.FLORIN_ACCESS_LOG === 'separate';
  if (settings.logsToStdout)
    return isSeparate
      ? { log: openStandardOutput(process.stderr), access_log: openStandardOutput() }
      : { log: openStandardOutput() };
  const openIn = (log: string) =>
    openLogFile(join(logDirectory(settings.dataDir), log), settings.logFiles);
  return {
    log: openIn(file),
    ...(isSeparate && { access_log: openIn(file.replace(/\.log$/, '-access.log')) }),
  };
}
