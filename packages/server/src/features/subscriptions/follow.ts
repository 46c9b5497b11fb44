import { type Micros, microsOf } from '../../kernel/clock.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { markUnpaid, movePeriod } from '../../store/subscription-periods.ts';
import { keyOf, keyText, lockRows, type RowKey } from '../../store/transition.ts';
import { applyDecisions } from '../attempts/apply.ts';
import { writeLetters } from '../letters/write.ts';
import type { Changed } from '../records/updater.ts';
import type { Services } from '../services.ts';
import { decideCharged } from './charged.ts';
import { lettersOfFailures } from './notices.ts';
import { policiesOf } from './policies.ts';

/** States of a charge that say something about its subscription: the outcomes, and being tried again. */
const telling: ReadonlySet<string> = new Set(['succeeded', 'failed', 'pending']);

export const subscriptionOf = ({ merchant_id, payment_subscription_id }: Row): RowKey => ({
  merchant_id: merchant_id as string,
  id: payment_subscription_id as string,
});

/**
 * Tells subscriptions what became of their charges, in the transaction that changes these. Everybody locks a
 * charge before its subscription, so that nobody waits for another in a circle.
 */
export async function followCharges(
  services: Services,
  tx: Db,
  changed: readonly Changed[],
  now: Micros,
): Promise<void> {
  const charges = changed
    .filter(({ before, after }) => isNews(before, after))
    .map(({ after }) => after);
  if (charges.length === 0) return;
  const rows = await lockRows(tx, 'payment_subscriptions', charges.map(subscriptionOf));
  const policyOf = await policiesOf(tx, charges);
  const bySubscription = Map.groupBy(charges, (charge) => keyText(subscriptionOf(charge)));
  // A row is changed once per statement, so that a second charge of a subscription waits for the next round.
  for (let round = 0; [...bySubscription.values()].some((each) => round < each.length); round++) {
    const due = [...bySubscription].flatMap(([key, each]) => {
      const [before, charge] = [rows.get(key), each[round]];
      if (!before || !charge) return [];
      return [{ charge, before, ...decideCharged(before, charge, policyOf(charge), now) }];
    });
    const told = await applyDecisions(services, tx, 'payment_subscriptions', now, due);
    for (const after of told) rows.set(keyText(after), after);
    await moveLate(tx, due, told);
    await markUnpaid(
      tx,
      due.filter(isPaidAfterAll).map(({ charge }) => keyOf(charge)),
      false,
    );
    const failures = due.map(({ charge }, at) => ({ charge, subscription: told[at] as Row }));
    await writeLetters(services, tx, lettersOfFailures(services, failures, now), now);
  }
}

/** Whether somebody had a charge sent again that was given up. */
const isPaidAfterAll = ({ charge }: { readonly charge: Row }): boolean =>
  charge.status === 'succeeded' && (charge.failed_at ?? null) !== null;

/** A first charge that is paid late pays for the period that runs then; what was before it had none. */
async function moveLate(
  tx: Db,
  due: readonly { readonly before: Row; readonly charge: Row }[],
  told: readonly Row[],
): Promise<void> {
  for (const [at, { before, charge }] of due.entries()) {
    const { current_period_start_at: start, current_period_end_at: end } = told[at] as Row;
    if (before.status !== 'pending' || charge.status !== 'succeeded' || !start || !end) continue;
    if (charge.billing_reason !== 'first' || isSameInstant(start, charge.period_start_at)) continue;
    await movePeriod(tx, keyOf(charge), start, end);
  }
}

const isSameInstant = (one: string, other: string | null | undefined): boolean =>
  Boolean(other) && microsOf(one) === microsOf(other as string);

/**
 * A payment that waits to be sent again after it could not leave has not been tried again by anybody, and one whose
 * dispute was won has paid before.
 */
const isNews = (before: Row, after: Row): boolean =>
  (after.payment_subscription_id ?? null) !== null &&
  before.status !== after.status &&
  before.status !== 'disputed' &&
  telling.has(after.status as string) &&
  !(before.status === 'processing' && after.status === 'pending');
