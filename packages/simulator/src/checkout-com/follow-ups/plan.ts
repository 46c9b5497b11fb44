import { noContent, notAllowed, type StandInAnswer } from '../../stand-in/answer.ts';
import { invalid } from '../answer.ts';
import { balancesOf } from '../balances.ts';
import type { ActionType, StoredAction, StoredPayment } from '../records.ts';
import type { FollowUpOrder } from './parse-order.ts';

/** A payment with its actions, oldest first. */
export interface PaymentState {
  readonly payment: StoredPayment;
  readonly actions: readonly StoredAction[];
}

/** Action that a follow-up adds to a payment. Amounts are minor units. */
export interface ActionPlan {
  readonly type: ActionType;
  readonly amount: number;
  /** Part of the authorisation that a final capture releases. */
  readonly released?: number;
}

/** Plans of the accepted actions, or the response to a follow-up without effect. */
export type FollowUpPlan = readonly ActionPlan[] | StandInAnswer;

/** Captures and refunds that one payment may have. */
const FOLLOW_UPS_MAX = 150;

const expired = invalid(['payment_expired']);

export function planCapture(state: PaymentState, order: FollowUpOrder): FollowUpPlan {
  const { payment, actions } = state;
  const { total_authorized, total_captured, available_to_capture } = balancesOf(payment, actions);
  if (payment.status === 'Expired' && total_captured < total_authorized) return expired;
  if (available_to_capture === 0 || isFull(actions)) return notAllowed;
  const { amount = available_to_capture, isFinal } = order;
  if (amount > total_authorized) return invalid(['capture_value_greater_than_authorized']);
  if (amount > available_to_capture)
    return invalid(['capture_value_greater_than_remaining_authorized']);
  const released = isFinal ? available_to_capture - amount : 0;
  return [{ type: 'Capture', amount, ...(released > 0 && { released }) }];
}

export function planVoid({ payment, actions }: PaymentState): FollowUpPlan {
  const { total_captured, available_to_void } = balancesOf(payment, actions);
  if (payment.status === 'Expired' && total_captured === 0) return expired;
  return available_to_void === 0 ? notAllowed : [{ type: 'Void', amount: available_to_void }];
}

export function planRefund(state: PaymentState, order: FollowUpOrder): FollowUpPlan {
  const { payment, actions } = state;
  const { available_to_refund } = balancesOf(payment, actions);
  if (available_to_refund === 0 || isFull(actions)) return notAllowed;
  const { amount = available_to_refund, captureActionId } = order;
  const isCapture = ({ id, type, state }: StoredAction): boolean =>
    id === captureActionId && type === 'Capture' && state === 'approved';
  if (captureActionId !== undefined && !actions.some(isCapture))
    return invalid(['capture_action_id_invalid']);
  if (amount > available_to_refund) return invalid(['amount_exceeds_balance']);
  return [{ type: 'Refund', amount }];
}

/** Voids the open part of an authorisation and refunds the captured part. 204 for a repetition. */
export function planReversal({ payment, actions }: PaymentState): FollowUpPlan {
  const { available_to_capture, available_to_refund } = balancesOf(payment, actions);
  const plans: readonly ActionPlan[] = [
    { type: 'Void', amount: available_to_capture },
    { type: 'Refund', amount: available_to_refund },
  ];
  const effective = plans.filter(({ amount }) => amount > 0);
  if (effective.length > 0) return effective;
  return isReversed(actions) ? noContent : notAllowed;
}

/** Whether voids and refunds took everything that no capture still waits for. */
const isReversed = (actions: readonly StoredAction[]): boolean =>
  actions.some(
    ({ type, state }) => (type === 'Void' || type === 'Refund') && state !== 'declined',
  ) && !actions.some(({ type, state }) => type === 'Capture' && state === 'pending');

const isFull = (actions: readonly StoredAction[]): boolean =>
  actions.filter(({ type }) => type === 'Capture' || type === 'Refund').length >= FOLLOW_UPS_MAX;
