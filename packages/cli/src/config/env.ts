import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { findNearest } from '@florin/contract/nearest.ts';
import { localOrigin } from '@florin/contract/origin.ts';
import { secretFileOf, secretVariables } from '@florin/contract/secret-variables.ts';
import {
  type Environment,
  environments,
  type FlorinEnvironment,
  logOutputs,
  variables,
} from '@florin/contract/variables.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { LOG_FILES_DEFAULT } from '../supervisor/log-file.ts';

/** Variables that a child process gets. */
export type ChildEnvironment = Readonly<Record<string, string>>;

export interface StartSettings {
  readonly dataDir: string;
  /** URL of an external database. Undefined: Florin starts its embedded PostgreSQL. */
  readonly databaseUrl?: string;
  readonly vaultDatabaseUrl?: string;
  /** Socket of a vault that another supervisor runs; undefined: the socket in the data directory. */
  readonly vaultSocket?: string;
  /** Vaults that replace this socket, also on other hosts. */
  readonly vaultAddresses?: string;
  readonly environment: FlorinEnvironment;
  /** Full log files that are kept per process. */
  readonly logFiles: number;
  /** Whether processes log to standard output, and write no files. */
  readonly logsToStdout: boolean;
  /** Ports of an api or router, and of a worker, which name their processes. */
  readonly ports: Readonly<Record<'api' | 'worker', string>>;
  /** For `florin migrate`: logins that own the tables, and names of the users that get rights. */
  readonly owner: {
    readonly urls: Readonly<Record<'server' | 'vault', string | undefined>>;
    readonly roles: ChildEnvironment;
  };
  /** Address of a card network shared by several Florins; undefined: Florin starts its own. */
  readonly simulatorUrl?: string;
  /**
   * Environment of each child. The server gets everything except the vault's variables; the others get only their
   * own.
   */
  readonly inherited: Readonly<Record<'server' | 'vault' | 'simulator', ChildEnvironment>>;
  /** Sentences about variables that Florin does not read, probably because they are misspelt. */
  readonly warnings: readonly string[];
}

/** Settings with which `florin listen` and `florin trigger` reach a Florin. */
export interface AccessSettings {
  readonly dataDir: string;
  readonly secretKey?: string;
  readonly publicUrl?: string;
}

/** Node options could open a debugger in the vault or make it write a heap dump. */
const isVaultVariable = (name: string): boolean =>
  name !== 'NODE_OPTIONS' &&
  (COMMON.test(name) || name === 'FLORIN_ENV' || name.startsWith('VAULT_'));

const PORT_MAX = 65_535;
const LOG_FILES_MAX = 1_000;
/** Variables without secrets that every process may need. */
const COMMON = /^(PATH|HOME|USER|TZ|LANG|LC_.*|TMPDIR|NODE_.*|SSL_CERT_.*)$/;

/** Reads the environment. Throws `PlainFailure` with the variable's name if a value is invalid. */
export function readStartSettings(root: string, env: Environment = process.env): StartSettings {
  checkPort(env.PORT);
  return {
    dataDir: dataDirectory(root, env),
    ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }),
    ...(env.VAULT_DATABASE_URL && { vaultDatabaseUrl: env.VAULT_DATABASE_URL }),
    ...(env.VAULT_SOCKET && { vaultSocket: env.VAULT_SOCKET }),
    ...(env.FLORIN_VAULT_ADDRESSES && { vaultAddresses: env.FLORIN_VAULT_ADDRESSES }),
    environment: environmentOf(env),
    logFiles: logFilesOf(env),
    logsToStdout: logsToStdout(env),
    ports: {
      api: env.PORT || '4000',
      worker: /:(\d+)$/.exec(env.FLORIN_PRIVATE_LISTEN ?? '')?.[1] ?? '4010',
    },
    owner: readOwner(env),
    ...(env.FLORIN_SIMULATOR_URL && { simulatorUrl: originOf(env.FLORIN_SIMULATOR_URL) }),
    inherited: {
      server: pick(env, (name) => !name.startsWith('VAULT_')),
      vault: pick(env, (name) => isVaultVariable(name)),
      simulator: pick(env, (name) => COMMON.test(name) || name.startsWith('SIMULATOR_')),
    },
    warnings: Object.keys(env).filter(isUnknown).map(warnOf),
  };
}

const readOwner = (env: Environment): StartSettings['owner'] => ({
  urls: {
    server: env.FLORIN_OWNER_DATABASE_URL,
    vault: env.VAULT_OWNER_DATABASE_URL || env.FLORIN_OWNER_DATABASE_URL,
  },
  roles: pick(env, (name) => name === 'FLORIN_SERVER_ROLE' || name === 'FLORIN_VAULT_ROLE'),
});

const OWN_PREFIX = /^(FLORIN|VAULT|SIMULATOR)_/;

