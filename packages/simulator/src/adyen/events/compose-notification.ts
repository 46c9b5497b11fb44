import type { Notification, NotificationVariant } from '../../notifications/notification.ts';
import type { WebhookSettings } from '../accounts.ts';
import { notificationSignatureOf, type SignedMembers } from './signature.ts';

/** Event of a payment, a modification, a dispute or a report, before it is composed. */
export interface AdyenEvent extends SignedMembers {
  readonly reason?: string;
  readonly paymentMethod?: string;
  readonly operations?: readonly string[];
  readonly additionalData?: Readonly<Record<string, string>>;
}

const UNKNOWN_CODE = 'PAYMENT_RECONSIDERED';

/** Body and headers of the notification of an event, at a time in milliseconds since 1970. */
export function composeNotification(
  event: AdyenEvent,
  { webhook_hmac_key, webhook_username, webhook_password }: WebhookSettings,
  now: number,
  variant: NotificationVariant,
): ReturnType<Notification['compose']> {
  const sent = variant === 'unknown_type' ? { ...event, eventCode: UNKNOWN_CODE } : event;
  const signed = variant === 'wrong_signature' ? { ...sent, success: 'other' } : sent;
  const signature =
    webhook_hmac_key && notificationSignatureOf(signed as SignedMembers, webhook_hmac_key);
  const item = {
    additionalData: { ...(signature && { hmacSignature: signature }), ...event.additionalData },
    amount: sent.amount,
    eventCode: sent.eventCode,
    eventDate: eventDateOf(now),
    merchantAccountCode: sent.merchantAccountCode,
    merchantReference: sent.merchantReference,
    ...(sent.operations && { operations: sent.operations }),
    ...(sent.originalReference && { originalReference: sent.originalReference }),
    ...(sent.paymentMethod && { paymentMethod: sent.paymentMethod }),
    pspReference: sent.pspReference,
    ...(sent.reason && { reason: sent.reason }),
    success: sent.success,
  };
  const body = JSON.stringify({
    live: 'false',
    notificationItems: [{ NotificationRequestItem: item }],
  });
  const login = Buffer.from(`${webhook_username ?? ''}:${webhook_password ?? ''}`);
  return {
    body: variant === 'malformed' ? body.slice(0, body.length / 2) : body,
    headers: webhook_username ? { authorization: `Basic ${login.toString('base64')}` } : {},
  };
}

/** ISO time with an offset and without milliseconds, as notifications have it. */
const eventDateOf = (ms: number): string =>
  new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+00:00');
