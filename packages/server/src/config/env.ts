import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import { isLocalUrl } from '@florin/contract/origin.ts';
import type { VaultsConfig } from '@florin/contract/tls/vault-address.ts';
import { describeUnsafeVariable } from '@florin/contract/unsafe-variables.ts';
import {
  type Environment,
  environments,
  type FlorinEnvironment,
  logLevels,
  type PublicPath,
  publicPaths,
  routerRole,
  type ServerRole,
  serverRoles,
  type VariableName,
} from '@florin/contract/variables.ts';
import { CELLS_FORMAT, parseCells, type RouterConfig } from './cells.ts';
import { type Config, defaults, type ListenAddress, type SandboxWebhooks } from './config.ts';
import { isAddress, parseMailServer } from './mail.ts';
import { proxiesOf } from './proxies.ts';
import { parseSecretsKeys } from './secrets-keys.ts';
import { parseVaults } from './vaults.ts';

const DEFAULT_PORT = 4000;
const PORT_MAX = 65_535;

/** Reads the configuration from the environment. Throws an `Error` with one sentence that names the variable. */
export function configFromEnv(env: Environment = process.env): Config {
  const port = portOf(env);
  const environment = environmentOf(env);
  const unsafeVariable = environment === 'production' && describeUnsafeVariable(env);
  if (unsafeVariable) throw new Error(unsafeVariable);
  const demo_shop = switchOf(env, 'FLORIN_DEMO_SHOP');
  const acs_url = env.SIMULATOR_ACS_URL;
  const addresses = addressesOf(env, port);
  return {
    ...defaults,
    environment,
    role: roleOf(env),
    private_listen: privateListenOf(env),
    drain_ms: drainMsOf(env, environment),
    port,
    host: hostOf(env),
    ...addresses,
    sandbox_webhooks: sandboxWebhooksOf(env, addresses),
    database_url: requireValue(env, 'DATABASE_URL'),
    ...(env.FLORIN_GLOBAL_DATABASE_URL && {
      global_database_url: env.FLORIN_GLOBAL_DATABASE_URL,
    }),
    ...(env.FLORIN_LISTEN_DATABASE_URL && {
      listen_database_url: env.FLORIN_LISTEN_DATABASE_URL,
    }),
    ...(env.FLORIN_OWNER_DATABASE_URL && { owner_database_url: env.FLORIN_OWNER_DATABASE_URL }),
    connections_max: connectionsMaxOf(env),
    data_dir: requireValue(env, 'FLORIN_DATA'),
    vaults: parseVaults(env),
    ...(environment === 'development' && { simulator_url: requireValue(env, 'SIMULATOR_URL') }),
    log_level: logLevelOf(env),
    ...accessLogOf(env),
    ...telemetryOf(env),
    restarts: restartsOf(env),
    rate_limit: rateLimitOf(env),
    trusted_proxies: proxiesOf(env),
    public_paths: publicPathsOf(env, environment),
    email_retention_days: emailRetentionDaysOf(env),
    event_retention_days: eventRetentionDaysOf(env),
    demo_orders: switchOf(env, 'FLORIN_DEMO_ORDERS') ?? defaults.demo_orders,
    ...(demo_shop !== undefined && { demo_shop }),
    ...registrationOf(env),
    ...secretsKeysOf(env),
    ...mailServerOf(env),
    ...(acs_url && { acs_url: urlOf(env, 'SIMULATOR_ACS_URL', acs_url) }),
  };
}

/** Whether this process only passes requests on to cells. */
export const isRouterFromEnv = (env: Environment = process.env): boolean =>
  env.FLORIN_ROLE === routerRole;

/** Reads the configuration of a router of cells. Throws like `configFromEnv`. */
export function routerConfigFromEnv(env: Environment = process.env): RouterConfig {
  const cells = parseCells(env.FLORIN_CELLS ?? '');
  if (!cells) throw new Error(CELLS_FORMAT);
  const port = portOf(env);
  const environment = environmentOf(env);
  return {
    cells,
    environment,
    port,
    host: hostOf(env),
    ...addressesOf(env, port),
    global_database_url: globalDatabaseFromEnv(env),
    log_level: logLevelOf(env),
    ...accessLogOf(env),
    ...telemetryOf(env),
    drain_ms: drainMsOf(env, environment),
    restarts: restartsOf(env),
    rate_limit: rateLimitOf(env),
    trusted_proxies: proxiesOf(env),
    public_paths: publicPathsOf(env, environment),
    monotonic_ms: defaults.monotonic_ms,
  };
}

