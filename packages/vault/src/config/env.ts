import { readFileSync } from 'node:fs';
import { StartupError } from '../kernel/errors.ts';
import { type KmsProvider, kmsProviders } from '../keys/kms/kms.ts';
import type { KmsConfig } from '../keys/kms/open-kms.ts';
import type { WalletsConfig } from '../wallets/setup.ts';
import { LOG_LEVEL_DEFAULT, type VaultConfig } from './config.ts';

/**
 * Reads the configuration from the environment. Throws `StartupError` that names the missing or invalid
 * variable.
 */
export function configFromEnv(env: NodeJS.ProcessEnv = process.env): VaultConfig {
  return {
    socketPath: required(env, 'VAULT_SOCKET'),
    ...(env.VAULT_ADMIN_SOCKET && { adminSocketPath: env.VAULT_ADMIN_SOCKET }),
    databaseUrl: required(env, 'VAULT_DATABASE_URL'),
    dataDir: required(env, 'VAULT_DATA'),
    ...(env.VAULT_NAME && { name: env.VAULT_NAME }),
    kms: kmsConfig(env),
    egress: list(env.VAULT_EGRESS),
    wallets: walletsConfig(env),
    log_level: logLevel(env.VAULT_LOG_LEVEL),
  };
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (!value) throw new StartupError(`${name} is not set.`);
  return value;
}

const isProvider = (name: string): name is KmsProvider =>
  (kmsProviders as readonly string[]).includes(name);

function kmsConfig(env: NodeJS.ProcessEnv): KmsConfig {
  const provider = env.VAULT_KMS || 'file';
  if (!isProvider(provider)) {
    throw new StartupError(`VAULT_KMS must be one of ${kmsProviders.join(', ')}.`);
  }
  if (provider === 'file') return { provider };
  return {
    provider,
    client: env.VAULT_PKCS11_CLIENT || 'pkcs11js',
    module: required(env, 'VAULT_PKCS11_MODULE'),
    token: required(env, 'VAULT_PKCS11_TOKEN'),
    pin: contentOf(env, 'VAULT_PKCS11_PIN_FILE'),
  };
}

/** Wallets with a recipient name are enabled. An enabled wallet also needs its root certificate file. */
function walletsConfig(env: NodeJS.ProcessEnv): WalletsConfig {
  const merchant_identifier = env.VAULT_APPLE_PAY_MERCHANT;
  const recipient_id = env.VAULT_GOOGLE_PAY_RECIPIENT;
  return {
    ...(merchant_identifier && {
      apple_pay: {
        merchant_identifier,
        root: contentOf(env, 'VAULT_APPLE_PAY_ROOT_FILE'),
        ...keyConfig(env, 'VAULT_APPLE_PAY_KEY_FILE'),
      },
    }),
    ...(recipient_id && {
      google_pay: {
        recipient_id,
        ...(env.VAULT_GOOGLE_PAY_MERCHANT && { merchant_id: env.VAULT_GOOGLE_PAY_MERCHANT }),
        roots: contentOf(env, 'VAULT_GOOGLE_PAY_ROOTS_FILE'),
        ...keyConfig(env, 'VAULT_GOOGLE_PAY_KEY_FILE'),
      },
    }),
  };
}

const keyConfig = (env: NodeJS.ProcessEnv, name: string) => ({
  ...(env[name] && { key: contentOf(env, name) }),
});

/** Reads a secret from a file. Environment variables are readable by every process of the same user. */
function contentOf(env: NodeJS.ProcessEnv, name: string): string {
  try {
    return readFileSync(required(env, name), 'utf8').trim();
  } catch (cause) {
    if (cause instanceof StartupError) throw cause;
    throw new StartupError(`${name} cannot be read.`, { cause });
  }
}

const list = (text = ''): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

function logLevel(level = LOG_LEVEL_DEFAULT): string {
  if (LOG_LEVELS.includes(level)) return level;
  throw new StartupError(`VAULT_LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
}
