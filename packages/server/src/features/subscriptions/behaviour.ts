import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import { type Micros, microsOf } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { writeEmails } from '../emails/write.ts';
import { withCurrencies } from '../payments/line-items.ts';
import { createCreator } from '../records/creator.ts';
import { updaterOf } from '../records/plain.ts';
import type { Decision, Updater } from '../records/updater.ts';
import { createChargingLimiter, makeFirstCharges } from './billing/charge.ts';
import { insertPeriods, skippedPeriod } from './billing/periods.ts';
import { updatePaymentSubscription } from './change.ts';
import { confirmPaymentSubscription } from './confirm.ts';
import { createPaymentSubscription } from './create.ts';
import { makeCustomerLink, revokeCustomerLinks } from './customer-links/customer-links.ts';
import { decideCancel, decidePause, decideResume, isConfirmed } from './decide.ts';
import { emailsOfEnd, emailsOfPlannedEnd } from './notices.ts';
import { skippedTime } from './skipped.ts';
import { markEndedUnpaid } from './sql/subscription-periods.ts';

/**
 * Changes subscriptions by their state machine and emits events. Makes the first charges of newly
 * confirmed subscriptions.
 */
export function subscriptionUpdater(services: Services): Updater {
  const model = services.models.get('payment_subscriptions');
  return updaterOf(services, model, {
    async followOnChanges(tx, changedSubscriptions, now) {
      await makeFirstCharges(services, tx, changedSubscriptions, now);
      await insertPeriods(services, tx, pausedPeriods(changedSubscriptions, now));
      const endedSubscriptions = changedSubscriptions.filter(hasEnded);
      await markEndedUnpaid(
        tx,
        endedSubscriptions.map(({ after }) => keyOf(after)),
      );
      const emails = [
        ...endedSubscriptions.flatMap(({ after }) => emailsOfEnd(services, after, now)),
        ...changedSubscriptions.flatMap((change) => emailsOfPlannedEnd(services, change, now)),
      ];
      await writeEmails(services, tx, emails, now);
    },
  });
}

export function paymentSubscriptionBehaviour(services: Services, model: Model): Behaviour {
  const update = subscriptionUpdater(services);
  const create = createCreator(services, model.table);
  const chargingLimiter = createChargingLimiter();
  return {
    create: (ctx, _input, record) =>
      createPaymentSubscription(services, { create, charging: chargingLimiter }, ctx, record),
    update: (ctx, id, _input, columns) =>
      updatePaymentSubscription(model, update, ctx, id, columns),
    actions: {
      confirm: (ctx, id) =>
        confirmPaymentSubscription(services, { update, charging: chargingLimiter }, ctx, id),
      pause: (ctx, id) => changeByDecision(services, update, decidePause, ctx, id),
      resume: (ctx, id) => changeByDecision(services, update, decideResume, ctx, id),
      cancel: (ctx, id) => changeByDecision(services, update, decideCancel, ctx, id),
      customer_link: (ctx, id, input) => makeCustomerLink(services, update, ctx, id, input),
      revoke_customer_links: (ctx, id) => revokeCustomerLinks(update, ctx, id),
    },
    comparedRow: withCurrencies,
  };
}

const hasEnded = ({ before, after }: ChangedRow): boolean =>
  before.status !== 'cancelled' && after.status === 'cancelled' && isConfirmed(after);

/** Skipped periods of resumed subscriptions, starting at the first due time in the pause. */
const pausedPeriods = (changedSubscriptions: readonly ChangedRow[], now: Micros): Row[] =>
  changedSubscriptions
    .filter(({ before, after }) => before.status === 'paused' && after.status === 'active')
    .flatMap(({ before, after }) =>
      skippedTime(before, nextOf(before), nextOf(after), 'paused').map((period) =>
        skippedPeriod(before, period, now),
      ),
    );

const nextOf = ({ next_billing_at }: Row): Micros => microsOf(next_billing_at as string);

type Decide = (row: Row, now: Micros, asked_by: RequestContext['asked_by']) => Decision;

async function changeByDecision(
  { wake }: Services,
  update: Updater,
  decide: Decide,
  ctx: RequestContext,
  id: string,
): Promise<Row> {
  const { scope, if_match, idempotency, asked_by } = ctx;
  const target = { scope, id, if_match, idempotency };
  const row = await update({ ...target, decide: (row, now) => decide(row, now, asked_by) });
  wake.deliver.raise();
  return row;
}
