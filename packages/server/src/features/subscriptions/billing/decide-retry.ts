import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros, microsOf } from '../../../platform/time/clock.ts';
import {
  authenticationColumns,
  billedColumns,
  pickColumns,
  staleAuthentication,
} from '../../payments/columns.ts';
import { dueSet } from '../../payments/decide.ts';
import type { Decision } from '../../records/updater.ts';
import { wrongState } from '../../records/wrong-state.ts';
import { recordStateOf } from '../decide.ts';
import { billedAt, dueAt } from './billing.ts';
import { afterCredit } from './cycle.ts';
import { priceOf } from './tally.ts';

/**
 * Retries a failed charge for the same period, at the subscription's current price less credit. Sends nothing if credit
 * covers the price or leaves too little to charge. `card`, from `newCard`, replaces the card. Throws 405 for a given-up
 * change.
 */
export function decideRetry(charge: Row, subscription: Row, now: Micros, card: Row = {}): Decision {
  if (charge.billing_reason === 'change' && wasGivenUp(charge, subscription)) {
    throw changeGivenUp(subscription);
  }
  const price = priceNow(charge, subscription);
  const { charge: remainingCharge } = afterCredit(subscription, price);
  if (remainingCharge === undefined) return paidByCredit(price, now);
  const newValues: Row = {
    ...pickColumns(subscription, billedColumns),
    ...card,
    amount_cents: String(remainingCharge),
    credit_used_cents: String(price - remainingCharge),
  };
  const proof = newValues.payment_method_id
    ? proofOf(subscription, newValues)
    : staleAuthentication(charge, newValues);
  return {
    trigger: 'confirm',
    set: { ...dueSet(now), ...newValues, ...proof },
    events: ['updated'],
  };
}

/**
 * Error 405: the price of a given-up change depends on time that other changes may have used since.
 */
const changeGivenUp = (subscription: Row): Error =>
  wrongState(
    recordStateOf(subscription),
    'confirm of the charge of a change that was given up',
    'Ask for the change again: POST /v2/subscription_changes.',
  );

const paidByCredit = (price: number, now: Micros): Decision => ({
  trigger: 'cancel',
  set: {
    cancellation_reason: 'paid_by_credit',
    canceled_at: instantText(now),
    credit_used_cents: String(price),
  },
  events: ['updated'],
});

/** Authentication columns for a charge; none if its amount differs from the authenticated price. */
export const proofOf = (subscription: Row, { amount_cents }: Row): Row =>
  pickColumns(
    amount_cents === subscription.amount_cents ? subscription : {},
    authenticationColumns,
  );

/**
 * Price of a retry in minor units, before credit. Changes and given-up charges keep their price;
 * other charges cost the current price, or their share of it for a part of a period.
 */
function priceNow(charge: Row, subscription: Row): number {
  if (charge.billing_reason === 'change' || wasGivenUp(charge, subscription))
    return priceOf(charge);
  if (charge.period_start_at) return dueAt(subscription, microsOf(charge.period_start_at)).amount;
  return billedAt(subscription, microsOf(charge.created_at as string))?.amount ?? priceOf(charge);
}

const wasGivenUp = ({ id }: Row, { status, past_due_charge_id }: Row): boolean =>
  status !== 'pending' && past_due_charge_id !== id;

/** Columns of the subscription's card, if it differs from the charge's card. */
export const newCard = (charge: Row, subscription: Row): Row =>
  charge.payment_method_id === subscription.payment_method_id
    ? {}
    : pickColumns(subscription, ['payment_method_id']);
