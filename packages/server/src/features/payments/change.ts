import type { RequestContext } from '../../jsonapi/behaviour.ts';
import { requireMatch } from '../../jsonapi/etag.ts';
import type { Model } from '../../jsonapi/model.ts';
import type { Micros } from '../../kernel/clock.ts';
import type { Gate } from '../../kernel/gate.ts';
import type { Row } from '../../store/row.ts';
import { referencesOf } from '../records/plain.ts';
import type { Decision, Updater } from '../records/updater.ts';
import { type Standing, wrongState } from '../records/wrong-state.ts';
import type { Services } from '../services.ts';
import { chargedFor, decideRetry } from '../subscriptions/charged.ts';
import { requireBilling } from '../subscriptions/decide.ts';
import { retryCharge } from '../subscriptions/retry.ts';
import { pick, staleAuthentication } from './columns.ts';
import { checkCurrency, refuseIncomplete } from './create.ts';
import { allowedActions, due, intentTrigger, isChangeable } from './decide.ts';
import { checkChangedPurchase, withLineItems } from './line-items.ts';

/** `PATCH /v2/payment_demands/{id}`: prepares an intent, or a failed demand before it is tried again. */
export const updatePaymentDemand =
  (model: Model, update: Updater) =>
  (ctx: RequestContext, id: string, sent: Row): Promise<Row> => {
    const columns = withLineItems(sent, ctx.now());
    if (columns.amount_currency) checkCurrency(ctx, columns.amount_currency);
    return update({
      scope: ctx.scope,
      id,
      if_match: ctx.if_match,
      idempotency: ctx.idempotency,
      references: referencesOf(model, columns),
      decide: (row, now) => decideUpdate(ctx, row, columns, now),
    });
  };

function decideUpdate(ctx: RequestContext, row: Row, columns: Row, now: Micros): Decision {
  refuseState(row, 'update', isChangeable(row.status as string));
  refuseChargedFor(row, columns);
  checkChangedPurchase(row, columns);
  const set = { ...columns, ...staleAuthentication(row, columns) };
  const trigger = intentTrigger({ ...row, ...set }, ctx.settings.threeds, now);
  return {
    set,
    events: row.status === 'failed' ? ['updated'] : [],
    ...(trigger && { trigger }),
  };
}

/** Throws 405 where a subscription says what the payment is for: a retry takes that from it. */
function refuseChargedFor(row: Row, columns: Row): void {
  const { payment_subscription_id } = row;
  if (!payment_subscription_id) return;
  const fixed = ['amount_cents', ...chargedFor].filter((column) => column in columns);
  if (fixed.length === 0) return;
  const hint = `Its subscription says them: update payment_subscriptions ${payment_subscription_id} instead; the next try takes them over.`;
  throw wrongState(standingOf(row), `an update of ${fixed.join(', ')} by itself`, hint);
}

/** `PATCH /v2/payment_demands/{id}/confirm`: the payment becomes due; on a failed demand it is tried again. */
export const confirmPaymentDemand =
  (services: Services, model: Model, update: Updater, gate: Gate) =>
  async (ctx: RequestContext, id: string): Promise<Row> => {
    const row = await update({
      scope: ctx.scope,
      id,
      if_match: ctx.if_match,
      idempotency: ctx.idempotency,
      stillNeeded: (before) => referencesOf(model, pick(before, ['payment_method_id'])),
      decide: (before, now) => decideConfirm(ctx, before, now),
    }).catch((error: unknown) => {
      if (!(error instanceof OfSubscription)) throw error;
      return gate(() => confirmCharge(services, ctx, error.charge));
    });
    services.wake.authorise.raise();
    services.wake.deliver.raise();
    return row;
  };

/** The payment is a charge of a subscription, which has a say in its confirmation and is locked with it. */
class OfSubscription extends Error {
  override name = 'OfSubscription';
  readonly charge: Row;

  constructor(charge: Row) {
    super('the payment belongs to a subscription');
    this.charge = charge;
  }
}

async function confirmCharge(services: Services, ctx: RequestContext, charge: Row): Promise<Row> {
  const retried = await retryCharge(services, charge, charge, ctx, (before, subscription, now) => {
    requireMatch(ctx.if_match, before);
    requireConfirmable(ctx, before, now);
    requireBilling(subscription);
    return decideRetry(before, subscription, now);
  });
  return retried.charge;
}

function requireConfirmable({ settings }: RequestContext, row: Row, now: Micros): void {
  refuseState(row, 'confirm', allowedActions(row.status as string).includes('confirm'));
  refuseIncomplete(row, settings.threeds, now);
}

function decideConfirm(ctx: RequestContext, row: Row, now: Micros): Decision {
  const { settings } = ctx;
  requireConfirmable(ctx, row, now);
  if (row.payment_subscription_id) throw new OfSubscription(row);
  return {
    trigger: 'confirm',
    set: {
      ...due(now),
      confirmed: 'true',
      payer_timezone: row.payer_timezone ?? settings.timezone,
    },
    events: row.status === 'failed' ? ['updated'] : ['created', 'updated'],
  };
}

/** Throws the 405 unless it is allowed. */
function refuseState(row: Row, action: string, allowed: boolean): void {
  if (!allowed) throw wrongState(standingOf(row), action);
}

function standingOf({ status }: Row): Standing {
  const state = status as string;
  return { noun: 'payment demand', state, actions: allowedActions(state) };
}
