import type { TransferKind } from './ledger.ts';

/** Lines of a page of the ledger. */
export const LEDGER_LINES_MAX = 50;

/** A transfer as one account shows it. Amounts are signed minor units as text. */
export interface LedgerLine {
  readonly id: string;
  readonly created_at: string;
  readonly kind: TransferKind;
  readonly payment_demand_id: string | null;
  readonly amount_cents: string;
  /** Sum of the account up to this line. Null where an hour has too many transfers to sum. */
  readonly balance_cents: string | null;
}

/** One page of an account in one currency, newest line first. */
export interface LedgerPage {
  readonly lines: readonly LedgerLine[];
  /** Cursor for `after`, if there are older transfers. */
  readonly next: string | null;
}
