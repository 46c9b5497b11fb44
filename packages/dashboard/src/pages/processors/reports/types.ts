import type { Mode } from '../../../api/types.ts';

/** A settlement report of a processor. Instants are ISO 8601. */
export interface Report {
  readonly id: string;
  readonly processor_account_id: string;
  readonly account: string;
  readonly mode: Mode;
  readonly name: string;
  readonly status: string;
  /** Why the last try failed, or the rows do not sum to the payout. */
  readonly failure: string | null;
  readonly created_at: string;
}

/** A report in the list, with the rows that need an operator. */
export interface CountedReport extends Report {
  readonly exceptions: number;
  readonly unclear: number;
}

/** A row that the ledger does not explain. Amounts are exact texts with their currency. */
export interface ReportLine {
  readonly id: string;
  readonly line: number;
  readonly kind: string;
  /** Null: the comparison waits for an outcome. */
  readonly outcome: 'unmatched' | 'quarantined' | 'exception' | null;
  readonly reason: string;
  readonly amount: string | null;
  readonly processor_reference: string | null;
  readonly authorisation_reference: string | null;
  readonly merchant_id: string | null;
  readonly mode: Mode;
  readonly exception: string | null;
  readonly exception_kind: string | null;
  readonly exception_status: string | null;
  readonly acknowledged_at: string | null;
  readonly acknowledged_by_email: string | null;
  readonly acknowledgement: string | null;
}

export interface ReportDetail extends Report {
  /** Numbers of rows by outcome. */
  readonly rows: Readonly<Record<'all' | 'settled' | 'exceptions' | 'waiting' | 'unclear', number>>;
  /** Sums in the operator's ledger by kind. */
  readonly sums: readonly { readonly kind: string; readonly amount: string | null }[];
  readonly lines: readonly ReportLine[];
  /** Row after which more follow; null at the end. */
  readonly next_line: number | null;
}
