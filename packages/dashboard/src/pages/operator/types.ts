import type { Mode } from '../../api/types.ts';

export type StatusByMode = Readonly<Record<Mode, string>>;

/** A merchant in a list of the operator console. Instants are ISO 8601; null if absent. */
export interface MerchantSummary {
  readonly id: string;
  readonly business_name: string | null;
  readonly business_email: string | null;
  readonly created_at: string;
  readonly submitted_at: string | null;
  readonly active_at: string | null;
  readonly review_due_at: string | null;
  readonly review_started_at: string | null;
  readonly reviewed_at: string | null;
  readonly standing: StatusByMode;
}

export interface ProcessorDetail {
  readonly id: string;
  readonly mode: Mode;
  readonly kind: string;
  readonly onboarding_state: string | null;
  readonly processing_state: string | null;
}

export interface Flag {
  readonly id: string;
  readonly mode: Mode;
  readonly status: string;
  readonly violation: string;
  readonly comment: string | null;
  readonly created_at: string;
}

export interface EnforcementActionEntry {
  readonly id: string;
  readonly mode: Mode;
  readonly action: string;
  readonly status: string;
  readonly reason: string | null;
  readonly created_at: string;
  readonly lifted_at: string | null;
}

export interface LogEntry {
  readonly id: string;
  readonly mode: Mode | null;
  readonly kind: string;
  readonly reason: string;
  readonly created_at: string;
  readonly account_email: string;
}

/** A merchant with all details. */
export interface MerchantDetail extends MerchantSummary {
  /** Whether a processor takes payments, by mode. */
  readonly processing: Readonly<Record<Mode, boolean>>;
  readonly business_description: string | null;
  readonly business_website: string | null;
  readonly business_support_email: string | null;
  readonly phone_number: string | null;
  readonly category_code: string | null;
  readonly entity_type: string | null;
  readonly prior_bankruptcies: boolean | null;
  readonly owner_email: string | null;
  readonly owner_name: string | null;
  readonly counts: Readonly<Record<string, number>>;
  readonly counted_max: number;
  readonly processors: readonly ProcessorDetail[];
  readonly red_flags: readonly Flag[];
  readonly measures: readonly EnforcementActionEntry[];
  readonly entries: readonly LogEntry[];
}

/** An open dispute whose account is removed or silent. */
export interface OpenDispute {
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly business_name: string | null;
  readonly status: string;
  /** Id of the dispute at the processor. */
  readonly reference: string;
  readonly amount_cents: number;
  readonly amount_currency: string;
  readonly created_at: string;
  readonly processor_account_id: string;
  readonly account: string;
  readonly why: 'removed' | 'silent';
}

/** A message to a processor with an unknown outcome. */
export interface UnknownOutcome {
  readonly merchant_id: string;
  readonly business_name: string | null;
  readonly mode: Mode;
  readonly id: string;
  readonly operation: string;
  readonly processor: string;
  readonly processor_account_id: string | null;
  /** Name of the processor account; null for the simulated network. */
  readonly account: string | null;
  /** Next action of Florin. `wait`: for a notification, or for an operator. */
  readonly step: 'inquire' | 'cancel' | 'repeat' | 'wait';
  readonly status: string;
  readonly amount_cents: string;
  readonly amount_currency: string;
  /** Other amount that the processor approved; null without one. */
  readonly approved_cents: string | null;
  readonly approved_currency: string | null;
  /** Whether the processor accepted a reversal and has not told its outcome. */
  readonly may_still_reverse: boolean;
  readonly payment_demand_id: string;
  readonly inquiries: number;
  readonly since: string;
  /** Whether Florin stopped looking, so that an operator finds out. */
  readonly needs_operator: boolean;
  readonly due_at: string | null;
}

/** Difference between a settlement file and the ledger. */
export interface Exception {
  readonly merchant_id: string;
  readonly business_name: string | null;
  readonly mode: Mode;
  readonly id: string;
  readonly kind: string;
  readonly entry: string;
  readonly settled_on: string;
  readonly processor_reference: string;
  readonly expected_cents: number | null;
  readonly found_cents: number | null;
  readonly amount_currency: string;
  readonly created_at: string;
}

export interface Queue {
  readonly name: string;
  readonly due: number;
  readonly oldest_due_at: string | null;
  readonly late_seconds: number;
  readonly can_run: boolean;
}

/** Last heartbeat of a worker loop. */
export interface WorkLoop {
  readonly process: { readonly id: string; readonly host: string; readonly pid: number };
  readonly loop: string;
  readonly state: 'beating' | 'failing' | 'late' | 'gone';
  readonly stepped_at: string | null;
  readonly seen_at: string;
  readonly error: string | null;
  readonly error_at: string | null;
}

export interface Health {
  readonly now: string;
  /** The last moment that a restored installation knows, while it is closed. */
  readonly restored_to: string | null;
  readonly process: {
    readonly node: string;
    readonly uptime_seconds: number;
    readonly memory_bytes: number;
  };
  readonly database: {
    readonly bytes: number;
    readonly connections: number;
    readonly connections_max: number;
    readonly version: string;
    readonly oldest_transaction_seconds: number;
    readonly migrations: number;
  };
  readonly queues: readonly Queue[];
  readonly loops: readonly WorkLoop[];
  readonly queued_counted_max: number;
  readonly unknown_outcomes: {
    readonly under_1h: number;
    readonly from_1h_to_24h: number;
    readonly over_24h: number;
  };
  /** Processor accounts whose key is refused, longest first. */
  readonly refused_keys: readonly {
    readonly id: string;
    readonly name: string;
    readonly mode: Mode;
    /** Refused messages since the last accepted one. */
    readonly count: number;
    readonly since: string;
  }[];
}
