import type { Mode } from '../../api/types.ts';

/** A setting or secret of an account, as its adapter describes it. */
export interface ProcessorField {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly secret: boolean;
  readonly required: boolean;
  /** Regular expression of the whole value. */
  readonly pattern?: string;
  /** Patterns by mode, instead of `pattern`. */
  readonly mode_patterns?: Readonly<Record<Mode, string>>;
  readonly example?: string;
}

/** An adapter's metadata. */
export interface ProcessorKind {
  readonly name: string;
  readonly display_name: string;
  readonly fields: readonly ProcessorField[];
  readonly networks: readonly string[];
}

export type AccountStatus = 'untested' | 'enabled' | 'paused' | 'removed';

/** An account at a processor. Instants are ISO 8601; null if absent. */
export interface ProcessorAccount {
  readonly id: string;
  readonly etag: string;
  readonly mode: Mode;
  readonly processor: string;
  readonly name: string;
  readonly status: AccountStatus;
  /** Null: every merchant may use the account. */
  readonly merchant_id: string | null;
  readonly merchant_name: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** Null: all that the processor takes. */
  readonly currencies: readonly string[] | null;
  readonly networks: readonly string[] | null;
  readonly descriptor: string | null;
  readonly check_failure: string | null;
  readonly checked_at: string | null;
  readonly created_at: string;
  /** Address for the processor's notifications; null if it sends none. */
  readonly notification_url: string | null;
  /** Null: none since the last accepted one. */
  readonly refused_notifications: RefusedNotificationCount | null;
  /** Null: the processor accepted the last message or check. */
  readonly refused_key: RefusedKeyCount | null;
}

/** Messages whose key the processor refused since the last accepted one. */
interface RefusedKeyCount {
  readonly count: number;
  readonly since: string;
  readonly last_at: string;
  /** HTTP status of the last answer. */
  readonly last_status: number;
  /** The processor's own code, if the status does not say that the key is refused. */
  readonly last_code: string | null;
}

/** Notifications without a valid signature. */
interface RefusedNotificationCount {
  readonly count: number;
  readonly since: string;
  readonly last_at: string;
  readonly last_reason: string;
  /** SHA-256 of the last one's body in hex. */
  readonly last_hash: string;
}

export interface StoredSecret {
  readonly name: string;
  readonly stored_at: string | null;
}

/** An operator's change of an account. Without an email: a command on the server. */
export interface AccountEntry {
  readonly id: string;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly account_email: string | null;
}

export interface AccountDetail extends ProcessorAccount {
  readonly secrets: readonly StoredSecret[];
  readonly entries: readonly AccountEntry[];
  /** Payments that still need the account. Counts end at 1,000. */
  readonly obligations?: { readonly refundable: number; readonly open_disputes: number };
}
