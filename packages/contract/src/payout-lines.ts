import type { PayoutLineKind } from './ledger.ts';

/** Lines of a payout that its page shows. The export has all. */
export const PAYOUT_LINES_SHOWN = 100;

/** Signed minor units as text: `net` is `gross` less `fee`. */
export interface PayoutAmounts {
  readonly gross_cents: string;
  readonly fee_cents: string;
  readonly net_cents: string;
}

/** A transfer that a payout pays. Parts of the payment that the person may not read are null. */
export interface PayoutLine extends PayoutAmounts {
  readonly id: string;
  readonly kind: PayoutLineKind;
  readonly created_at: string;
  readonly payment_demand_id: string | null;
  readonly payer_name: string | null;
  readonly card: { readonly kind: string; readonly last_four: string } | null;
}

/** The first lines of a payout. */
export interface PayoutLines {
  /** At most `PAYOUT_LINES_SHOWN`. */
  readonly lines: readonly PayoutLine[];
  /** Number of all lines, and their sum. Null if the payout has too many to read for a page. */
  readonly all: { readonly count: number; readonly sum: PayoutAmounts } | null;
  /** Part of the payout that no line has: payouts of earlier versions. Null if there is none, or if it is not known. */
  readonly unassigned_cents: string | null;
}

/** When the next payout can be made. */
export interface NextPayout {
  /** Day (UTC) whose settlement the payout waits for, such as `2027-01-31`. */
  readonly settled_on: string;
  /** End of that day. The payout follows when the processor's settlement has been read. */
  readonly not_before: string;
  /** Smallest payout, in minor units. */
  readonly least_cents: number;
}
