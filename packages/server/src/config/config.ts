import type { MailServer } from '../platform/emails/mailer.ts';
import type { Clock } from '../platform/time/clock.ts';

/** Everything the server can be told from outside. */
export interface Config {
  /** 0 takes a free one; the two addresses below then follow it. */
  readonly port: number;
  readonly host: string;
  /** Address of the HTTP interface as its users see it, without a trailing slash. */
  readonly public_url: string;
  /** Origin of the hosted form; never the origin of the interface. */
  readonly pay_url: string;
  readonly database_url: string;
  /** Where `credentials.json` is written on the first start, and `secrets.key`. */
  readonly data_dir: string;
  /** What webhook secrets are sealed with, newest first; those of `secrets.key` where it is not set. */
  readonly secrets_keys?: readonly Buffer[];
  /** Where letters to customers go; without it those of live fail, and those of the sandbox are kept as ever. */
  readonly smtp?: MailServer;
  /** For how many days letters that are over can be read. */
  readonly letters_days: number;
  readonly vault_socket: string;
  readonly simulator_url: string;
  /** Origin of the simulated bank's pages; by default `acs.localhost` at the simulator's port. */
  readonly acs_url?: string;
  readonly log_level: string;
  readonly clock?: Clock;
  /** Milliseconds that only ever grow, whatever is done to the machine's clock. */
  readonly monotonic_ms: () => number;
  /** Requests a second that one key may keep up, in each process; null where nothing is limited. */
  readonly rate_limit: number | null;
  /** Addresses and networks of the proxies before this server, which say whom they speak for. */
  readonly trusted_proxies: readonly string[];
  /** Multiplies the waits between webhook attempts; tests shorten them. */
  readonly webhook_retry_scale: number;
  /** Where webhooks of the sandbox may go: `private` to this machine and its network too, `public` only where live ones go. */
  readonly sandbox_webhooks: SandboxWebhooks;
  /** How long an attempt may be under way before its answer counts as lost. */
  readonly attempt_lease_ms: number;
  readonly work_poll_ms: number;
  /** How long a cardholder may take for the bank's challenge. */
  readonly challenge_limit_ms: number;
  /** How long the bank's hidden page may look at a browser before the bank is asked without it. */
  readonly fingerprint_limit_ms: number;
  /** How long the bank's challenge page may take to appear in its frame. */
  readonly appear_limit_ms: number;
  readonly connections_max: number;
  /** Writes of one type that wait for their turn, of all merchants together. */
  readonly waiting_max: number;
  /** Whether anybody may open an account; where this is not said, only on the machine's own address. */
  readonly registration?: 'open' | 'closed';
  /** Whether the demo shop is served; where this is not said, only on the machine's own address. */
  readonly demo_shop?: boolean;
  /** Whether a new demo shop, where there is one, has sold something already. */
  readonly demo_orders: boolean;
}

export type SandboxWebhooks = 'private' | 'public';

const ownHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Anybody may order in the demo shop, so a server that others can reach has it only where its operator says so. */
export const hasDemoShop = ({ demo_shop, public_url }: Config): boolean =>
  demo_shop ?? isOwnUrl(public_url);

/** Whether strangers may open accounts. */
export const isRegistrationOpen = ({ registration, public_url }: Config): boolean =>
  registration ? registration === 'open' : isOwnUrl(public_url);

/** Whether an address is this machine's own, so that nobody else uses what is served there. */
export const isOwnUrl = (url: string): boolean => ownHosts.has(new URL(url).hostname);

/** How people with an account get mail: by a mail server, into a box that is read here, or not at all. */
export function mailWayOf({
  smtp,
  public_url,
}: Pick<Config, 'smtp' | 'public_url'>): 'smtp' | 'mailbox' | 'none' {
  if (smtp) return 'smtp';
  return isOwnUrl(public_url) ? 'mailbox' : 'none';
}

/** Where this process serves the interface, as its own machine reaches it. */
export const ownUrl = ({ host, port }: Config): string => `http://${host}:${port}`;

/** Where the simulated network sends results to: this process, or any by the public address where it runs elsewhere. */
export const resultsOrigin = (config: Config): string =>
  isOwnUrl(config.simulator_url) ? ownUrl(config) : config.public_url;

/** Origin of the simulated bank's pages, as browsers see it. */
export const acsOrigin = ({ acs_url, simulator_url }: Config): string =>
  acs_url ?? `http://acs.localhost:${new URL(simulator_url).port}`;

export const defaults = {
  host: '127.0.0.1',
  log_level: 'info',
  webhook_retry_scale: 1,
  sandbox_webhooks: 'private',
  attempt_lease_ms: 20_000,
  work_poll_ms: 1_000,
  challenge_limit_ms: 5 * 60_000,
  fingerprint_limit_ms: 10_000,
  appear_limit_ms: 15_000,
  connections_max: 12,
  waiting_max: 4_096,
  monotonic_ms: () => performance.now(),
  rate_limit: 5_000,
  letters_days: 400,
  trusted_proxies: [],
  demo_orders: true,
} as const;

/** The configuration once the port is known: addresses that were written with port 0 follow it. */
export function atPort(config: Config, port: number): Config {
  const follow = (url: string): string => url.replace(/:0$/, `:${port}`);
  return {
    ...config,
    port,
    public_url: follow(config.public_url),
    pay_url: follow(config.pay_url),
  };
}
