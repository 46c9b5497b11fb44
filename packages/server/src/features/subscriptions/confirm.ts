import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { requireMatch } from '../../jsonapi/etag.ts';
import { instantText } from '../../kernel/clock.ts';
import type { Db } from '../../store/db.ts';
import type { Row } from '../../store/row.ts';
import { findRow, newestRow } from '../../store/rows.ts';
import { keyText, lockRows } from '../../store/transition.ts';
import { applyChanges } from '../attempts/apply.ts';
import { keepKeys } from '../records/keys.ts';
import { notFound, type Updater } from '../records/updater.ts';
import { wrongState } from '../records/wrong-state.ts';
import type { Services } from '../services.ts';
import { refuseIncomplete } from './complete.ts';
import {
  decideConfirm,
  decideRetry,
  isConfirmed,
  requireAction,
  requireIntent,
  standingOf,
} from './decide.ts';
import { followCharges } from './follow.ts';

/** `PATCH /v2/payment_subscriptions/{id}/confirm`: makes a subscription of an intent; of one that is confirmed, tries its last failed charge again. */
export const confirmPaymentSubscription =
  (services: Services, update: Updater) =>
  async (ctx: RequestContext, id: string): Promise<Row> => {
    const known = await findRow(services.db, 'payment_subscriptions', ctx.scope, id);
    if (!known) throw notFound();
    const row = isConfirmed(known)
      ? await retryCharge(services, ctx, known)
      : await confirmIntent(update, ctx, id);
    services.wake.authorise.raise();
    services.wake.deliver.raise();
    return row;
  };

const confirmIntent = (update: Updater, ctx: RequestContext, id: string): Promise<Row> =>
  update({
    scope: ctx.scope,
    id,
    if_match: ctx.if_match,
    idempotency: ctx.idempotency,
    decide(row, now) {
      requireIntent(row);
      refuseIncomplete(row, ctx.settings.threeds);
      const decision = decideConfirm(row, now, false);
      const payer_timezone = row.payer_timezone ?? ctx.settings.timezone;
      return { ...decision, set: { ...decision.set, payer_timezone } };
    },
  });

async function retryCharge(services: Services, ctx: RequestContext, known: Row): Promise<Row> {
  const { db, clock, catalog } = services;
  requireMatch(ctx.if_match, known);
  requireAction(known, 'confirm');
  const failed = { payment_subscription_id: known.id as string, status: 'failed' };
  const charge = await newestRow(db, 'payment_demands', ctx.scope, failed);
  if (!charge) throw wrongState(standingOf(known), 'confirm');
  return db.transaction(async (tx) => {
    const now = clock.now();
    const before = await lockOne(tx, 'payment_demands', ctx, charge);
    const subscription = await lockOne(tx, 'payment_subscriptions', ctx, known);
    requireMatch(ctx.if_match, subscription);
    requireAction(subscription, 'confirm');
    if (before.status !== 'failed') throw wrongState(standingOf(subscription), 'confirm');
    const keyed = { id: known.id as string, idempotency: ctx.idempotency };
    const [kept] = await keepKeys(tx, catalog, [keyed], [subscription], instantText(now));
    if (kept instanceof Error) throw kept;
    const change = { before, ...decideRetry(before, subscription, now) };
    const changed = await applyChanges(services, tx, 'payment_demands', now, [change]);
    await followCharges(services, tx, changed, now);
    return lockOne(tx, 'payment_subscriptions', ctx, known);
  });
}

async function lockOne(
  tx: Db,
  table: string,
  { scope }: RequestContext,
  { id }: Row,
): Promise<Row> {
  const key = { merchant_id: scope.merchant_id, id: id as string };
  const rows = await lockRows(tx, table, [key]);
  return rows.get(keyText(key)) as Row;
}