/** Reads only the encryption keys. Throws like `configFromEnv`. */
export const secretsFromEnv = (
  env: Environment = process.env,
): Pick<Config, 'data_dir' | 'secrets_keys'> => ({
  data_dir: requireValue(env, 'FLORIN_DATA'),
  ...secretsKeysOf(env),
});

/** Reads only the database's URL. Throws like `configFromEnv`. */
export const databaseFromEnv = (env: Environment = process.env): string =>
  requireValue(env, 'DATABASE_URL');

/** Reads only the URL of the database of people. Throws like `configFromEnv`. */
export const globalDatabaseFromEnv = (env: Environment = process.env): string =>
  env.FLORIN_GLOBAL_DATABASE_URL || databaseFromEnv(env);

/** Reads only the owner's login, and the name of the server's. Throws like `configFromEnv`. */
export const ownershipFromEnv = (
  env: Environment = process.env,
): { readonly owner_database_url: string; readonly server_role: string } => ({
  owner_database_url: requireValue(env, 'FLORIN_OWNER_DATABASE_URL'),
  server_role: env.FLORIN_SERVER_ROLE || 'florin_server',
});

/** Reads only the public address. Throws like `configFromEnv`. */
export const publicUrlFromEnv = (env: Environment = process.env): string =>
  addressesOf(env, portOf(env)).public_url;

/** Reads only the addresses of the vaults, and the certificate for them. Throws like `configFromEnv`. */
export const vaultsFromEnv = (env: Environment = process.env): VaultsConfig => parseVaults(env);

/** Reads only the public addresses. Throws like `configFromEnv`. */
export const addressesFromEnv = (env: Environment = process.env) => addressesOf(env, portOf(env));

/** Reads only the environment. Throws like `configFromEnv`. */
export const environmentFromEnv = (env: Environment = process.env): FlorinEnvironment =>
  environmentOf(env);

const restartsOf = ({ FLORIN_RESTARTS: value }: Environment): number =>
  Number(value ?? defaults.restarts);

/** Requests for the form are routed by host name, so the form needs its own host name. */
function addressesOf(env: Environment, port: number): Pick<Config, 'public_url' | 'pay_url'> {
  const public_url = urlOf(env, 'FLORIN_PUBLIC_URL', `http://localhost:${port}`);
  const pay_url = urlOf(env, 'FLORIN_PAY_URL', `http://pay.localhost:${port}`);
  if (new URL(pay_url).hostname !== new URL(public_url).hostname) return { public_url, pay_url };
  throw new Error('FLORIN_PAY_URL must have another host name than FLORIN_PUBLIC_URL.');
}

function environmentOf({ FLORIN_ENV: value }: Environment): FlorinEnvironment {
  const environment = environments.find((name) => name === (value || defaults.environment));
  if (environment) return environment;
  throw new Error(`FLORIN_ENV must be one of ${environments.join(', ')}.`);
}

function switchOf(env: Environment, name: VariableName): boolean | undefined {
  const value = env[name];
  if (!value) return undefined;
  if (value === 'true' || value === 'false') return value === 'true';
  throw new Error(`${name} must be true or false.`);
}

/** Webhook subscribers can read responses, so a shared server must not send to its private network. */
function sandboxWebhooksOf(
  { FLORIN_SANDBOX_WEBHOOKS: value }: Environment,
  { public_url }: Pick<Config, 'public_url'>,
): SandboxWebhooks {
  if (!value) return isLocalUrl(public_url) ? 'private' : 'public';
  if (value === 'private' || value === 'public') return value;
  throw new Error('FLORIN_SANDBOX_WEBHOOKS must be private or public.');
}

function registrationOf({ FLORIN_REGISTRATION: value }: Environment): Pick<Config, 'registration'> {
  if (!value) return {};
  if (value === 'open' || value === 'closed') return { registration: value };
  throw new Error('FLORIN_REGISTRATION must be open or closed.');
}

function secretsKeysOf({ FLORIN_SECRETS_KEY: value }: Environment): Pick<Config, 'secrets_keys'> {
  if (!value) return {};
  const secrets_keys = parseSecretsKeys(value);
  if (secrets_keys) return { secrets_keys };
  throw new Error(
    'FLORIN_SECRETS_KEY must be base64 keys of 32 bytes, separated by commas. Create one with: openssl rand -base64 32',
  );
}

