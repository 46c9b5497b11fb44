import { isLocalUrl, localOrigin } from '@florin/contract/origin.ts';
import type { VaultsConfig } from '@florin/contract/tls/vault-address.ts';
import {
  type FlorinEnvironment,
  type PublicPath,
  publicPaths,
  type ServerRole,
} from '@florin/contract/variables.ts';
import type { MailServer } from '../platform/emails/mailer.ts';
import type { Telemetry } from '../platform/telemetry/tracing.ts';
import type { Clock } from '../platform/time/clock.ts';

/** Limits of payments whose message to a processor is in flight. Further payments wait in the database. */
interface InFlightMax {
  readonly total: number;
  readonly merchant: number;
  /** Limit of one account, so that a processor that hangs leaves slots to others. */
  readonly account: number;
}

export interface Config {
  /** `production` has no demo merchant, demo shop, test mailbox or simulated card network. */
  readonly environment: FlorinEnvironment;
  /** Part of the server that this process runs. */
  readonly role: ServerRole;
  /** Where a worker serves its health and metrics. */
  readonly private_listen: ListenAddress;
  /** Time for which a stopping server still accepts requests while `/readyz` fails, in milliseconds. */
  readonly drain_ms: number;
  /** Port to listen on. 0 picks a free port, which `public_url` and `pay_url` then use. */
  readonly port: number;
  readonly host: string;
  /** Public address of the API, without a trailing slash. */
  readonly public_url: string;
  /** Origin of the hosted card form; always differs from the API's origin. */
  readonly pay_url: string;
  readonly database_url: string;
  /** Database of people and of instance secrets; absent: that of `database_url`. */
  readonly global_database_url?: string;
  /** Address of PostgreSQL itself for LISTEN, where `database_url` leads to PgBouncer. */
  readonly listen_database_url?: string;
  /** Login that owns the database's objects and migrates them; absent: that of `database_url`, if it owns them. */
  readonly owner_database_url?: string;
  /** Directory of `secrets.key`, and of `credentials.json`, which the first start writes. */
  readonly data_dir: string;
  /** Keys that encrypt webhook secrets, newest first; absent: the keys of `secrets.key`. */
  readonly secrets_keys?: readonly Buffer[];
  /** Mail server for emails to customers. Without one, live emails fail and sandbox emails are only stored. */
  readonly smtp?: MailServer;
  /** Retention of sent and failed emails, in days. */
  readonly email_retention_days: number;
  /** Days for which events and their deliveries are kept. */
  readonly event_retention_days: number;
  readonly vaults: VaultsConfig;
  /** Address of the simulated card network; absent in production. */
  readonly simulator_url?: string;
  /** Origin of the simulated issuer's pages; by default `acs.localhost` at the simulator's port. */
  readonly acs_url?: string;
  readonly log_level: string;
  /** Whether the log has a line per request. */
  readonly access_log: boolean;
  /** Open file that takes these lines; absent: they are in the log. */
  readonly access_log_fd?: number;
  /** Collector of traces and metrics; absent: nothing is exported. */
  readonly telemetry?: Telemetry;
  /** Times that the supervisor restarted this process. */
  readonly restarts: number;
  readonly clock?: Clock;
  /** Milliseconds of a monotonic clock, unaffected by changes of the system clock. */
  readonly monotonic_ms: () => number;
  /** Sustained requests per second of one API key, per process; null: no limit. */
  readonly rate_limit: number | null;
  /** Addresses and networks of reverse proxies whose `X-Forwarded-For` is trusted. */
  readonly trusted_proxies: readonly string[];
  /** Addresses that requests through a proxy may reach. */
  readonly public_paths: readonly PublicPath[];
  /** Factor on the waits between webhook attempts; tests shorten them. */
  readonly webhook_retry_scale: number;
  /**
   * Allowed targets of sandbox webhooks. `private`: also this host and its network. `public`: the same
   * targets as live.
   */
  readonly sandbox_webhooks: SandboxWebhooks;
  /** Lease of an attempt in flight, in milliseconds. Afterwards its outcome is unknown. */
  readonly attempt_lease_ms: number;
  readonly work_poll_ms: number;
  readonly payments_in_flight: InFlightMax;
  /** Interval at which each process reads created, moved and deleted clocks. */
  readonly timelines_poll_ms: number;
  /** Maximum time for the issuer's challenge, in milliseconds. */
  readonly challenge_limit_ms: number;
  /** Maximum time for the issuer's hidden page to fingerprint a browser, in milliseconds. */
  readonly fingerprint_limit_ms: number;
  /** Maximum time for the issuer's challenge page to load in its frame, in milliseconds. */
  readonly appear_limit_ms: number;
  readonly connections_max: number;
  /** CPU and memory cost `N` of scrypt for password hashes: a power of two. Tests lower it. */
  readonly password_cost: number;
  /** Maximum number of queued writes of one type, across merchants. */
  readonly waiting_max: number;
  /** Whether anyone may open an account; absent: only if `public_url` is on this host. */
  readonly registration?: 'open' | 'closed';
  /** Whether sign-ins follow the rules of production; absent: only in production. Tests set it. */
  readonly strict_sign_in?: boolean;
  /** Whether the demo shop is served; absent: only if `public_url` is on this host. */
  readonly demo_shop?: boolean;
  /** Whether a new demo shop starts with past orders. */
  readonly demo_orders: boolean;
}

