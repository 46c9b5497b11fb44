import type { Row } from '../../platform/database/row.ts';
import { isOpening } from './billing/tally.ts';

/** The columns that keep what a change replaces, until its charge is paid: what is to be again where that is given up. */
export const kept = ({ amount_cents, billing_period, billing_cycle_anchor_at }: Row): Row => ({
  prior_amount_cents: amount_cents as string,
  prior_billing_period: billing_period as string,
  prior_anchor_at: billing_cycle_anchor_at as string,
});

/** The columns of a subscription without a change that is to be paid. */
export const noPrior: Row = {
  prior_amount_cents: null,
  prior_billing_period: null,
  prior_anchor_at: null,
};

/** Whether a change to another period is to be paid. Its price goes with that: neither is taken back without the other. */
export const isChangingPeriod = ({ prior_billing_period, billing_period }: Row): boolean =>
  (prior_billing_period ?? null) !== null && prior_billing_period !== billing_period;

/** A price that is set stays, whatever becomes of a change before; one that is only repeated is not set. */
export const priceSet = (row: Row, columns: Row): Row =>
  isOtherPrice(row, columns) ? { prior_amount_cents: null } : {};

/** Whether columns that were sent give a subscription another price. */
export const isOtherPrice = ({ amount_cents }: Row, columns: Row): boolean =>
  'amount_cents' in columns && Number(columns.amount_cents) !== Number(amount_cents);

/** What is again once the charge of a change is given up; an amount that was set since stays. */
export const beforeChange = (row: Row, charge: Row): Row => ({
  amount_cents: row.prior_amount_cents ?? (row.amount_cents as string),
  billing_period: row.prior_billing_period ?? (row.billing_period as string),
  billing_cycle_anchor_at: row.prior_anchor_at ?? anchorUnknown(row, charge),
  ...noPrior,
});

/** Of a change that was made before priors were kept no price or length is known to go back to: its periods begin when the paid one is over. */
const anchorUnknown = (row: Row, charge: Row): string =>
  (isOpening(charge) ? row.current_period_end_at : row.billing_cycle_anchor_at) as string;
