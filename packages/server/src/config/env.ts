import { type Config, defaults } from './config.ts';

const DEFAULT_PORT = 4000;

/** Reads the configuration from the environment. Throws an `Error` of one plain sentence that names the variable. */
export function configFromEnv(env: NodeJS.ProcessEnv = process.env): Config {
  const port = portOf(env);
  return {
    ...defaults,
    port,
    public_url: urlOf(env, 'FLORIN_PUBLIC_URL', `http://localhost:${port}`),
    pay_url: urlOf(env, 'FLORIN_PAY_URL', `http://pay.localhost:${port}`),
    database_url: required(env, 'DATABASE_URL'),
    data_dir: required(env, 'FLORIN_DATA'),
    vault_socket: required(env, 'VAULT_SOCKET'),
    simulator_url: required(env, 'SIMULATOR_URL'),
    log_level: env.FLORIN_LOG_LEVEL ?? defaults.log_level,
  };
}

function required(env: NodeJS.ProcessEnv, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set. Start Florin with npm start, which sets it.`);
  return value;
}

function portOf(env: NodeJS.ProcessEnv): number {
  const port = Number(env.PORT ?? DEFAULT_PORT);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error('PORT must be a whole number from 0 to 65535.');
}

function urlOf(env: NodeJS.ProcessEnv, name: string, otherwise: string): string {
  const value = env[name] ?? otherwise;
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new Error(`${name} must be an http or https address, such as ${otherwise}.`);
  }
  return value.replace(/\/+$/, '');
}