const isUnknown = (name: string): boolean =>
  OWN_PREFIX.test(name) && !Object.hasOwn(variables, name);

function warnOf(name: string): string {
  const [nearest] = findNearest(name, Object.keys(variables), 1);
  return `Warning: Florin does not read the variable ${name}.${nearest ? ` Did you mean ${nearest}?` : ''}`;
}

/**
 * Replaces each `NAME_FILE` of a secret by `NAME` with the content of that file, for this process and its children.
 * Throws `PlainFailure` for a file that cannot be read, or if both are set.
 */
export function loadSecretFiles(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of secretVariables) {
    const variable = secretFileOf(name);
    const file = env[variable];
    delete env[variable];
    if (!file) continue;
    if (env[name]) throw new PlainFailure(`${name} and ${variable} are set. Remove one of them.`);
    env[name] = readSecret(variable, file);
  }
}

function readSecret(variable: string, file: string): string {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text) return text;
  } catch (cause) {
    throw new PlainFailure(
      `${variable} names ${file}, which cannot be read (${(cause as { code?: string }).code}).`,
      { cause },
    );
  }
  throw new PlainFailure(`${variable} names ${file}, which is empty.`);
}

/** All variables of this process, for the check of an installation. */
export const wholeEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => env;

/** Reads the variables for access to the interface. */
export const readAccessSettings = (
  root: string,
  env: Environment = process.env,
): AccessSettings => ({
  dataDir: dataDirectory(root, env),
  ...(env.FLORIN_SECRET_KEY && { secretKey: env.FLORIN_SECRET_KEY }),
  ...(env.FLORIN_PUBLIC_URL && { publicUrl: env.FLORIN_PUBLIC_URL }),
});

/** Where `florin health` asks. A worker has an address of its own. */
export interface HealthSettings {
  readonly server: string;
  readonly worker: string;
  readonly vaultSocket: string;
}

/** Reads where `florin health` asks. The defaults are those of the processes. */
export function readHealthSettings(env: Environment = process.env): HealthSettings {
  return {
    server: localOrigin(env.FLORIN_HOST || '127.0.0.1', Number(env.PORT || 4000)),
    worker: workerOrigin(env.FLORIN_PRIVATE_LISTEN || '127.0.0.1:4010'),
    vaultSocket: env.VAULT_SOCKET || '',
  };
}

function workerOrigin(listen: string): string {
  const [, host, port] = /^\[?(.+?)\]?:(\d{1,5})$/.exec(listen) ?? [];
  if (host && Number(port) <= PORT_MAX) return localOrigin(host, Number(port));
  throw new PlainFailure(
    `FLORIN_PRIVATE_LISTEN must be an address and a port, such as 127.0.0.1:4010; it is "${listen}".`,
  );
}

const dataDirectory = (root: string, env: Environment): string =>
  expandHome(env.FLORIN_DATA || resolve(root, '.florin'));

function environmentOf({ FLORIN_ENV: value }: Environment): FlorinEnvironment {
  const environment = environments.find((name) => name === (value || 'development'));
  if (environment) return environment;
  throw new PlainFailure(`FLORIN_ENV must be one of ${environments.join(', ')}; it is "${value}".`);
}

function logFilesOf({ FLORIN_LOG_FILES: text }: Environment): number {
  const files = Number(text || LOG_FILES_DEFAULT);
  if (Number.isInteger(files) && files >= 1 && files <= LOG_FILES_MAX) return files;
  throw new PlainFailure(
    `FLORIN_LOG_FILES must be a whole number from 1 to ${LOG_FILES_MAX}; it is "${text}".`,
  );
}

function logsToStdout({ FLORIN_LOG_OUTPUT: value }: Environment): boolean {
  const output = logOutputs.find((name) => name === (value || 'files'));
  if (output) return output === 'stdout';
  throw new PlainFailure(
    `FLORIN_LOG_OUTPUT must be one of ${logOutputs.join(', ')}; it is "${value}".`,
  );
}

function checkPort(text: string | undefined): void {
  const port = Number(text || 0);
  if (Number.isInteger(port) && port >= 0 && port <= PORT_MAX) return;
  throw new PlainFailure(`PORT must be a whole number from 0 to ${PORT_MAX}; it is "${text}".`);
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new PlainFailure(
    `FLORIN_SIMULATOR_URL must be an origin such as http://10.0.0.5:4100; it is "${text}".`,
  );
}

/** Users of containers may have no home directory, so it is looked up only if the path needs it. */
const expandHome = (path: string): string => resolve(path.replace(/^~(?=\/|$)/, () => homedir()));

function pick(env: Environment, isWanted: (name: string) => boolean): ChildEnvironment {
  const entries = Object.entries(env).filter(([name, value]) => isWanted(name) && value);
  return Object.fromEntries(entries) as Record<string, string>;
}
