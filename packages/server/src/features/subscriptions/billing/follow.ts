import type { Db } from '../../../platform/database/db.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { Changed } from '../../../platform/database/transition.ts';
import { keyOf, keyText, lockRows } from '../../../platform/database/transition.ts';
import type { Micros } from '../../../platform/time/clock.ts';
import type { Services } from '../../../services.ts';
import { writeLetters } from '../../emails/write.ts';
import { subscriptionOf } from '../../payments/columns.ts';
import { applyDecisions } from '../../records/apply-decisions.ts';
import { lettersOfFailures } from '../notices.ts';
import { markUnpaid, type SettledCharge, settlePeriods } from '../sql/subscription-periods.ts';
import { decideCharged } from './charged.ts';
import type { BillingPolicy } from './dunning.ts';
import { policiesOf } from './policies.ts';
import { heldBy, isSameInstant, worthOf } from './tally.ts';

/** States of a charge that say something about its subscription: the outcomes, and being tried again. */
const telling: ReadonlySet<string> = new Set(['succeeded', 'failed', 'canceled', 'pending']);

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
  const news = changed.filter(({ before, after }) => isNews(before, after));
  if (news.length === 0) return;
  const charges = news.map(({ after }) => after);
  const rows = await lockRows(tx, 'payment_subscriptions', charges.map(subscriptionOf));
  const policyOf = await policiesOf(tx, charges);
  const bySubscription = Map.groupBy(news, ({ after }) => keyText(subscriptionOf(after)));
  // A row is changed once per statement, so that a second charge of a subscription waits for the next round.
  for (let round = 0; [...bySubscription.values()].some((each) => round < each.length); round++) {
    const due = [...bySubscription].flatMap(([key, each]) => {
      const [before, charge] = [rows.get(key), each[round]];
      return before && charge ? [{ before, charge }] : [];
    });
    const told = await tellRound(services, tx, due, policyOf, now);
    for (const { subscription } of told) rows.set(keyText(subscription), subscription);
  }
}

/** A subscription before it is told of a charge that has changed. */
interface Untold {
  readonly before: Row;
  readonly charge: Changed;
}

/** A subscription that was told of a charge, both as they are then. */
interface Told {
  readonly before: Row;
  readonly subscription: Row;
  readonly charge: Row;
}

async function tellRound(
  services: Services,
  tx: Db,
  due: readonly Untold[],
  policyOf: (row: Row) => BillingPolicy,
  now: Micros,
): Promise<readonly Told[]> {
  const changes = due.map(({ before, charge }) => {
    const { set, ...decision } = decideCharged(before, charge.after, policyOf(charge.after), now);
    return { before, ...decision, set: { ...set, ...heldBy(before, charge) } };
  });
  const after = await applyDecisions(services, tx, 'payment_subscriptions', now, changes);
  const told = due.map(({ before, charge }, at) => {
    return { before, charge: charge.after, subscription: after[at] as Row };
  });
  await settlePeriods(tx, told.flatMap(settledOf));
  await markUnpaid(
    tx,
    told.filter(isInVain).map(({ charge }) => keyOf(charge)),
  );
  await writeLetters(services, tx, lettersOfFailures(services, told, policyOf, now), now);
  return told;
}

/** A charge that fails once its subscription has ended is not tried again. */
const isInVain = ({ before, charge }: Told): boolean =>
  charge.status === 'failed' && before.status === 'cancelled';

/** What was paid after it had failed, or for another time than it was made for; nothing of all other charges. */
function settledOf(told: Told): SettledCharge[] {
  const { charge } = told;
  if (charge.status !== 'succeeded' && charge.status !== 'canceled') return [];
  const moved = movedTo(told);
  if (!moved && !charge.failed_at) return [];
  return [
    {
      ...keyOf(charge),
      by_credit: charge.status === 'canceled',
      ...(charge.billing_reason !== 'change' && { amount_cents: String(worthOf(charge)) }),
      ...(moved && { moved }),
    },
  ];
}

/** A first charge that is paid late pays for the period that runs then; what was before it had none. */
function movedTo({ before, charge, subscription }: Told): SettledCharge['moved'] {
  const { current_period_start_at: start_at, current_period_end_at: end_at } = subscription;
  if (before.status !== 'pending' || charge.billing_reason !== 'first') return undefined;
  if (!start_at || !end_at || isSameInstant(start_at, charge.period_start_at)) return undefined;
  return { start_at, end_at };
}

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
