import type { Problem } from '@florin/contract/errors.ts';
import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Limiter } from '../../platform/concurrency/limiter.ts';
import { insertRecords } from '../../platform/database/create.ts';
import type { Row } from '../../platform/database/row.ts';
import type { ChangedRow } from '../../platform/database/transition.ts';
import type { NewEvent } from '../../platform/outbox/events.ts';
import type { Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { requireCharging } from '../merchants/status-checks.ts';
import { paymentReferencesOf } from '../payments/card.ts';
import { assertedBySender } from '../payments/columns.ts';
import { checkCurrency } from '../payments/create.ts';
import { checkPurchase, withLineItems } from '../payments/line-items.ts';
import { requireSubscriptionRoute } from '../payments/require-route.ts';
import type { CreateItem, Creator } from '../records/creator.ts';
import { eventAbout } from '../records/emit.ts';
import { keyTaken } from '../records/keys.ts';
import { invalidReferences } from '../records/references.ts';
import { checkAmount } from '../risk/amounts.ts';
import { makeFirstCharges } from './billing/charge.ts';
import { checkEnd, checkTimes } from './billing/times.ts';
import { refuseIncompleteSubscription } from './complete.ts';
import { decideConfirm } from './decide.ts';

/**
 * `POST /v2/payment_subscriptions`: creates an intent, or with `confirmed: true` an active
 * subscription.
 */
export async function createPaymentSubscription(
  services: Services,
  { create, charging: chargingLimiter }: { readonly create: Creator; readonly charging: Limiter },
  ctx: RequestContext,
  record: Row,
): Promise<Row> {
  requireCharging(services, ctx);
  checkCurrency(ctx, record.amount_currency as string);
  checkAmount(ctx, record);
  const now = ctx.now();
  checkTimes(record, now);
  checkEnd(record, record);
  const intent = {
    ...withLineItems(record, now),
    ...assertedBySender(record),
    confirmed: 'false',
    status: 'pending',
  };
  checkPurchase(intent);
  await requireSubscriptionRoute(services, { ...intent, ...ctx.scope });
  if (record.confirmed !== 'true') return create(itemOf(services, ctx, intent, []));
  refuseIncompleteSubscription(intent, ctx.settings, now, ctx.idempotency ? [] : [noKey]);
  const row = activatedRow(intent, ctx, now);
  const item = itemOf(services, ctx, row, [eventAbout(modelOf(services), row, 'created', now)]);
  const change = { before: intent, after: row };
  const store = () => createWithCharge(services, ctx, item, change, now);
  await chargingLimiter.run(store, ctx.scope.merchant_id);
  services.wake.authorise.raise();
  services.wake.deliver.raise();
  return row;
}

/**
 * Error for a missing idempotency key: a client must be able to repeat the request without a second
 * charge.
 */
const noKey: Problem = {
  code: 'blank',
  detail:
    'A subscription with confirmed: true needs an idempotency_key, or the header Idempotency-Key.',
  source: { pointer: '/data/attributes/idempotency_key' },
};

const modelOf = ({ models }: Services): Model => models.get('payment_subscriptions');

const itemOf = (
  services: Services,
  { idempotency }: RequestContext,
  row: Row,
  events: readonly NewEvent[],
): CreateItem => ({
  record: { row, events, idempotency },
  references: paymentReferencesOf(modelOf(services), row),
});

function activatedRow(intent: Row, { settings }: RequestContext, now: Micros): Row {
  const payer_timezone = intent.payer_timezone ?? settings.timezone;
  const { set } = decideConfirm(intent, now, true);
  return { ...intent, ...set, payer_timezone, status: 'active' };
}

/**
 * Stores a subscription and its first charge, or neither. If the connection breaks at the commit,
 * the key shows whether it succeeded.
 */
async function createWithCharge(
  services: Services,
  { scope }: RequestContext,
  item: CreateItem,
  confirmedChange: ChangedRow,
  now: Micros,
): Promise<void> {
  const { db, catalog } = services;
  const brokenReferences = await invalidReferences(db, [item], () => scope);
  for (const error of brokenReferences.values()) throw error;
  await db.transaction(async (tx) => {
    const [subscription] = await insertRecords(tx, catalog, 'payment_subscriptions', [item.record]);
    if (subscription?.outcome !== 'created') throw keyTaken();
    await makeFirstCharges(services, tx, [confirmedChange], now);
  });
}
