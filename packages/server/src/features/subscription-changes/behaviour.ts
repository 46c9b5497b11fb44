import { problem } from '@florin/contract/errors.ts';
import type { Behaviour, RequestContext } from '../../jsonapi/behaviour.ts';
import { insertRecords } from '../../platform/database/create.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { findRow } from '../../platform/database/rows.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { findFirstApprovals } from '../attempts/sql/first-approvals.ts';
import { requireCharging } from '../merchants/status-checks.ts';
import { paymentReferencesOf } from '../payments/card.ts';
import { subscriptionOf } from '../payments/columns.ts';
import { requireSubscriptionRoute } from '../payments/require-route.ts';
import { applyDecisions } from '../records/apply-decisions.ts';
import { keyTaken } from '../records/keys.ts';
import { referencesOf } from '../records/plain.ts';
import { invalidReferences, type NamedReference } from '../records/references.ts';
import { checkAmount } from '../risk/amounts.ts';
import { createChargingLimiter, makeCharges } from '../subscriptions/billing/charge.ts';
import { chargedPeriod, insertPeriods, skippedPeriod } from '../subscriptions/billing/periods.ts';
import { chargingOf, endPeriod } from '../subscriptions/sql/subscription-periods.ts';
import { type ChangeDecision, decideChange, outcomeOf } from './decide.ts';

/**
 * Creates subscription changes with their cost. A preview is stored too, but has no other effect.
 */
export function subscriptionChangeBehaviour(services: Services): Behaviour {
  const chargingLimiter = createChargingLimiter();
  const model = services.models.get('subscription_changes');
  return {
    async create(ctx, _input, record) {
      if (record.dry_run !== 'true') requireCharging(services, ctx);
      await requireValidReferences(services.db, ctx, referencesOf(model, record));
      if (record.dry_run !== 'true') await requireChangedRoute(services, ctx, record);
      const apply = () => services.db.transaction((tx) => applyChange(services, tx, ctx, record));
      const row = await chargingLimiter.run(apply, ctx.scope.merchant_id);
      services.wake.authorise.raise();
      services.wake.deliver.raise();
      return row;
    },
  };
}

async function requireValidReferences(
  db: Db,
  { scope }: RequestContext,
  references: readonly NamedReference[],
) {
  const brokenReferences = await invalidReferences(db, [{ references }], () => scope);
  for (const error of brokenReferences.values()) throw error;
}

/** Throws 422 if no account can take the subscription's new amount. */
async function requireChangedRoute(services: Services, { scope }: RequestContext, record: Row) {
  const { payment_subscription_id: id, amount_cents } = record;
  const subscription = id && (await findRow(services.db, 'payment_subscriptions', scope, id));
  if (!subscription) return;
  await requireSubscriptionRoute(services, {
    ...subscription,
    ...(amount_cents && { amount_cents }),
  });
}

async function applyChange(
  services: Services,
  tx: Db,
  ctx: RequestContext,
  record: Row,
): Promise<Row> {
  const key = subscriptionOf(record);
  const lockedRows = await lockRows(tx, 'payment_subscriptions', [key]);
  // Reads the time after the lock, so that no other transaction changes the subscription
  // afterwards.
  const now = ctx.now();
  const subscription = lockedRows.get(keyText(key)) as Row;
  if (record.amount_cents) checkAmount(ctx, { ...subscription, amount_cents: record.amount_cents });
  const card = {
    payment_method_id: record.payment_method_id ?? null,
    payer_id: subscription.payer_id ?? null,
  };
  await requireValidReferences(
    tx,
    ctx,
    paymentReferencesOf(services.models.get('payment_subscriptions'), card),
  );
  if ((await chargingOf(tx, [key])).size > 0) throw chargeInFlight();
  const changeDecision = decideChange(subscription, record, now);
  const outcome = outcomeOf(changeDecision, { ...subscription, ...changeDecision.set });
  const row = { ...record, created_at: instantText(now), ...outcome };
  const appliedColumns =
    record.dry_run === 'true'
      ? {}
      : await applyToSubscription(services, tx, subscription, changeDecision, now);
  const storedChange = { ...row, ...appliedColumns };
  const item = { row: storedChange, events: [], idempotency: ctx.idempotency };
  const [result] = await insertRecords(tx, services.catalog, 'subscription_changes', [item]);
  if (result?.outcome !== 'created') throw keyTaken();
  return storedChange;
}

/** Error 422 while a charge is in flight: the rest of an unpaid period has no known value. */
const chargeInFlight = (): Error =>
  problem(
    'invalid',
    'A charge of the subscription is in flight. Change the subscription after the charge has an outcome.',
    { pointer: '/data/relationships/payment_subscription' },
  );

/** Applies a change to its subscription. Returns the change's columns, with its charge. */
async function applyToSubscription(
  services: Services,
  tx: Db,
  subscription: Row,
  changeDecision: ChangeDecision,
  now: Micros,
): Promise<Row> {
  const decision = { before: subscription, set: changeDecision.set, events: ['updated'] };
  const [changedSubscription] = await applyDecisions(services, tx, 'payment_subscriptions', now, [
    decision,
  ]);
  const charge = await chargeChange(services, tx, changedSubscription as Row, changeDecision, now);
  if (changeDecision.opens) {
    await endPeriod(tx, keyOf(subscription), instantText(now));
    await insertPeriods(services, tx, [
      openedPeriod(changedSubscription as Row, charge, changeDecision, now),
    ]);
  }
  return charge ? { payment_demand_id: charge.id as string } : {};
}

async function chargeChange(
  services: Services,
  tx: Db,
  subscription: Row,
  { charge: plan }: ChangeDecision,
  now: Micros,
): Promise<Row | undefined> {
  if (!plan) return undefined;
  const approvals = await findFirstApprovals(tx, [subscription]);
  const charge = { subscription, plan, by_merchant: approvals.size > 0 };
  const [row] = await makeCharges(services, tx, [charge], now);
  return row;
}

function openedPeriod(
  subscription: Row,
  charge: Row | undefined,
  { opens, charge: plan }: ChangeDecision,
  now: Micros,
): Row {
  const { amount, ...period } = opens as NonNullable<ChangeDecision['opens']>;
  return charge && plan
    ? chargedPeriod(charge, { ...plan, amount }, now)
    : skippedPeriod(subscription, { period, amount, skipped: 'credit' }, now);
}
