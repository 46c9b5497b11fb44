import { createHmac } from 'node:crypto';
import type { NotificationVariant } from '../../notifications/notification.ts';
import type { CheckoutSettings } from '../accounts.ts';
import { createId } from '../ids.ts';
import { timeText } from '../render-payment.ts';

/** Event of a payment or a dispute, before it is composed. */
export interface CheckoutEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Path of the record that the event is about, such as `/payments/pay_…`. */
  readonly path: string;
}

/** Real host: receivers must not follow links of notifications. */
const LINK_BASE = 'https://api.sandbox.checkout.com';
const UNKNOWN_TYPE = 'payment_reconsidered';
const EVENT_VERSION = '1.0.0';

/** Value of header `Cko-Signature`: lower-case hexadecimal HMAC-SHA256 of the raw body. */
export const signatureOf = (body: string, key: string): string =>
  createHmac('sha256', key).update(body).digest('hex');

/** Body and headers of the notification of an event, at a time in milliseconds since 1970. */
export function composeEvent(
  { type, data, path }: CheckoutEvent,
  { webhook_key, webhook_authorization }: CheckoutSettings,
  now: number,
  variant: NotificationVariant,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const id = createId('evt');
  const kind = path.startsWith('/disputes/') ? 'dispute' : 'payment';
  const event = JSON.stringify({
    id,
    type: variant === 'unknown_type' ? UNKNOWN_TYPE : type,
    version: EVENT_VERSION,
    created_on: timeText(now),
    data,
    _links: {
      self: { href: `${LINK_BASE}/workflows/events/${id}` },
      [kind]: { href: LINK_BASE + path },
    },
  });
  const body = variant === 'malformed' ? event.slice(0, event.length / 2) : event;
  const key = variant === 'wrong_signature' ? `${webhook_key}?` : webhook_key;
  return {
    body,
    headers: {
      ...(key !== undefined && { 'cko-signature': signatureOf(body, key) }),
      ...(webhook_authorization !== undefined && { authorization: webhook_authorization }),
    },
  };
}
