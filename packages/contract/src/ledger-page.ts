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

/** Transfers of a period up to which their totals are known. */
export const LEDGER_SUMMED_MAX = 50_000;

/** Change of an account in a period, in one currency. Signed minor units as text. */
export interface LedgerTotal {
  readonly currency: string;
  readonly amount_cents: string;
}

/** One page of an account in one currency, newest line first. */
export interface LedgerPage {
  readonly lines: readonly LedgerLine[];
  /** Cursor for `after`, if there are older transfers. */
  readonly next: string | null;
  /**
   * Changes of the account in the period, by currency. Null if the period has more than `LEDGER_SUMMED_MAX` transfers; absent
   * without a period.
   */
  readonly totals?: readonly LedgerTotal[] | null;
}
