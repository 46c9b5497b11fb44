import { createHmac } from 'node:crypto';
import type { AdyenAmount } from '../money-rules.ts';

/** Members of a notification that its signature covers. */
export interface SignedMembers {
  readonly pspReference: string;
  readonly originalReference?: string;
  readonly merchantAccountCode: string;
  readonly merchantReference: string;
  readonly amount: AdyenAmount;
  readonly eventCode: string;
  readonly success: 'true' | 'false';
}

/**
 * Signature of a notification: HMAC-SHA256 in base64 over eight values joined by colons. Absent values are empty, and
 * nothing is escaped. `key` is hexadecimal.
 */
export function notificationSignatureOf(members: SignedMembers, key: string): string {
  const text = [
    members.pspReference,
    members.originalReference ?? '',
    members.merchantAccountCode,
    members.merchantReference,
    String(members.amount.value),
    members.amount.currency,
    members.eventCode,
    members.success,
  ].join(':');
  return createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64');
}
