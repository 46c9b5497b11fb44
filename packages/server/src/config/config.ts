import type { MailServer } from '../platform/emails/mailer.ts';
import type { Clock } from '../platform/time/clock.ts';

export interface Config {
  /** 0 picks a free port; the two addresses below then follow it. */
  readonly port: number;
  readonly host: string;
  /** Address of the HTTP interface for its users, without a trailing slash. */
  readonly public_url: string;
  /** Origin of the hosted form; never the origin of the interface. */
  readonly pay_url: string;
  readonly database_url: string;
  /** Directory of `secrets.key`, and of `credentials.json`, which the first start writes. */
  readonly data_dir: string;
  /** Keys that seal webhook secrets, newest first; absent: those of `secrets.key`. */
  readonly secrets_keys?: readonly Buffer[];
  /**
   * Mail server for customers; without one, live emails fail, and sandbox emails are only stored.
   */
  readonly smtp?: MailServer;
  /** Retention of finished emails, in days. */
  readonly email_retention_days: number;
  readonly vault_socket: string;
  readonly simulator_url: string;
  /** Origin of the simulated issuer's pages; by default `acs.localhost` at the simulator's port. */
  readonly acs_url?: string;
  readonly log_level: string;
  readonly clock?: Clock;
  /** Milliseconds of a monotonic clock, unaffected by changes of the system clock. */
  readonly monotonic_ms: () => number;
  /** Sustained requests a second of one key, per process; null without a limit. */
  readonly rate_limit: number | null;
  /**
   * Addresses and networks of the proxies before this server, whose `X-Forwarded-For` is trusted.
   */
  readonly trusted_proxies: readonly string[];
  /** Factor on the waits between webhook attempts; tests shorten them. */
  readonly webhook_retry_scale: number;
  /**
   * Allowed targets of sandbox webhooks: `private` includes this host and its network, `public`
   * equals live.
   */
  readonly sandbox_webhooks: SandboxWebhooks;
  /** Lease of an attempt in flight; afterwards its response counts as lost. */
  readonly attempt_lease_ms: number;
  readonly work_poll_ms: number;
  /** Interval at which each process learns of clocks that were created, moved or removed. */
  readonly timelines_poll_ms: number;
  /** Time that a cardholder has for the issuer's challenge. */
  readonly challenge_limit_ms: number;
  /** Time that the issuer's hidden page has to fingerprint a browser. */
  readonly fingerprint_limit_ms: number;
  /** Time that the issuer's challenge page has to appear in its frame. */
  readonly appear_limit_ms: number;
  readonly connections_max: number;
  /** Queue length of writes of one type, across merchants. */
  readonly waiting_max: number;
  /** Whether anyone may open an account; absent: only on the host's own address. */
  readonly registration?: 'open' | 'closed';
  /** Whether the demo shop is served; absent: only on the host's own address. */
  readonly demo_shop?: boolean;
  /** Whether a new demo shop starts with past orders. */
  readonly demo_orders: boolean;
}

export type SandboxWebhooks = 'private' | 'public';

const ownHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Anyone may order in the demo shop, so a public server has it only if its operator enables it. */
export const hasDemoShop = ({ demo_shop, public_url }: Config): boolean =>
  demo_shop ?? isOwnUrl(public_url);

/** Whether anyone may open an account. */
export const isRegistrationOpen = ({ registration, public_url }: Config): boolean =>
  registration ? registration === 'open' : isOwnUrl(public_url);

/** Whether an address is the local host's own, so that nobody else can reach it. */
export const isOwnUrl = (url: string): boolean => ownHosts.has(new URL(url).hostname);

/** How account emails are sent: by a mail server, into the test mailbox, or not at all. */
export function mailTransportOf({
  smtp,
  public_url,
}: Pick<Config, 'smtp' | 'public_url'>): 'smtp' | 'mailbox' | 'none' {
  if (smtp) return 'smtp';
  return isOwnUrl(public_url) ? 'mailbox' : 'none';
}

/** Address of this process's interface from its own host. */
export const ownUrl = ({ host, port }: Config): string => `http://${host}:${port}`;

/**
 * Where the simulated network sends results: this process, or the public address if it runs
 * elsewhere.
 */
export const resultsOrigin = (config: Config): string =>
  isOwnUrl(config.simulator_url) ? ownUrl(config) : config.public_url;

/** Origin of the simulated issuer's pages, as browsers see it. */
export const acsOrigin = ({ acs_url, simulator_url }: Config): string =>
  acs_url ?? `http://acs.localhost:${new URL(simulator_url).port}`;

export const defaults = {
  host: '127.0.0.1',
  log_level: 'info',
  webhook_retry_scale: 1,
  sandbox_webhooks: 'private',
  attempt_lease_ms: 20_000,
  work_poll_ms: 1_000,
  timelines_poll_ms: 1_000,
  challenge_limit_ms: 5 * 60_000,
  fingerprint_limit_ms: 10_000,
  appear_limit_ms: 15_000,
  connections_max: 12,
  waiting_max: 4_096,
  monotonic_ms: () => performance.now(),
  rate_limit: 5_000,
  email_retention_days: 400,
  trusted_proxies: [],
  demo_orders: true,
} as const;

/** The configuration once the port is known: addresses with port 0 get the real one. */
export function atPort(config: Config, port: number): Config {
  const follow = (url: string): string => url.replace(/:0$/, `:${port}`);
  return {
    ...config,
    port,
    public_url: follow(config.public_url),
    pay_url: follow(config.pay_url),
  };
}
