import { noContent, type StandInAnswer } from '../../stand-in/answer.ts';
import { type CheckoutCall, type CheckoutServices, findPayment } from '../call.ts';
import { createId } from '../ids.ts';
import type { StoredAction, StoredPayment } from '../records.ts';
import { cancelRetry } from './cancel-retry.ts';
import type { FollowUpOrder } from './parse-order.ts';
import {
  type ActionPlan,
  type FollowUpPlan,
  type PaymentState,
  planCapture,
  planRefund,
  planReversal,
  planVoid,
} from './plan.ts';
import { receiptOf, withFollowUp } from './receipt.ts';

/** Response code that actions have until their outcome. */
const NOT_YET_DECLINED = '10000';

type Plan = (state: PaymentState, order: FollowUpOrder) => FollowUpPlan;

/** `POST /payments/{id}/captures`. The 202 response is a receipt: the outcome comes later. */
export const capturePayment = (services: CheckoutServices, call: CheckoutCall): StandInAnswer =>
  follow(services, call, planCapture);

/** `POST /payments/{id}/voids`: the whole open authorisation. */
export const voidPayment = (services: CheckoutServices, call: CheckoutCall): StandInAnswer =>
  follow(services, call, planVoid);

/** `POST /payments/{id}/refunds`. */
export const refundPayment = (services: CheckoutServices, call: CheckoutCall): StandInAnswer =>
  follow(services, call, planRefund);

/** `POST /payments/{id}/reversals`. The receipt names the kind of action. Scheduled retries are canceled. */
export function reversePayment(services: CheckoutServices, call: CheckoutCall): StandInAnswer {
  const payment = findPayment(services, call, call.parts[0]);
  if (payment?.status === 'Canceled') return noContent;
  if (payment?.status !== 'Retry Scheduled')
    return follow(services, call, planReversal, ({ type }) => ({ action_type: type }));
  return withFollowUp(services, call, (retried, order) => ({
    status: 202,
    body: { ...cancelRetry(services, call, retried, order), action_type: 'Void' },
  }));
}

/** Accepts a follow-up: stores its pending actions, and returns the receipt of the last one. */
function follow(
  services: CheckoutServices,
  call: CheckoutCall,
  plan: Plan,
  membersOfReceipt: (action: StoredAction) => object = () => ({}),
): StandInAnswer {
  return withFollowUp(services, call, (payment, order) => {
    const plans = plan({ payment, actions: services.books.actions.of(payment.id) }, order);
    if ('status' in plans) return plans;
    const actions = plans.map((each) => acceptAction(services, payment, each, order));
    const last = actions.at(-1) as StoredAction;
    return { status: 202, body: { ...receiptOf(last, call.base), ...membersOfReceipt(last) } };
  });
}

/** Stores a pending action, whose outcome is due after the delay of the payment's account. */
export function acceptAction(
  { books, now }: CheckoutServices,
  { id: payment, channel }: StoredPayment,
  { type, amount, released }: ActionPlan,
  { reference, metadata }: Pick<FollowUpOrder, 'metadata'> & { readonly reference?: string | null },
): StoredAction {
  const requestedAt = now();
  const action: StoredAction = {
    id: createId('act'),
    payment,
    type,
    amount,
    reference: reference ?? null,
    state: 'pending',
    requestedAt,
    dueAt: requestedAt + (books.accounts.find(channel)?.settings.outcome_delay_ms ?? 0),
    facts: {
      code: NOT_YET_DECLINED,
      ...(metadata && { metadata }),
      ...(released && { released }),
    },
  };
  books.actions.insert(action);
  return action;
}
