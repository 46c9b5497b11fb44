import { StartupError } from '../kernel/errors.ts';
import { LOG_LEVEL_DEFAULT, type VaultConfig } from './config.ts';

/** Reads the configuration from the environment. Throws `StartupError` naming the variable that is missing or wrong. */
export function configFromEnv(env: NodeJS.ProcessEnv = process.env): VaultConfig {
  return {
    socketPath: required(env, 'VAULT_SOCKET'),
    databaseUrl: required(env, 'VAULT_DATABASE_URL'),
    dataDir: required(env, 'VAULT_DATA'),
    egress: list(env.VAULT_EGRESS),
    log_level: logLevel(env.VAULT_LOG_LEVEL),
  };
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (!value) throw new StartupError(`${name} is not set.`);
  return value;
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
