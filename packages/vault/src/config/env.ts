import fs, { readFileSync } from 'node:fs';
import { findSecretFileFaults } from '@florin/contract/key-files.ts';
import { type VaultVerb, vaultVerbs } from '@florin/contract/protocol/vault-health.ts';
import { parseListenAddress } from '@florin/contract/tls/vault-address.ts';
import { describeUnsafeVariable } from '@florin/contract/unsafe-variables.ts';
import { type Environment, logLevels, type VariableName } from '@florin/contract/variables.ts';
import type { SocketMode } from '../http/socket.ts';
import { StartupError } from '../kernel/errors.ts';
import { type KmsProvider, kmsProviders } from '../keys/kms/kms.ts';
import type { KmsConfig } from '../keys/kms/open-kms.ts';
import type { LimitsConfig } from '../limits/limits.ts';
import type { WalletsConfig } from '../wallets/setup.ts';
import { LOG_LEVEL_DEFAULT, type VaultConfig } from './config.ts';

/**
 * Reads the configuration from the environment. Throws `StartupError` that names the missing or invalid
 * variable.
 */
export function configFromEnv(env: Environment = process.env): VaultConfig {
  const unsafeVariable = env.FLORIN_ENV === 'production' && describeUnsafeVariable(env);
  if (unsafeVariable) throw new StartupError(unsafeVariable);
  const [exposed] = env.FLORIN_ENV === 'production' ? findSecretFileFaults(fs, env) : [];
  if (exposed) throw new StartupError(`${exposed.problem} ${exposed.fix}`);
  return {
    ...readListeners(env),
    socketMode: readSocketMode(env),
    ...(env.VAULT_ADMIN_SOCKET && { adminSocketPath: env.VAULT_ADMIN_SOCKET }),
    databaseUrl: requireVariable(env, 'VAULT_DATABASE_URL'),
    ...(env.VAULT_OWNER_DATABASE_URL && { ownerDatabaseUrl: env.VAULT_OWNER_DATABASE_URL }),
    ...readDatabaseConnections(env),
    dataDir: requireVariable(env, 'VAULT_DATA'),
    requires_private_keys: env.FLORIN_ENV === 'production',
    ...(env.VAULT_NAME && { name: env.VAULT_NAME }),
    kms: readKmsConfig(env),
    egress: splitList(env.VAULT_EGRESS),
    sends_cards_to: splitList(env.VAULT_SENDS_CARDS_TO),
    // The simulated network, which production does not have, has no account.
    requires_consent: env.FLORIN_ENV === 'production',
    ...readConnectionsMax(env),
    limits: readLimits(env),
    wallets: readWalletsConfig(env),
    log_level: parseLogLevel(env.VAULT_LOG_LEVEL),
    restarts: Number(env.FLORIN_RESTARTS ?? 0),
  };
}

/**
 * Reads the owner's login and the name of the vault's, for migrations. Throws `StartupError` that names the
 * missing variable.
 */
export const ownershipFromEnv = (env: Environment = process.env) => ({
  ownerDatabaseUrl: requireVariable(env, 'VAULT_OWNER_DATABASE_URL'),
  vaultRole: env.FLORIN_VAULT_ROLE || 'florin_vault',
});

function requireVariable(env: Environment, name: VariableName): string {
  const value = env[name];
  if (!value) throw new StartupError(`${name} is not set.`);
  return value;
}

/** The vault listens at a Unix socket, with TLS, or at both. */
function readListeners(env: Environment): Pick<VaultConfig, 'socketPath' | 'tls'> {
  if (env.VAULT_SOCKET || !env.VAULT_LISTEN)
    return { socketPath: requireVariable(env, 'VAULT_SOCKET'), ...readTlsAddress(env) };
  return readTlsAddress(env);
}

const TLS_VARIABLES = [
  'VAULT_TLS_CERT_FILE',
  'VAULT_TLS_KEY_FILE',
  'VAULT_TLS_CA_FILE',
  'VAULT_TLS_CLIENT_NAMES',
] as const;

function readTlsAddress(env: Environment): Pick<VaultConfig, 'tls'> {
  if (!env.VAULT_LISTEN) {
    const unusedName = TLS_VARIABLES.find((name) => env[name]);
    if (!unusedName) return {};
    throw new StartupError(`${unusedName} is set without VAULT_LISTEN. Set both, or neither.`);
  }
  const listenAddress = parseListenAddress(env.VAULT_LISTEN);
  if (!listenAddress)
    throw new StartupError('VAULT_LISTEN must be host:port, such as 10.0.0.7:4700.');
  const fileOf = (variable: VariableName) => ({ variable, path: requireVariable(env, variable) });
  return {
    tls: {
      ...listenAddress,
      files: {
        certificate: fileOf('VAULT_TLS_CERT_FILE'),
        key: fileOf('VAULT_TLS_KEY_FILE'),
        authority: fileOf('VAULT_TLS_CA_FILE'),
      },
      client_names: splitList(requireVariable(env, 'VAULT_TLS_CLIENT_NAMES')),
    },
  };
}

