import type { RawNotification, SignatureCheck } from '../../port/notifications.ts';
import { type Members, membersOf } from '../../port/read-answer.ts';
import { readWebhook } from './webhook.ts';

/** Secrets of an account that signatures need. During a rotation both keys are valid. */
const HMAC_KEYS = ['hmac_key', 'hmac_key_next'] as const;
const LOGIN = 'webhook_login';
export const webhookSecrets = [...HMAC_KEYS, LOGIN];

/** Values that a signature covers, in order. Only the merchant reference may contain a colon. */
const SIGNED = [
  'pspReference',
  'originalReference',
  'merchantAccountCode',
  'merchantReference',
  'value',
  'currency',
  'eventCode',
  'success',
];

/**
 * The signature of each item, and the login, which counts if the account has one. Undefined if an item has no signature. Adyen's
 * recipe: the values of an item, joined by colons, with HMAC-SHA256 in base64.
 */
export function adyenSignaturesOf(
  notification: RawNotification,
): readonly SignatureCheck[] | undefined {
  const checks = readWebhook(notification)?.items.map(signatureOf) ?? [undefined];
  if (!checks.every((check) => check !== undefined)) return undefined;
  const text = loginOf(notification.headers.authorization);
  return [...checks, { secrets: [LOGIN], check: { kind: 'equal', text }, only_if_stored: true }];
}

function signatureOf(item: Members): SignatureCheck | undefined {
  const { hmacSignature } = membersOf(item.additionalData);
  const payload = payloadOf(item);
  if (typeof hmacSignature !== 'string' || payload === undefined) return undefined;
  return {
    secrets: HMAC_KEYS,
    check: {
      kind: 'hmac_sha256',
      key_encoding: 'hex',
      payload,
      payload_encoding: 'utf8',
      signature: hmacSignature,
      signature_encoding: 'base64',
    },
  };
}

/** The signed text. Undefined where a colon would make two messages look alike. */
function payloadOf(item: Members): string | undefined {
  const members: Members = { ...item, ...membersOf(item.amount) };
  const values = SIGNED.map((name) => signedValue(members[name]));
  const isSound = values.every(
    (value, index) =>
      value !== undefined && (SIGNED[index] === 'merchantReference' || !value.includes(':')),
  );
  return isSound ? values.join(':') : undefined;
}

/** Text of a signed value: empty without one. Undefined for values that Adyen does not send. */
function signedValue(value: unknown): string | undefined {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** Stands for a missing login. Stored secrets are longer. */
const NO_LOGIN = '-';

/** User and password of HTTP Basic. */
function loginOf(authorization = ''): string {
  const [, encoded = ''] = /^Basic ([\w+/=-]+)$/i.exec(authorization) ?? [];
  return Buffer.from(encoded, 'base64').toString('utf8') || NO_LOGIN;
}
