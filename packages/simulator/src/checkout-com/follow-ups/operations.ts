import { notFound, type StandInAnswer } from '../../stand-in/answer.ts';
import { isJsonObject } from '../../stand-in/members.ts';
import { invalid, malformed } from '../answer.ts';
import { type CheckoutCall, type CheckoutServices, findPayment } from '../call.ts';
import { createId } from '../ids.ts';
import type { StoredAction, StoredPayment } from '../records.ts';
import { type FollowUpOrder, parseFollowUpOrder } from './parse-order.ts';
import {
  type ActionPlan,
  type FollowUpPlan,
  type PaymentState,
  planCapture,
  planRefund,
  planReversal,
  planVoid,
} from './plan.ts';

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

/** `POST /payments/{id}/reversals`. The receipt names the kind of action. */
export const reversePayment = (services: CheckoutServices, call: CheckoutCall): StandInAnswer =>
  follow(services, call, planReversal, ({ type }) => ({ action_type: type }));

/** Accepts a follow-up: stores its pending actions, and returns the receipt of the last one. */
function follow(
  services: CheckoutServices,
  call: CheckoutCall,
  plan: Plan,
  membersOfReceipt: (action: StoredAction) => object = () => ({}),
): StandInAnswer {
  const payment = findPayment(services, call, call.parts[0]);
  if (!payment) return notFound;
  const { body = {} } = call;
  if (!isJsonObject(body)) return malformed;
  const order = parseFollowUpOrder(body, payment);
  if ('length' in order) return invalid(order);
  const plans = plan({ payment, actions: services.books.actions.of(payment.id) }, order);
  if ('status' in plans) return plans;
  const actions = plans.map((each) => acceptAction(services, payment, each, order));
  const last = actions.at(-1) as StoredAction;
  return { status: 202, body: { ...receiptOf(last, call.base), ...membersOfReceipt(last) } };
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

const receiptOf = ({ id, payment, reference }: StoredAction, base: string) => ({
  action_id: id,
  ...(reference && { reference }),
  _links: { payment: { href: `${base}/payments/${payment}` } },
});
