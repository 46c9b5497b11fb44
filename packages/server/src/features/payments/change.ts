import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { requireCharging } from '../merchants/status-checks.ts';
import { referencesOf } from '../records/plain.ts';
import { conditionsOf, type Decision, type Updater } from '../records/updater.ts';
import { type RecordState, wrongState } from '../records/wrong-state.ts';
import { checkChangedAmount } from '../risk/amounts.ts';
import { changedReferencesOf, requireFirstApproval } from './card.ts';
import { billedColumns, pickColumns, staleAuthentication } from './columns.ts';
import { checkCurrency, refuseIncomplete } from './create.ts';
import { allowedActions, dueSet, intentTrigger, isChangeable } from './decide.ts';
import { endHold } from './hold.ts';
import { changedItems, checkChangedPurchase, withCurrencies } from './line-items.ts';
import { requireRouteOf } from './require-route.ts';

/** `PATCH /v2/payment_demands/{id}`: changes an intent, or a failed demand before its retry. */
export function updatePaymentDemand(
  services: Services,
  update: Updater,
  ctx: RequestContext,
  id: string,
  sentColumns: Row,
): Promise<Row> {
  const model = services.models.get('payment_demands');
  return update({
    ...conditionsOf(ctx, id),
    columns: withCurrencies(sentColumns),
    references: (row, changed) => changedReferencesOf(model, row, changed),
    decide: (row, now, changed) => decideUpdate(ctx, row, changedItems(row, changed, now), now),
  });
}

function decideUpdate(ctx: RequestContext, row: Row, columns: Row, now: Micros): Decision {
  refuseState(row, 'update', isChangeable(row.status as string));
  if (columns.amount_currency) checkCurrency(ctx, columns.amount_currency);
  refuseChargedFor(row, columns);
  checkChangedPurchase(row, columns);
  checkChangedAmount(ctx, row, columns);
  const set = { ...columns, ...staleAuthentication(row, columns) };
  const trigger = intentTrigger({ ...row, ...set }, ctx.settings, now);
  return {
    set,
    events: row.status === 'failed' ? ['updated'] : [],
    ...(trigger && { trigger }),
  };
}

/**
 * Throws 405 for columns of a charge that its subscription determines. A retry copies them from the
 * subscription.
 */
function refuseChargedFor(row: Row, columns: Row): void {
  const { payment_subscription_id } = row;
  if (!payment_subscription_id) return;
  const fixedColumns = ['amount_cents', ...billedColumns].filter((column) => column in columns);
  if (fixedColumns.length === 0) return;
  const hint = `The subscription decides these values. Update payment_subscriptions ${payment_subscription_id}; the next attempt uses them.`;
  throw wrongState(recordStateOf(row), `a direct update of ${fixedColumns.join(', ')}`, hint);
}

/** Confirms a charge, which also depends on its subscription. */
export type ConfirmCharge = (ctx: RequestContext, charge: Row) => Promise<Row>;

/**
 * Functions that confirm payments: `update` for single payments, `confirmCharge` for charges of
 * subscriptions.
 */
export interface Confirmations {
  readonly update: Updater;
  readonly confirmCharge: ConfirmCharge;
}

/** `PATCH /v2/payment_demands/{id}/confirm`: makes a payment due. A failed demand is retried. */
export async function confirmPaymentDemand(
  services: Services,
  { update, confirmCharge }: Confirmations,
  ctx: RequestContext,
  id: string,
): Promise<Row> {
  requireCharging(services, ctx);
  await requireRouteOf(services, ctx.scope, id);
  const model = services.models.get('payment_demands');
  const confirm = (hasFirstApproval: boolean) =>
    update({
      ...conditionsOf(ctx, id),
      references: (row) => referencesOf(model, pickColumns(row, ['payment_method_id'])),
      decide: (row, now) => decideConfirm(ctx, row, now, hasFirstApproval),
    });
  const row = await confirm(false).catch(async (error: unknown) => {
    if (!(error instanceof NeedsCheck)) throw error;
    const { payment } = error;
    if (payment.payment_subscription_id) return confirmCharge(ctx, payment);
    await requireFirstApproval(services, payment);
    return confirm(true);
  });
  services.wake.authorise.raise();
  services.wake.deliver.raise();
  return row;
}

/**
 * The confirmation depends on other records: on the charge's subscription, or on earlier payments
 * with the card.
 */
class NeedsCheck extends Error {
  override name = 'NeedsCheck';
  readonly payment: Row;

  constructor(payment: Row) {
    super('the confirmation depends on other records');
    this.payment = payment;
  }
}

/** Throws if the payment's state does not allow a confirmation, or required values are missing. */
export function requireConfirmable({ settings }: RequestContext, row: Row, now: Micros): void {
  refuseState(row, 'confirm', allowedActions(row.status as string).includes('confirm'));
  refuseIncomplete(row, settings, now);
}

/** Decides a confirmation. `hasFirstApproval`: an earlier payment with the card was approved. */
function decideConfirm(
  ctx: RequestContext,
  row: Row,
  now: Micros,
  hasFirstApproval: boolean,
): Decision {
  const { settings } = ctx;
  requireConfirmable(ctx, row, now);
  if (row.payment_subscription_id) throw new NeedsCheck(row);
  if (row.initiator === 'merchant' && !hasFirstApproval) throw new NeedsCheck(row);
  return {
    trigger: 'confirm',
    set: {
      ...dueSet(now),
      confirmed: 'true',
      payer_timezone: row.payer_timezone ?? settings.timezone,
    },
    events: row.status === 'failed' ? ['updated'] : ['created', 'updated'],
  };
}

/** `PATCH /v2/payment_demands/{id}/cancel`: cancels an intent. */
export const cancelPaymentDemand = (
  update: Updater,
  ctx: RequestContext,
  id: string,
): Promise<Row> =>
  update({
    ...conditionsOf(ctx, id),
    decide: (row, now) => {
      refuseState(row, 'cancel', allowedActions(row.status as string).includes('cancel'));
      const set = { cancellation_reason: 'requested', canceled_at: instantText(now) };
      return { trigger: 'cancel', set, events: [] };
    },
  });

/** `PATCH /v2/payment_demands/{id}/void`: releases what is left of an authorisation hold. */
export async function voidPaymentDemand(
  services: Services,
  update: Updater,
  ctx: RequestContext,
  id: string,
): Promise<Row> {
  const row = await update({
    ...conditionsOf(ctx, id),
    decide: (row, now) => {
      refuseState(row, 'void', allowedActions(row.status as string).includes('void'));
      return endHold(row, 'requested', now);
    },
  });
  services.wake.deliver.raise();
  return row;
}

/** Throws 405 unless the action is allowed. */
function refuseState(row: Row, action: string, isAllowed: boolean): void {
  if (!isAllowed) throw wrongState(recordStateOf(row), action);
}

function recordStateOf({ status, amount_refundable_cents }: Row): RecordState {
  const state = status as string;
  const isRefunded = Number(amount_refundable_cents) === 0;
  const actions = allowedActions(state).filter((action) => action !== 'refund' || !isRefunded);
  return { noun: 'payment demand', state, actions };
}
