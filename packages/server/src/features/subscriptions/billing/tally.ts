import type { Row } from '../../../platform/database/row.ts';
import type { ChangedRow } from '../../../platform/database/transition.ts';
import { microsOf } from '../../../platform/time/clock.ts';

/** Price of a charge in minor units, before credit. */
export const priceOf = ({ status, amount_cents, credit_used_cents }: Row): number =>
  (status === 'canceled' ? 0 : Number(amount_cents)) + Number(credit_used_cents ?? 0);

/**
 * Columns of the subscription `row` after a charge fails or is retried. A failure releases the
 * credit and the full period that the charge used; a retry uses them again.
 */
export function creditAfterChange(row: Row, { before, after }: ChangedRow): Row {
  const [countedBefore, countsAfter] = [before.status !== 'failed', after.status !== 'failed'];
  if (countedBefore === countsAfter) return {};
  const sign = countsAfter ? -1 : 1;
  const credit = Number(row.credit_cents) + sign * Number(after.credit_used_cents ?? 0);
  const count = Number(row.charges_count) - sign * (isForFullPeriod(after) ? 1 : 0);
  return { credit_cents: String(credit), charges_count: String(count) };
}

/**
 * Whether a charge counts as a full period: first charges, renewals, and changes that begin a
 * period.
 */
const isForFullPeriod = (charge: Row): boolean =>
  charge.billing_reason === 'first' || charge.billing_reason === 'renewal' || isOpening(charge);

/** Whether a charge is for a change that begins a new period. */
export const isOpening = ({ billing_reason, period_start_at, created_at }: Row): boolean =>
  billing_reason === 'change' && isSameInstant(created_at, period_start_at);

type Instant = string | null | undefined;

/** Whether both instants are set and equal. */
export const isSameInstant = (a: Instant, b: Instant): boolean =>
  Boolean(a && b) && microsOf(a as string) === microsOf(b as string);
