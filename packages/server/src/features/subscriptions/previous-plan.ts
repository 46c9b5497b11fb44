import type { Row } from '../../platform/database/row.ts';
import { isOpening } from './billing/tally.ts';

/**
 * Columns of the previous plan, stored until a change is paid, and restored if its charge is given
 * up.
 */
export const planColumns = ({
  amount_cents,
  billing_period,
  billing_cycle_anchor_at,
}: Row): Row => ({
  prior_amount_cents: amount_cents as string,
  prior_billing_period: billing_period as string,
  prior_anchor_at: billing_cycle_anchor_at as string,
});

/** Columns of a subscription without an unpaid change. */
export const noPreviousPlan: Row = {
  prior_amount_cents: null,
  prior_billing_period: null,
  prior_anchor_at: null,
};

/** Whether a change of period awaits payment. Price and period are reverted together. */
export const isChangingPeriod = ({ prior_billing_period, billing_period }: Row): boolean =>
  (prior_billing_period ?? null) !== null && prior_billing_period !== billing_period;

/**
 * Columns for a new price, which stays even if a pending change is reverted. Sending the current
 * price changes nothing.
 */
export const priceSet = (row: Row, columns: Row): Row =>
  isOtherPrice(row, columns) ? { prior_amount_cents: null } : {};

/** Whether the columns change a subscription's price. */
export const isOtherPrice = ({ amount_cents }: Row, columns: Row): boolean =>
  'amount_cents' in columns && Number(columns.amount_cents) !== Number(amount_cents);

/** Columns after a change was given up. A price that was set after the change stays. */
export const previousPlanColumns = (row: Row, charge: Row): Row => ({
  amount_cents: row.prior_amount_cents ?? (row.amount_cents as string),
  billing_period: row.prior_billing_period ?? (row.billing_period as string),
  billing_cycle_anchor_at: row.prior_anchor_at ?? anchorUnknown(row, charge),
  ...noPreviousPlan,
});

/**
 * Anchor before a change by an earlier version, which stored no previous plan: the end of the paid
 * period.
 */
const anchorUnknown = (row: Row, charge: Row): string =>
  (isOpening(charge) ? row.current_period_end_at : row.billing_cycle_anchor_at) as string;