export interface ListenAddress {
  /** IP address. */
  readonly host: string;
  readonly port: number;
}

export type SandboxWebhooks = 'private' | 'public';

/** Anyone may order in the demo shop, so a public server serves it only if the operator enables it. */
export const servesDemoShop = ({ environment, demo_shop, public_url }: Config): boolean =>
  environment === 'development' && (demo_shop ?? isLocalUrl(public_url));

/** Whether anyone may open an account. */
export const isRegistrationOpen = ({ registration, public_url }: Config): boolean =>
  registration ? registration === 'open' : isLocalUrl(public_url);

/** Rules of sign-ins. Development has lax rules, because its accounts reach no real money. */
export const signInRules = ({
  environment,
  strict_sign_in = environment === 'production',
}: Pick<Config, 'environment' | 'strict_sign_in'>) => ({ is_strict: strict_sign_in });

/** How account emails are sent: by a mail server, into the test mailbox, or not at all. */
export function mailTransportOf({
  smtp,
  environment,
  public_url,
}: Pick<Config, 'smtp' | 'environment' | 'public_url'>): 'smtp' | 'mailbox' | 'none' {
  if (smtp) return 'smtp';
  return environment === 'development' && isLocalUrl(public_url) ? 'mailbox' : 'none';
}

/** Whether the process serves API, card form and dashboard. */
export const servesRequests = ({ role }: Pick<Config, 'role'>): boolean => role !== 'worker';

/** Whether the process runs the work loops. */
export const runsWork = ({ role }: Pick<Config, 'role'>): boolean => role !== 'api';

/** Where the process listens. */
export const listenAddressOf = (config: Config): ListenAddress =>
  servesRequests(config) ? config : config.private_listen;

/** Address of this process's API from its own host. */
export const ownUrl = ({ host, port }: Config): string => localOrigin(host, port);

/**
 * Origin that receives 3-D Secure results: this process for a simulated network on this host, else
 * `public_url`.
 */
export const resultsOrigin = (config: Config): string =>
  config.simulator_url && isLocalUrl(config.simulator_url) ? ownUrl(config) : config.public_url;

/** Origin of the simulated issuer's pages, as browsers see it; undefined without a simulated network. */
export function acsOrigin({ acs_url, simulator_url }: Config): string | undefined {
  if (!simulator_url) return undefined;
  return acs_url ?? `http://acs.localhost:${new URL(simulator_url).port}`;
}

export const defaults = {
  environment: 'development',
  role: 'all',
  private_listen: { host: '127.0.0.1', port: 4_010 },
  drain_ms: 0,
  host: '127.0.0.1',
  log_level: 'info',
  access_log: true,
  restarts: 0,
  webhook_retry_scale: 1,
  sandbox_webhooks: 'private',
  attempt_lease_ms: 20_000,
  work_poll_ms: 1_000,
  payments_in_flight: { total: 1_024, merchant: 768, account: 640 },
  timelines_poll_ms: 1_000,
  challenge_limit_ms: 5 * 60_000,
  fingerprint_limit_ms: 10_000,
  appear_limit_ms: 15_000,
  connections_max: 12,
  // As OWASP recommends: about 30 ms and 32 MiB.
  password_cost: 16_384,
  waiting_max: 4_096,
  monotonic_ms: () => performance.now(),
  rate_limit: 5_000,
  email_retention_days: 400,
  event_retention_days: 400,
  trusted_proxies: [],
  public_paths: publicPaths,
  demo_orders: true,
} as const;

/** The configuration with the real port in addresses that had port 0. */
export function withPort(config: Config, port: number): Config {
  const replacePort = (url: string): string => url.replace(/:0$/, `:${port}`);
  return {
    ...config,
    port,
    public_url: replacePort(config.public_url),
    pay_url: replacePort(config.pay_url),
  };
}
