import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { insertRows } from '../../../platform/database/rows.ts';
import { uuidv7 } from '../../../platform/ids.ts';
import { instantText, type Micros } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import type { SkippedPeriod } from '../skipped.ts';
import type { ChargePlan } from './charge-plan.ts';

/** Record of a charged period. */
export const chargedPeriod = (charge: Row, { period, amount }: ChargePlan, now: Micros): Row => ({
  ...periodRow(charge, period, amount, now),
  payment_subscription_id: charge.payment_subscription_id as string,
  payment_demand_id: charge.id as string,
});

/** Record of consecutive periods without a charge. */
export const skippedPeriod = (
  subscription: Row,
  { period, amount, skipped }: SkippedPeriod,
  now: Micros,
): Row => ({
  ...periodRow(subscription, period, amount, now),
  payment_subscription_id: subscription.id as string,
  skip_reason: skipped,
});

const periodRow = (
  { merchant_id, mode }: Row,
  { start, end }: SkippedPeriod['period'],
  amount: number,
  now: Micros,
): Row => ({
  merchant_id: merchant_id as string,
  mode: mode as string,
  id: uuidv7(now),
  start_at: instantText(start),
  end_at: instantText(end),
  amount_cents: String(amount),
  created_at: instantText(now),
});

/** Stores periods. Fails if a period exists; the caller must hold the subscription's lock. */
export const insertPeriods = (
  { catalog }: Pick<Services, 'catalog'>,
  tx: Db,
  rows: readonly Row[],
): Promise<void> => insertRows(tx, catalog, 'subscription_periods', rows);
