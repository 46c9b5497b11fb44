import { StartupError } from '../kernel/errors.ts';
import type { KmsConfig } from '../keys/kms/open-kms.ts';
import type { WalletsConfig } from '../wallets/setup.ts';

export interface VaultConfig {
  /** Path of the Unix socket to serve on. */
  readonly socketPath: string;
  /** Path of the Unix socket that operators' commands come by; absent where none shall. */
  readonly adminSocketPath?: string;
  readonly databaseUrl: string;
  /** Directory of the root key, where it is a file. */
  readonly dataDir: string;
  /** Names this directory of keys among the vaults of the database; host and directory unless told otherwise. */
  readonly name?: string;
  /** What keeps the root key; a file unless told otherwise. */
  readonly kms?: KmsConfig;
  /** Origins that relayed requests may go to. */
  readonly egress: readonly string[];
  /** The wallets of live mode; the sandbox has its own. */
  readonly wallets?: WalletsConfig;
  readonly log_level?: string;
}

export const LOG_LEVEL_DEFAULT = 'info';

/** The egress list in the form `URL.origin` has. Throws `StartupError` for an entry that is no http(s) origin. */
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
