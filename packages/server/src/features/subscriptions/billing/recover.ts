import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { type Micros, microsOf } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { findFirstApprovals, firstApprovalKey } from '../../attempts/sql/first-approvals.ts';
import { applyDecisions } from '../../records/apply-decisions.ts';
import { chargeId, makeCharges } from './charge.ts';
import { decideStep } from './cycle.ts';
import type { BillingPolicy } from './dunning.ts';
import { insertPeriods, skippedPeriod } from './periods.ts';
import { policiesOf } from './policies.ts';

/** Longest list of periods of one subscription that a processor is asked about. */
const PERIODS_MAX = 60;

/** A charge that the billing of a subscription makes at a billing time. */
export interface DueCharge {
  readonly at: Micros;
  /** Id of the payment. */
  readonly id: string;
}

/** Charges that an active subscription makes at its billing times until `now`, the oldest first. Pure. */
export function chargesUntil(
  subscription: Row,
  policy: BillingPolicy,
  now: Micros,
): readonly DueCharge[] {
  const charges: DueCharge[] = [];
  let row = subscription;
  for (let count = 0; count < PERIODS_MAX; count++) {
    if (row.status !== 'active' || row.past_due_since || !row.next_billing_at) break;
    const at = microsOf(row.next_billing_at);
    const facts = { policy: { ...policy, missed_periods: 'each' }, isCharging: false } as const;
    const step = at <= now ? decideStep(row, facts, at) : undefined;
    if (step?.charge)
      charges.push({ at, id: chargeId(row.id as string, step.charge.period.start) });
    const next = step?.decision?.set.next_billing_at;
    if (!next || microsOf(next) <= at) break;
    row = { ...row, ...step?.decision?.set };
  }
  return charges;
}

/** Charges of subscriptions until `now`, by subscription. */
export async function chargesDueOf(
  db: Db,
  subscriptions: readonly Row[],
  now: Micros,
): Promise<ReadonlyMap<Row, readonly DueCharge[]>> {
  const policyOf = await policiesOf(db, subscriptions);
  return new Map(subscriptions.map((row) => [row, chargesUntil(row, policyOf(row), now)]));
}

/**
 * Bills the period that begins at a billing time of a locked subscription, although another process has charged it.
 * Earlier periods without a charge count as missed. Returns the charge, which is not sent; undefined if nothing is due.
 */
export async function billAsOf(
  services: Services,
  tx: Db,
  subscription: Row,
  at: Micros,
): Promise<Row | undefined> {
  const now = services.clock.now();
  const policyOf = await policiesOf(tx, [subscription]);
  const policy = { ...policyOf(subscription), missed_periods: 'latest' } as const;
  const step = decideStep(subscription, { policy, isCharging: false }, at);
  if (!step?.charge || !step.decision) return undefined;
  const change = { before: subscription, ...step.decision };
  await applyDecisions(services, tx, 'payment_subscriptions', now, [change]);
  const skipped = step.periods.map((period) => skippedPeriod(subscription, period, now));
  await insertPeriods(services, tx, skipped);
  const approvals = await findFirstApprovals(tx, [subscription]);
  const by_merchant = approvals.has(firstApprovalKey(subscription));
  const charges = [{ subscription, plan: step.charge, by_merchant }];
  const [charge] = await makeCharges(services, tx, charges, now);
  return charge;
}
