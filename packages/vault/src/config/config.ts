import type { SocketMode } from '../http/socket.ts';
import type { TlsAddress } from '../http/tls-listener.ts';
import { StartupError } from '../kernel/errors.ts';
import type { KmsConfig } from '../keys/kms/open-kms.ts';
import type { LimitsConfig } from '../limits/limits.ts';
import type { WalletsConfig } from '../wallets/setup.ts';

export interface VaultConfig {
  /** Path of the Unix socket for the server. Absent: the vault listens with TLS only. */
  readonly socketPath?: string;
  /** Users that can connect to `socketPath`; default: the vault's own. */
  readonly socketMode?: SocketMode;
  /** Listener for servers on other hosts; absent: none. */
  readonly tls?: TlsAddress;
  /** Path of the Unix socket for operators' commands; absent: no commands. */
  readonly adminSocketPath?: string;
  /** Maximum number of connections to the database. */
  readonly database_connections?: number;
  readonly databaseUrl: string;
  /** Login that owns the vault's tables and migrates them; absent: that of `databaseUrl`, if it owns them. */
  readonly ownerDatabaseUrl?: string;
  /** Directory of the root key file. */
  readonly dataDir: string;
  /** Whether keys that other users may read or replace prevent the start; default: they are a warning. */
  readonly requires_private_keys?: boolean;
  /** Name of this vault among the database's vaults; default: host and key directory. */
  readonly name?: string;
  /** Provider of the root key; default: a file. */
  readonly kms?: KmsConfig;
  /** Allowed origins of relayed requests. */
  readonly egress: readonly string[];
  /** Digests of the audit keys of vaults that may get the cards of merchants who move; default: none. */
  readonly sends_cards_to?: readonly string[];
  /**
   * Whether cards and secrets leave by accounts that an operator accepted only, a card by its egress rules only; default:
   * no.
   */
  readonly requires_consent?: boolean;
  /** Maximum number of connections to an origin; default: 1,024. */
  readonly connections_max?: number;
  /** Calls per minute of one merchant in one mode; absent verbs have their defaults. */
  readonly limits?: Partial<LimitsConfig>;
  /** Wallets of live mode. The sandbox has its own wallets. */
  readonly wallets?: WalletsConfig;
  readonly log_level?: string;
  /** Times that the supervisor restarted this vault; default 0. */
  readonly restarts?: number;
}

export const LOG_LEVEL_DEFAULT = 'info';

/**
 * Normalises the origins that the vault may send to, as `URL.origin`. Throws `StartupError` for an entry that
 * is not an http(s) origin.
 */
export function parseEgress(origins: readonly string[]): ReadonlySet<string> {
  return new Set(origins.map(parseOrigin));
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    throw new StartupError(
      `VAULT_EGRESS must list origins such as https://network.example, separated by commas; "${text}" is not one.`,
    );
  }
  return url.origin;
}
