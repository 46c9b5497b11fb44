import type { AttemptPolicy } from '../../notifications/attempt-delivery.ts';
import type { JsonMembers } from '../../stand-in/members.ts';
import { balancesOf } from '../balances.ts';
import type { CheckoutServices } from '../call.ts';
import type { ActionType, StoredAction, StoredPayment } from '../records.ts';
import { renderSource, timeText } from '../render-payment.ts';
import { summaryOf } from '../response-texts.ts';
import { type CheckoutEvent, composeEvent } from './compose-event.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits, time limit and accepted responses of Checkout.com's webhooks. */
export const WEBHOOK_POLICY: AttemptPolicy = {
  retryWaitsMs: [
    ...[5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
    ...[1, 4, 12, 12].map((hours) => hours * HOUR_MS),
  ],
  timeoutMs: 10_000,
  isAccepted: ({ status }) => status >= 200 && status < 300,
};

/** Types of the events of approved and declined actions. */
const typesByAction: Readonly<
  Record<ActionType, { readonly approved: string; readonly declined: string }>
> = {
  Authorization: { approved: 'payment_approved', declined: 'payment_declined' },
  'Card Verification': { approved: 'card_verified', declined: 'card_verification_declined' },
  Capture: { approved: 'payment_captured', declined: 'payment_capture_declined' },
  Void: { approved: 'payment_voided', declined: 'payment_void_declined' },
  Refund: { approved: 'payment_refunded', declined: 'payment_refund_declined' },
};

/** Stores the notification of an event, if the channel has an address for it. Runs inside a commit. */
export function emitCheckoutEvent(
  { books, notifier, now }: CheckoutServices,
  { channel, subject }: { readonly channel: string; readonly subject: string },
  event: CheckoutEvent,
): void {
  const settings = books.accounts.find(channel)?.settings;
  if (settings?.webhook_url === undefined) return;
  notifier.deliver({
    url: settings.webhook_url,
    event: event.type,
    subject,
    delayMs: settings.webhook_delay_ms,
    compose: (variant) => composeEvent(event, settings, now(), variant),
  });
}

/** Emits the event of an action that has its outcome. `type` replaces the event of its kind. */
export function emitActionEvent(
  services: CheckoutServices,
  action: StoredAction,
  type?: string,
): void {
  const payment = services.books.payments.find(action.payment);
  if (!payment || action.state === 'pending') return;
  const { facts } = action;
  emitPaymentEvent(services, payment, type ?? typesByAction[action.type][action.state], {
    action_id: action.id,
    amount: action.amount,
    processed_on: timeText(action.dueAt),
    ...(facts.authCode && { auth_code: facts.authCode }),
    response_code: facts.code,
    response_summary: summaryOf(facts.code),
    approved: action.state === 'approved',
    ...(action.reference && { reference: action.reference }),
    metadata: textsOf(facts.metadata),
  });
}

/** Emits an event of a payment. `members` are added to those that all events of payments have. */
export function emitPaymentEvent(
  services: CheckoutServices,
  payment: StoredPayment,
  type: string,
  members: JsonMembers = {},
): void {
  const { id, channel, reference, facts } = payment;
  const data = {
    id,
    amount: payment.amount,
    currency: payment.currency,
    payment_type: facts.paymentType,
    processing_channel_id: channel,
    processed_on: timeText(services.now()),
    risk: { flagged: facts.isRiskFlagged },
    source: renderSource(facts.source),
    balances: balancesOf(payment, services.books.actions.of(id)),
    ...(facts.eci && { eci: facts.eci }),
    ...(facts.schemeId && { scheme_id: facts.schemeId }),
    ...(members.action_id === undefined && reference && { reference }),
    metadata: textsOf(facts.metadata),
    ...members,
  };
  const subject = reference ?? id;
  emitCheckoutEvent(services, { channel, subject }, { type, data, path: `/payments/${id}` });
}

/** Metadata as events have them: all values are texts. */
const textsOf = (metadata: JsonMembers = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]));