function readSocketMode({ VAULT_SOCKET_MODE: mode = 'owner' }: Environment): SocketMode {
  if (mode === 'owner' || mode === 'group') return mode;
  throw new StartupError('VAULT_SOCKET_MODE must be owner or group.');
}

const isProvider = (name: string): name is KmsProvider =>
  (kmsProviders as readonly string[]).includes(name);

function readKmsConfig(env: Environment): KmsConfig {
  const provider = env.VAULT_KMS || 'file';
  if (!isProvider(provider)) {
    throw new StartupError(`VAULT_KMS must be one of ${kmsProviders.join(', ')}.`);
  }
  if (provider === 'file') return { provider };
  return {
    provider,
    client: env.VAULT_PKCS11_CLIENT || 'pkcs11js',
    module: requireVariable(env, 'VAULT_PKCS11_MODULE'),
    token: requireVariable(env, 'VAULT_PKCS11_TOKEN'),
    pin: readSecretFile(env, 'VAULT_PKCS11_PIN_FILE'),
  };
}

/** Wallets with a recipient name are enabled. An enabled wallet also needs its root certificate file. */
function readWalletsConfig(env: Environment): WalletsConfig {
  const merchant_identifier = env.VAULT_APPLE_PAY_MERCHANT;
  const recipient_id = env.VAULT_GOOGLE_PAY_RECIPIENT;
  return {
    ...(merchant_identifier && {
      apple_pay: {
        merchant_identifier,
        root: readSecretFile(env, 'VAULT_APPLE_PAY_ROOT_FILE'),
        ...readKeyConfig(env, 'VAULT_APPLE_PAY_KEY_FILE'),
      },
    }),
    ...(recipient_id && {
      google_pay: {
        recipient_id,
        ...(env.VAULT_GOOGLE_PAY_MERCHANT && { merchant_id: env.VAULT_GOOGLE_PAY_MERCHANT }),
        roots: readSecretFile(env, 'VAULT_GOOGLE_PAY_ROOTS_FILE'),
        ...readKeyConfig(env, 'VAULT_GOOGLE_PAY_KEY_FILE'),
      },
    }),
  };
}

const readKeyConfig = (env: Environment, name: VariableName) => ({
  ...(env[name] && { key: readSecretFile(env, name) }),
});

/** Reads a secret from a file. Environment variables are readable by every process of the same user. */
function readSecretFile(env: Environment, name: VariableName): string {
  try {
    return readFileSync(requireVariable(env, name), 'utf8').trim();
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(`${name} cannot be read.`, { cause });
  }
}

const splitList = (text = ''): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

const DATABASE_CONNECTIONS = { min: 2, max: 200 };

function readDatabaseConnections({ VAULT_DATABASE_CONNECTIONS: text }: Environment) {
  if (!text) return {};
  const database_connections = Number(text);
  const { min, max } = DATABASE_CONNECTIONS;
  if (/^\d+$/.test(text) && database_connections >= min && database_connections <= max)
    return { database_connections };
  throw new StartupError(
    `VAULT_DATABASE_CONNECTIONS must be a whole number from ${min} to ${max}.`,
  );
}

/** Highest number of connections that a process can be expected to hold open. */
const CONNECTIONS_LIMIT = 65_000;

function readConnectionsMax({ VAULT_CONNECTIONS_MAX: text }: Environment) {
  if (!text) return {};
  const connections_max = Number(text);
  if (/^\d+$/.test(text) && connections_max >= 1 && connections_max <= CONNECTIONS_LIMIT)
    return { connections_max };
  throw new StartupError(
    `VAULT_CONNECTIONS_MAX must be a whole number from 1 to ${CONNECTIONS_LIMIT}.`,
  );
}

function readLimits({ VAULT_LIMITS: text }: Environment): Partial<LimitsConfig> {
  const entries = splitList(text).map((item): [VaultVerb, number] => {
    const [, name, count] = /^(\w+)=(\d{1,9})$/.exec(item) ?? [];
    const verb = vaultVerbs.find((candidate) => candidate === name);
    if (verb && Number(count) > 0) return [verb, Number(count)];
    throw new StartupError(
      `VAULT_LIMITS must list calls per minute such as ingest=6000, of ${vaultVerbs.join(', ')}; "${item}" is not one.`,
    );
  });
  return Object.fromEntries(entries);
}

function parseLogLevel(level = LOG_LEVEL_DEFAULT): string {
  const logLevel = logLevels.find((name) => name === level);
  if (logLevel) return logLevel;
  throw new StartupError(`VAULT_LOG_LEVEL must be one of ${logLevels.join(', ')}.`);
}
