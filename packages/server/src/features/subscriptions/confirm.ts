import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { requireMatch } from '../../jsonapi/etag.ts';
import { notFound } from '../../jsonapi/problems.ts';
import type { Limiter } from '../../platform/concurrency/limiter.ts';
import type { Row } from '../../platform/database/row.ts';
import { findNewestRow, findRow } from '../../platform/database/rows.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { requireCharging } from '../merchants/status-checks.ts';
import { paymentReferencesOf } from '../payments/card.ts';
import { pickColumns } from '../payments/columns.ts';
import { refuseIncomplete as refusePaymentIncomplete } from '../payments/create.ts';
import { requireSubscriptionRoute } from '../payments/require-route.ts';
import type { Decision, Updater } from '../records/updater.ts';
import { wrongState } from '../records/wrong-state.ts';
import { requireNotOver } from './billing/billing.ts';
import { decideRetry, newCard } from './billing/decide-retry.ts';
import { retryCharge } from './billing/retry.ts';
import { refuseIncompleteSubscription } from './complete.ts';
import {
  decideConfirm,
  isConfirmed,
  recordStateOf,
  requireAction,
  requireIntent,
} from './decide.ts';

/**
 * `PATCH /v2/payment_subscriptions/{id}/confirm`: confirms an intent, or retries the failed charge
 * of a confirmed subscription.
 */
export async function confirmPaymentSubscription(
  services: Services,
  { update, charging: chargingLimiter }: { readonly update: Updater; readonly charging: Limiter },
  ctx: RequestContext,
  id: string,
): Promise<Row> {
  requireCharging(services, ctx);
  const subscription = await findRow(services.db, 'payment_subscriptions', ctx.scope, id);
  if (!subscription) throw notFound();
  await requireSubscriptionRoute(services, subscription);
  const row = isConfirmed(subscription)
    ? await chargingLimiter.run(
        () => retryFailed(services, ctx, subscription),
        ctx.scope.merchant_id,
      )
    : await confirmIntent(services, update, ctx, id);
  services.wake.authorise.raise();
  services.wake.deliver.raise();
  return row;
}

const confirmIntent = (
  { models }: Services,
  update: Updater,
  ctx: RequestContext,
  id: string,
): Promise<Row> =>
  update({
    scope: ctx.scope,
    id,
    if_match: ctx.if_match,
    idempotency: ctx.idempotency,
    references: (row) =>
      paymentReferencesOf(
        models.get('payment_subscriptions'),
        pickColumns(row, ['payer_id', 'payment_method_id']),
      ),
    decide(row, now) {
      requireIntent(row);
      refuseIncompleteSubscription(row, ctx.settings, now);
      const decision = decideConfirm(row, now, false);
      const payer_timezone = row.payer_timezone ?? ctx.settings.timezone;
      return { ...decision, set: { ...decision.set, payer_timezone } };
    },
  });

async function retryFailed(services: Services, ctx: RequestContext, row: Row): Promise<Row> {
  requireMatch(ctx.if_match, row);
  requireAction(row, 'confirm');
  const failedChargeFilter = { payment_subscription_id: row.id as string, status: 'failed' };
  const charge = await findNewestRow(services.db, 'payment_demands', ctx.scope, failedChargeFilter);
  if (!charge) throw wrongState(recordStateOf(row), 'confirm');
  const decide = (lockedCharge: Row, subscription: Row, now: Micros): Decision => {
    requireMatch(ctx.if_match, subscription);
    requireAction(subscription, 'confirm');
    if (lockedCharge.status !== 'failed') throw wrongState(recordStateOf(subscription), 'confirm');
    requireNotOver(subscription, now);
    const retry = decideRetry(lockedCharge, subscription, now, newCard(lockedCharge, subscription));
    refusePaymentIncomplete({ ...lockedCharge, ...retry.set }, ctx.settings, now);
    return retry;
  };
  return (await retryCharge(services, charge, row, ctx, decide)).subscription;
}
