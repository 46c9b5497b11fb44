import type { RequestContext } from '../../jsonapi/behaviour.ts';
import type { Model } from '../../jsonapi/model.ts';
import { isTrue, type Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { changedReferencesOf } from '../payments/card.ts';
import { staleAuthentication } from '../payments/columns.ts';
import { checkCurrency } from '../payments/create.ts';
import { changedItems, checkChangedPurchase, withCurrencies } from '../payments/line-items.ts';
import { conditionsOf, type Decision, type Updater } from '../records/updater.ts';
import { wrongState } from '../records/wrong-state.ts';
import { checkChangedAmount } from '../risk/amounts.ts';
import { retriedSooner } from './billing/charged.ts';
import { checkEnd, checkTimes } from './billing/times.ts';
import { refuseIncompleteSubscription } from './complete.ts';
import { isConfirmed, recordStateOf, requireAction } from './decide.ts';
import { isChangingPeriod, isOtherPrice, priceSet } from './previous-plan.ts';

/**
 * Columns that can change after the confirmation: content and payment method of later charges, and
 * notice addresses. Billing times cannot.
 */
const amendable: ReadonlySet<string> = new Set([
  'amount_cents',
  'description',
  'discount_cents',
  'line_items',
  'shipping_detail',
  'tax_detail',
  'email_receipt',
  'alert_receipt',
  'subscription_notification_email',
  'canceled_at_period_end',
  'charges_max',
  'end_at',
  'payment_method_id',
]);

/**
 * `PATCH /v2/payment_subscriptions/{id}`: changes an intent, or the later charges of a confirmed
 * subscription.
 */
export const updatePaymentSubscription = (
  model: Model,
  update: Updater,
  ctx: RequestContext,
  id: string,
  sentColumns: Row,
): Promise<Row> =>
  update({
    ...conditionsOf(ctx, id),
    columns: withCurrencies(sentColumns),
    references: (row, changedRow) => changedReferencesOf(model, row, changedRow),
    decide: (row, now, changedRow) =>
      decideUpdate(ctx, row, changedItems(row, changedRow, now), now),
  });

function decideUpdate(ctx: RequestContext, row: Row, columns: Row, now: Micros): Decision {
  requireAction(row, 'update');
  if (isConfirmed(row)) requireAmendable(row, columns);
  checkTimes(columns, now);
  if (columns.amount_currency) checkCurrency(ctx, columns.amount_currency);
  checkChangedPurchase(row, columns);
  checkChangedAmount(ctx, row, columns);
  if (columns.end_at || columns.trial_end_at) checkEnd({ ...row, ...columns }, columns);
  const set = { ...columns, ...staleAuthentication(row, columns) };
  if (!isConfirmed(row)) return { set, events: [] };
  requireOwnPrice(row, columns);
  refuseIncompleteSubscription({ ...row, ...set }, { threeds: 'off' }, now);
  const derivedColumns = {
    ...retriedSooner(row, columns, now),
    ...plannedEndColumns(ctx, row, columns),
    ...priceSet(row, columns),
  };
  return { set: { ...set, ...derivedColumns }, events: ['updated'] };
}

/** Throws 405 for columns that cannot change after the confirmation. */
function requireAmendable(row: Row, columns: Row): void {
  const fixedColumns = Object.keys(columns).filter((column) => !amendable.has(column));
  if (fixedColumns.length === 0) return;
  const hint = `A confirmed subscription can only change ${namesOf([...amendable])}.`;
  throw wrongState(recordStateOf(row), `an update of ${namesOf(fixedColumns)}`, hint);
}

/**
 * Throws 405 for a new price while a change of period awaits payment, because the price would be
 * for the other period.
 */
function requireOwnPrice(row: Row, columns: Row): void {
  if (!isChangingPeriod(row) || !isOtherPrice(row, columns)) return;
  const hint =
    'A change of billing_period is being charged. Change the price after that charge has an outcome.';
  throw wrongState(recordStateOf(row), 'another amount_cents', hint);
}

/**
 * Columns that record who requested an end with the period. A repeated request does not change
 * them.
 */
const plannedEndColumns = ({ asked_by }: RequestContext, row: Row, columns: Row): Row =>
  'canceled_at_period_end' in columns &&
  isTrue(columns.canceled_at_period_end) !== isTrue(row.canceled_at_period_end)
    ? { cancel_asked_by: asked_by ?? null }
    : {};

const namesOf = (columns: readonly string[]): string =>
  columns.map((column) => column.replace(/_id$/, '')).join(', ');
