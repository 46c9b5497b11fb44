import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { findRowsByKey } from '../../platform/database/rows.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { methodOf } from '../payments/card.ts';
import { billAsOf, chargesDueOf, type DueCharge } from '../subscriptions/billing/recover.ts';
import { adoptAttempt } from './adopt.ts';
import { ask, candidatesOf, type Lead } from './ask.ts';
import { methodsOf, recordLead } from './record-lead.ts';
import { forEachAtOnce, type LearningRun, labelOf } from './run.ts';
import { dueSubscriptions } from './sql/due-subscriptions.ts';

/** Learns which periods were charged after the restored time, until no further period is found. */
export async function learnRenewals(run: LearningRun): Promise<void> {
  const { db, clock } = run.services;
  for await (const rows of dueSubscriptions(db, clock.now())) {
    await forEachAtOnce(rows.map(keyOf), async (key) => {
      let isMore = true;
      while (isMore) isMore = await learnPeriod(run, key);
    });
    await run.progress();
  }
}

/** A charge of a period, with what a processor says about it. */
interface FoundCharge {
  readonly charge: DueCharge;
  readonly lead: Lead;
  readonly isUnclear: boolean;
}

/** Learns the next charged period of a subscription. Returns whether there may be another. */
async function learnPeriod(run: LearningRun, key: ReturnType<typeof keyOf>): Promise<boolean> {
  const { db } = run.services;
  const [subscription] = await findRowsByKey(db, 'payment_subscriptions', [key]);
  if (!subscription?.payment_method_id) return false;
  const method = (await methodsOf(run, [subscription])).get(keyText(methodOf(subscription)));
  const found = method && (await findCharge(run, subscription, method));
  if (!found) return false;
  const { lead, isUnclear } = found;
  return recordLead(run, {
    lead,
    isUnclear,
    label: `renewal of ${labelOf(subscription)}`,
    adopt: () => adoptPeriod(run, subscription, found, method),
  });
}

/** The first period that was charged, or may have been. Earlier ones were not charged. */
async function findCharge(
  run: LearningRun,
  subscription: Row,
  method: Row,
): Promise<FoundCharge | undefined> {
  const { services, counts, since } = run;
  const due = await chargesDueOf(services.db, [subscription], services.clock.now());
  const candidates = candidatesOf(services, { ...subscription, initiator: 'merchant' }, method);
  for (const charge of due.get(subscription) ?? []) {
    counts.asked += 1;
    const question = { ...scopeOf(subscription), payment_id: charge.id, known: 0, candidates };
    const reply = await ask(services, question, since);
    await run.progress();
    if (reply.found !== 'nothing')
      return { charge, lead: reply.lead, isUnclear: reply.found === 'unclear' };
  }
  return undefined;
}

/**
 * Bills the period without sending its charge, and stores the attempt. Returns the charge; undefined if the subscription
 * has changed.
 */
const adoptPeriod = (
  run: LearningRun,
  subscription: Row,
  { charge, lead }: FoundCharge,
  method: Row,
): Promise<Row | undefined> =>
  run.services.db.transaction(async (tx) => {
    const rows = await lockRows(tx, 'payment_subscriptions', [keyOf(subscription)]);
    const locked = rows.get(keyText(subscription));
    if (locked?.next_billing_at !== subscription.next_billing_at) return undefined;
    const payment = await billAsOf(run.services, tx, locked as Row, charge.at);
    if (payment?.id !== charge.id) return undefined;
    await adoptAttempt(run.services, tx, payment, lead, method);
    return payment;
  });
