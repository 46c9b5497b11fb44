/** Calls that a vault limits per merchant and mode. */
export const vaultVerbs = ['ingest', 'describe', 'attach', 'destroy', 'relay'] as const;
export type VaultVerb = (typeof vaultVerbs)[number];

/** Why a vault refused a connection with TLS. `protocol`: an older version of TLS, or none. */
export const connectionRefusals = [
  'no_certificate',
  'unknown_authority',
  'wrong_name',
  'expired',
  'protocol',
  'other',
] as const;
export type ConnectionRefusal = (typeof connectionRefusals)[number];

/** Why a vault refused a message of a server. `body_unusable`: a placeholder has no place, or the codec cannot write it. */
export const messageRefusals = [
  'egress_not_allowed',
  'origin_of_another_account',
  'egress_not_declared',
  'place_not_declared',
  'login_not_declared',
  'card_without_rules',
  'account_not_accepted',
  'account_of_another_merchant',
  'credential_missing',
  'credential_unusable',
  'client_certificate_unusable',
  'body_unusable',
  'bad_request',
  'unknown_path',
  'card_of_other_mode',
] as const;
export type MessageRefusal = (typeof messageRefusals)[number];

/** State of the listener with TLS. */
export interface VaultTlsHealth {
  /** Earliest end of the vault's certificates, in milliseconds since 1970. */
  readonly expires_at: number;
  /** Connections refused since the vault started. */
  readonly refused: Readonly<Record<ConnectionRefusal, number>>;
}

/** Health of a vault that responds. */
export interface VaultHealth {
  /** Time of the vault's clock: milliseconds since 1970, UTC. */
  readonly now: number;
  /** `degraded`: the vault lacks a key, so operations with some cards fail on this vault, or found a forged key. */
  readonly status: 'ok' | 'degraded';
  /** Whether the database had a public sealing key that is not that of its private half. */
  readonly forged_sealing_keys?: true;
  /** The same of a public key that wallets encrypt for. */
  readonly forged_wallet_keys?: true;
  /** Calls beyond a merchant's limit since the vault started, by verb. Older vaults leave verbs out. */
  readonly limited?: Readonly<Partial<Record<VaultVerb, number>>>;
  /** Accounts at processors whose addresses, merchant, rules or secrets wait for an operator. Absent where none need one. */
  readonly pending_accounts?: number;
  /** Messages refused since the vault started, by reason. Older vaults leave them out. */
  readonly refused_messages?: Readonly<Partial<Record<MessageRefusal, number>>>;
  /** Calls since the vault started, by verb. Older vaults leave them out. */
  readonly calls?: Readonly<Partial<Record<VaultVerb, number>>>;
  /** Seconds since the newest root key and public sealing key were created. */
  readonly key_ages?: Readonly<Partial<Record<'root' | 'sealing', number>>>;
  /** Times that the supervisor restarted the vault. */
  readonly restarts?: number;
  /** Id of the vaults that share a database. Older vaults leave it out. */
  readonly vault_id?: string;
  /** Absent without a listener with TLS. */
  readonly tls?: VaultTlsHealth;
  readonly root_keys: {
    /** Versions of the root key in use that this vault lacks. */
    readonly lacks: readonly number[];
    /** Number of vaults that lack the next version. All vaults must have it before one uses it. */
    readonly waits_for: number;
    /**
     * Whether a rotation is due that an operator must start: the key has to be copied to other
     * vaults.
     */
    readonly is_due: boolean;
    /** Number of versions past their grace period that a damaged key still needs. Older vaults leave it out. */
    readonly still_needed?: number;
  };
}
