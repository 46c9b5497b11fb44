import {
  createDecipheriv,
  createHmac,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { Input } from '../http/input.ts';
import { isObject } from '../http/input.ts';
import { type GoogleRoot, verifyGoogleToken } from './google-signatures.ts';
import { deriveSharedSecret, publicKeyOfPoint } from './p256.ts';
import { bytesOf, millisecondsOf, readObject, textOf } from './read-json.ts';
import { expiredToken, unreadableToken } from './refusals.ts';
import { checkCryptogram, type WalletCard } from './wallet-card.ts';

/** Recipient of tokens, and the trusted roots of Google's signatures. */
export interface GooglePaySetup {
  /** Recipient `gateway:<name>` or `merchant:<id>`. */
  readonly recipient_id: string;
  /** Merchant id from Google's console. */
  readonly merchant_id?: string;
  readonly roots: readonly GoogleRoot[];
}

export interface GooglePayContext {
  readonly setup: GooglePaySetup;
  /** Private keys for which Google may have encrypted the token. */
  readonly keys: readonly KeyObject[];
  /** Merchant that a gateway's token must name. */
  readonly merchant_id: string;
  readonly now: number;
}

const GATEWAY_PREFIX = 'gateway:';
export const MERCHANT_PREFIX = 'merchant:';

/** Gateway name of a recipient; undefined for a merchant with its own account. */
export const gatewayOf = ({ recipient_id }: GooglePaySetup): string | undefined =>
  recipient_id.startsWith(GATEWAY_PREFIX) ? recipient_id.slice(GATEWAY_PREFIX.length) : undefined;

/**
 * Verifies and decrypts an ECv2 token ("Payment data cryptography for merchants"). Throws `wallet_token_unreadable` or
 * `wallet_token_expired`.
 */
export function openGooglePay(token: string, context: GooglePayContext): WalletCard {
  const { setup, keys, now } = context;
  const message = readObject(
    verifyGoogleToken(readObject(token, 'token'), setup, now),
    'signedMessage',
  );
  const plaintext = decrypt(message, keys);
  const payload = readObject(plaintext.toString(), 'encryptedMessage');
  plaintext.fill(0);
  return cardOf(payload, context);
}

const SALT = Buffer.alloc(32);
const KEY_BYTES = 32;
const ZERO_IV = Buffer.alloc(16);

function decrypt(message: Input, keys: readonly KeyObject[]): Buffer {
  const ciphertext = bytesOf(message, 'encryptedMessage');
  const point = bytesOf(message, 'ephemeralPublicKey');
  const tag = bytesOf(message, 'tag');
  const ephemeralKey = publicKeyOfPoint(point, 'ephemeralPublicKey');
  for (const key of keys) {
    const secret = Buffer.concat([point, deriveSharedSecret(key, ephemeralKey)]);
    const derivedKeys = Buffer.from(hkdfSync('sha256', secret, SALT, 'Google', 2 * KEY_BYTES));
    secret.fill(0);
    const mac = createHmac('sha256', derivedKeys.subarray(KEY_BYTES)).update(ciphertext).digest();
    if (mac.length !== tag.length || !timingSafeEqual(mac, tag)) continue;
    return createDecipheriv('aes-256-ctr', derivedKeys.subarray(0, KEY_BYTES), ZERO_IV).update(
      ciphertext,
    );
  }
  throw unreadableToken('it was encrypted for another key, or its tag is invalid');
}

/** Several times the lifetime of Google's messages. Message ids are stored for the same time. */
const MESSAGE_LIFE_MAX_MS = 30 * 24 * 60 * 60 * 1000;

function cardOf(payload: Input, { setup, merchant_id, now }: GooglePayContext): WalletCard {
  const expires_at = millisecondsOf(payload, 'messageExpiration');
  if (expires_at <= now) throw expiredToken('messageExpiration has passed');
  if (expires_at > now + MESSAGE_LIFE_MAX_MS)
    throw unreadableToken('messageExpiration is too far away');
  if (gatewayOf(setup) !== undefined && payload.gatewayMerchantId !== merchant_id) {
    throw unreadableToken('gatewayMerchantId is not this merchant');
  }
  const { paymentMethodDetails: details } = payload;
  if (payload.paymentMethod !== 'CARD' || !isObject(details)) {
    throw unreadableToken('paymentMethod is not CARD');
  }
  return {
    number: details.pan,
    expiry_month: details.expirationMonth,
    expiry_year: details.expirationYear,
    ...cryptogramOf(details),
    id: textOf(payload, 'messageId'),
    expires_at,
  };
}

function cryptogramOf(details: Input): Pick<WalletCard, 'cryptogram'> {
  if (details.authMethod === 'PAN_ONLY') return {};
  if (details.authMethod !== 'CRYPTOGRAM_3DS') throw unreadableToken('authMethod is not known');
  return { cryptogram: checkCryptogram(details.cryptogram, details.eciIndicator) };
}