/** Error messages omit the address: the URL contains a password. */
function mailServerOf({
  FLORIN_SMTP_URL: url,
  FLORIN_MAIL_FROM: from,
}: Environment): Pick<Config, 'smtp'> {
  if (!url && !from) return {};
  if (!url || !from) throw new Error('FLORIN_SMTP_URL and FLORIN_MAIL_FROM must be set together.');
  const server = parseMailServer(url);
  if (!server) {
    throw new Error(
      'FLORIN_SMTP_URL must be an smtp or smtps address, such as smtps://user:password@mail.example.com.',
    );
  }
  if (!isAddress(from)) {
    throw new Error('FLORIN_MAIL_FROM must be an email address, such as receipts@example.com.');
  }
  return { smtp: { ...server, from } };
}

function requireValue(env: Environment, name: VariableName): string {
  const value = env[name];
  if (!value) throw new Error(`${name} is not set. Start Florin with npm start, which sets it.`);
  return value;
}

function portOf(env: Environment): number {
  const port = Number(env.PORT ?? DEFAULT_PORT);
  if (Number.isInteger(port) && port >= 0 && port <= PORT_MAX) return port;
  throw new Error(`PORT must be a whole number from 0 to ${PORT_MAX}.`);
}

function hostOf({ FLORIN_HOST: value }: Environment): string {
  if (!value) return defaults.host;
  if (isIP(value)) return value;
  throw new Error('FLORIN_HOST must be an IP address of this host, such as 127.0.0.1 or 0.0.0.0.');
}

const TELEMETRY_DEFAULTS = { metric_interval_ms: 60_000, span_interval_ms: 5_000 };

/** The variables and their formats are those of OpenTelemetry's specification. */
function telemetryOf(env: Environment): Pick<Config, 'telemetry'> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return {};
  const pairs = (env.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').filter(Boolean);
  const headers = pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2).map(decodeURIComponent));
  const { metric_interval_ms } = TELEMETRY_DEFAULTS;
  const sampled_share = Number(env.OTEL_TRACES_SAMPLER_ARG || 1);
  if (!(sampled_share >= 0 && sampled_share <= 1))
    throw new Error('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  const interval = Number(env.OTEL_METRIC_EXPORT_INTERVAL || metric_interval_ms);
  if (!(interval >= 1_000))
    throw new Error('OTEL_METRIC_EXPORT_INTERVAL must be at least 1000: milliseconds.');
  return {
    telemetry: {
      ...TELEMETRY_DEFAULTS,
      endpoint: urlOf(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318'),
      headers: Object.fromEntries(headers),
      sampled_share,
      metric_interval_ms: interval,
    },
  };
}

function accessLogOf({
  FLORIN_ACCESS_LOG: value = '',
  FLORIN_ACCESS_LOG_FD: fd,
}: Environment): Pick<Config, 'access_log' | 'access_log_fd'> {
  if (!['', 'on', 'off', 'separate'].includes(value))
    throw new Error('FLORIN_ACCESS_LOG must be on, off or separate.');
  const access_log = value === '' ? defaults.access_log : value !== 'off';
  return { access_log, ...(value === 'separate' && fd && { access_log_fd: Number(fd) }) };
}

function roleOf({ FLORIN_ROLE: value }: Environment): ServerRole {
  const role = serverRoles.find((name) => name === (value || defaults.role));
  if (role) return role;
  throw new Error(`FLORIN_ROLE must be one of ${[...serverRoles, routerRole].join(', ')}.`);
}

function privateListenOf({ FLORIN_PRIVATE_LISTEN: value }: Environment): ListenAddress {
  if (!value) return defaults.private_listen;
  const [, address = '', digits] = /^(.*):(\d{1,5})$/.exec(value) ?? [];
  const host = address.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) && Number(digits) <= PORT_MAX) return { host, port: Number(digits) };
  throw new Error(
    'FLORIN_PRIVATE_LISTEN must be an IP address of this host and a port, such as 127.0.0.1:4010.',
  );
}

/** A work loop, a request and a transaction need connections at the same time. */
const CONNECTIONS = { min: 4, max: 200 };

function connectionsMaxOf({ FLORIN_DATABASE_CONNECTIONS: value }: Environment): number {
  if (!value) return defaults.connections_max;
  const count = Number(value);
  const { min, max } = CONNECTIONS;
  if (Number.isInteger(count) && count >= min && count <= max) return count;
  throw new Error(
    `FLORIN_DATABASE_CONNECTIONS must be a whole number from ${min} to ${max}: connections per process.`,
  );
}

