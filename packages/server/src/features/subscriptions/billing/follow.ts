import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import { keyOf, keyText } from '../../../platform/database/row-key.ts';
import type { ChangedRow } from '../../../platform/database/transition.ts';
import { lockRows } from '../../../platform/database/transition.ts';
import type { Micros } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { writeEmails } from '../../emails/write.ts';
import { subscriptionOf } from '../../payments/columns.ts';
import { applyDecisions } from '../../records/apply-decisions.ts';
import { emailsOfFailures } from '../notices.ts';
import {
  type ChargeOutcome,
  markUnpaid,
  recordPeriodOutcomes,
} from '../sql/subscription-periods.ts';
import { decideCharged } from './charged.ts';
import type { BillingPolicy } from './dunning.ts';
import { policiesOf } from './policies.ts';
import { creditAfterChange, isSameInstant, priceOf } from './tally.ts';

/** States of a charge that affect its subscription: outcomes and retries. */
const followedStatuses: ReadonlySet<string> = new Set([
  'succeeded',
  'failed',
  'canceled',
  'pending',
]);

/**
 * Applies outcomes of charges to their subscriptions, in the same transaction. All transactions
 * lock a charge before its subscription, which prevents deadlocks.
 */
export async function followCharges(
  services: Services,
  tx: Db,
  changedCharges: readonly ChangedRow[],
  now: Micros,
): Promise<void> {
  const notableChanges = changedCharges.filter(({ before, after }) => isNotable(before, after));
  if (notableChanges.length === 0) return;
  const charges = notableChanges.map(({ after }) => after);
  const rows = await lockRows(tx, 'payment_subscriptions', charges.map(subscriptionOf));
  const policyOf = await policiesOf(tx, charges);
  const bySubscription = Map.groupBy(notableChanges, ({ after }) => keyText(subscriptionOf(after)));
  // One statement changes a row once, so each round takes one charge per subscription.
  for (
    let round = 0;
    [...bySubscription.values()].some((outcomes) => round < outcomes.length);
    round++
  ) {
    const newOutcomes = [...bySubscription].flatMap(([key, outcomes]) => {
      const [rowBefore, charge] = [rows.get(key), outcomes[round]];
      return rowBefore && charge ? [{ before: rowBefore, charge }] : [];
    });
    const followedCharges = await followRound(services, tx, newOutcomes, policyOf, now);
    for (const { subscription } of followedCharges) rows.set(keyText(subscription), subscription);
  }
}

/** A subscription whose charge has a new outcome. */
interface NewOutcome {
  readonly before: Row;
  readonly charge: ChangedRow;
}

/** A subscription after a charge's outcome, with both rows as of that round. */
interface FollowedCharge {
  readonly before: Row;
  readonly subscription: Row;
  readonly charge: Row;
}

async function followRound(
  services: Services,
  tx: Db,
  newOutcomes: readonly NewOutcome[],
  policyOf: (row: Row) => BillingPolicy,
  now: Micros,
): Promise<readonly FollowedCharge[]> {
  const changes = newOutcomes.map(({ before, charge }) => {
    const { set, ...decision } = decideCharged(before, charge.after, policyOf(charge.after), now);
    return { before, ...decision, set: { ...set, ...creditAfterChange(before, charge) } };
  });
  const changedRows = await applyDecisions(services, tx, 'payment_subscriptions', now, changes);
  const followedCharges = newOutcomes.map(({ before, charge }, at) => {
    return { before, charge: charge.after, subscription: changedRows[at] as Row };
  });
  await recordPeriodOutcomes(tx, followedCharges.flatMap(chargeOutcomesOf));
  await markUnpaid(
    tx,
    followedCharges.filter(isFailed).map(({ charge }) => keyOf(charge)),
  );
  await writeEmails(services, tx, emailsOfFailures(services, followedCharges, policyOf, now), now);
  return followedCharges;
}

/** Whether the charge failed after the subscription's end; such a charge is not retried. */
const isFailed = ({ before, charge }: FollowedCharge): boolean =>
  charge.status === 'failed' && before.status === 'cancelled';

/**
 * Outcomes that change a period's record: the charge was paid after a failure, or for another
 * period than planned.
 */
function chargeOutcomesOf(followedCharge: FollowedCharge): ChargeOutcome[] {
  const { charge } = followedCharge;
  if (charge.status !== 'succeeded' && charge.status !== 'canceled') return [];
  const movedPeriod = movedTo(followedCharge);
  if (!movedPeriod && !charge.failed_at) return [];
  return [
    {
      ...keyOf(charge),
      by_credit: charge.status === 'canceled',
      ...(charge.billing_reason !== 'change' && { amount_cents: String(priceOf(charge)) }),
      ...(movedPeriod && { moved: movedPeriod }),
    },
  ];
}

/** Current period, if a late first charge pays for it instead of the planned period. */
function movedTo({ before, charge, subscription }: FollowedCharge): ChargeOutcome['moved'] {
  const { current_period_start_at: start_at, current_period_end_at: end_at } = subscription;
  if (before.status !== 'pending' || charge.billing_reason !== 'first') return undefined;
  if (!start_at || !end_at || isSameInstant(start_at, charge.period_start_at)) return undefined;
  return { start_at, end_at };
}

/**
 * Whether a charge's new state affects its subscription. Exceptions: a payment that returns to the
 * queue is no retry, and a won dispute is no new payment.
 */
const isNotable = (chargeBefore: Row, chargeAfter: Row): boolean =>
  (chargeAfter.payment_subscription_id ?? null) !== null &&
  chargeBefore.status !== chargeAfter.status &&
  chargeBefore.status !== 'disputed' &&
  followedStatuses.has(chargeAfter.status as string) &&
  !(chargeBefore.status === 'processing' && chargeAfter.status === 'pending');