const DRAIN_SECONDS_MAX = 300;
/** Load balancers usually notice within a few checks of a second each. */
const PRODUCTION_DRAIN_MS = 5_000;

function drainMsOf(
  { FLORIN_DRAIN_SECONDS: value }: Environment,
  environment: FlorinEnvironment,
): number {
  if (!value) return environment === 'production' ? PRODUCTION_DRAIN_MS : defaults.drain_ms;
  if (/^\d+$/.test(value) && Number(value) <= DRAIN_SECONDS_MAX) return Number(value) * 1_000;
  throw new Error(
    `FLORIN_DRAIN_SECONDS must be a whole number of seconds from 0 to ${DRAIN_SECONDS_MAX}.`,
  );
}

function logLevelOf({ FLORIN_LOG_LEVEL: value }: Environment): string {
  const level = logLevels.find((name) => name === (value || defaults.log_level));
  if (level) return level;
  throw new Error(`FLORIN_LOG_LEVEL must be one of ${logLevels.join(', ')}.`);
}

const RATE_LIMIT_MAX = 1_000_000;

function rateLimitOf({ FLORIN_RATE_LIMIT: value }: Environment): number | null {
  if (!value) return defaults.rate_limit;
  if (value === 'off') return null;
  const limit = Number(value);
  if (Number.isInteger(limit) && limit >= 1 && limit <= RATE_LIMIT_MAX) return limit;
  throw new Error(
    `FLORIN_RATE_LIMIT must be off or a whole number from 1 to ${RATE_LIMIT_MAX}: requests per second and key.`,
  );
}

/** Days. The minimum covers every check for an earlier email. */
const RETENTION_DAYS = { min: 90, max: 3_650 };

/** `FLORIN_LETTERS_DAYS` is the deprecated name. */
function emailRetentionDaysOf(env: Environment): number {
  const { FLORIN_EMAIL_RETENTION_DAYS: value, FLORIN_LETTERS_DAYS: oldValue } = env;
  if (value && oldValue && value !== oldValue) {
    throw new Error(
      'FLORIN_EMAIL_RETENTION_DAYS and FLORIN_LETTERS_DAYS differ. Remove FLORIN_LETTERS_DAYS, which is the old name.',
    );
  }
  return daysOf('FLORIN_EMAIL_RETENTION_DAYS', value || oldValue, defaults.email_retention_days);
}

/** The minimum covers the backlog of a paused subscription, and the attempts that are kept after it. */
const eventRetentionDaysOf = ({ FLORIN_EVENT_RETENTION_DAYS: value }: Environment): number =>
  daysOf('FLORIN_EVENT_RETENTION_DAYS', value, defaults.event_retention_days);

function daysOf(name: VariableName, text: string | undefined, fallback: number): number {
  if (!text) return fallback;
  const days = Number(text);
  const { min, max } = RETENTION_DAYS;
  if (Number.isInteger(days) && days >= min && days <= max) return days;
  throw new Error(`${name} must be a whole number of days from ${min} to ${max}; it is "${text}".`);
}

function publicPathsOf(
  { FLORIN_PUBLIC_PATHS: value }: Environment,
  environment: FlorinEnvironment,
): readonly PublicPath[] {
  if (!value) return environment === 'production' ? [] : defaults.public_paths;
  if (value === 'none') return [];
  const names = value.split(',').map((name) => name.trim());
  const paths = publicPaths.filter((path) => names.includes(path));
  if (paths.length === new Set(names).size) return paths;
  throw new Error(
    `FLORIN_PUBLIC_PATHS must be none, or names of ${publicPaths.join(', ')}, separated by commas.`,
  );
}

function urlOf(env: Environment, name: VariableName, fallbackUrl: string): string {
  const value = env[name] ?? fallbackUrl;
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new Error(`${name} must be an http or https address, such as ${fallbackUrl}.`);
  }
  return value.replace(/\/+$/, '');
}

/** The operating system's user who runs a command; with `sudo`, also the user who called it. */
export function commandUserFromEnv(): string {
  const { SUDO_USER } = process.env;
  return SUDO_USER ? `${SUDO_USER} as ${ownUser()}` : ownUser();
}

/** A container may have no entry for its user. */
function ownUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
