import { createDecipheriv, createHash, type KeyObject, type X509Certificate } from 'node:crypto';
import { currencyNumbers } from '@florin/contract/currencies.ts';
import { type Input, isObject } from '../http/input.ts';
import { TAG_BYTES } from '../keys/aead.ts';
import { verifyAppleSignature } from './apple-signature.ts';
import { deriveSharedSecret, publicKeyOf } from './p256.ts';
import { bytesOf, hexOf, readObject, textOf } from './read-json.ts';
import { expiredToken, unreadableToken } from './refusals.ts';
import { checkCryptogram, type WalletCard } from './wallet-card.ts';

/** Recipient of tokens, and the trusted root of Apple's signatures. */
export interface ApplePaySetup {
  readonly merchant_identifier: string;
  readonly root: X509Certificate;
}

export interface ApplePayContext {
  readonly setup: ApplePaySetup;
  /** Private key by the base64 SHA-256 of its SPKI. */
  readonly keyOf: (publicKeyHash: string) => Promise<KeyObject | undefined>;
  /** Required approved amount in minor units; absent: any amount. */
  readonly amount?: number;
  /** Required ISO 4217 code of the approved amount; absent: any currency. */
  readonly currency?: string;
  readonly now: number;
}

/** Tolerance for the time of the signature: Apple asks for "a few minutes". */
export const SIGNATURE_LIFE_MS = 5 * 60 * 1000;

/**
 * Verifies and decrypts an EC_v1 token ("Payment token format reference"). Throws `wallet_token_unreadable` or
 * `wallet_token_expired`.
 */
export async function openApplePay(text: string, context: ApplePayContext): Promise<WalletCard> {
  const token = readObject(text, 'token');
  checkVersion(token.version);
  const header = readHeader(token.header);
  const data = bytesOf(token, 'data');
  const { ephemeralPublicKey, transactionId, applicationData } = header;
  const signedBytes = Buffer.concat([ephemeralPublicKey, data, transactionId, applicationData]);
  const { setup, now } = context;
  const signed_at = verifyAppleSignature(bytesOf(token, 'signature'), signedBytes, setup.root, now);
  if (Math.abs(now - signed_at) > SIGNATURE_LIFE_MS)
    throw expiredToken('it was signed too long ago');

  const key = await context.keyOf(header.publicKeyHash);
  if (!key) throw unreadableToken('publicKeyHash names no key of this merchant');
  const plaintext = decrypt(
    data,
    deriveContentKey(key, ephemeralPublicKey, setup.merchant_identifier),
  );
  const payload = readObject(plaintext.toString(), 'data');
  plaintext.fill(0);
  checkAmount(payload, context);
  const expires_at = signed_at + SIGNATURE_LIFE_MS;
  return { ...cardOf(payload), id: transactionId.toString('hex'), expires_at };
}

function checkVersion(version: unknown): void {
  if (version === 'EC_v1') return;
  // Some regions use RSA_v1, which needs another type of key.
  throw unreadableToken(version === 'RSA_v1' ? 'RSA_v1 is not supported' : 'version is not EC_v1');
}

function readHeader(header: unknown) {
  if (!isObject(header)) throw unreadableToken('header is missing');
  return {
    ephemeralPublicKey: bytesOf(header, 'ephemeralPublicKey'),
    publicKeyHash: bytesOf(header, 'publicKeyHash').toString('base64'),
    transactionId: hexOf(header, 'transactionId'),
    applicationData:
      header.applicationData === undefined ? Buffer.alloc(0) : hexOf(header, 'applicationData'),
  };
}

const COUNTER = Buffer.from([0, 0, 0, 1]);
const ALGORITHM_ID = Buffer.concat([Buffer.from([0x0d]), Buffer.from('id-aes256-GCM')]);
const PARTY_U = Buffer.from('Apple');

/** Single-step KDF of NIST SP 800-56A with SHA-256; party V is the hash of the merchant identifier. */
function deriveContentKey(
  key: KeyObject,
  ephemeralSpki: Buffer,
  merchant_identifier: string,
): Buffer {
  const secret = deriveSharedSecret(key, publicKeyOf(ephemeralSpki, 'ephemeralPublicKey'));
  const partyV = createHash('sha256').update(merchant_identifier).digest();
  const input = Buffer.concat([COUNTER, secret, ALGORITHM_ID, PARTY_U, partyV]);
  secret.fill(0);
  const contentKey = createHash('sha256').update(input).digest();
  input.fill(0);
  return contentKey;
}

/** Each token has its own key, so a zero IV is safe. */
const ZERO_IV = Buffer.alloc(16);

function decrypt(data: Buffer, key: Buffer): Buffer {
  const tagStart = data.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, ZERO_IV, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(data.subarray(tagStart));
    return Buffer.concat([decipher.update(data.subarray(0, tagStart)), decipher.final()]);
  } catch {
    throw unreadableToken('data was encrypted for another merchant, or its tag is invalid');
  } finally {
    key.fill(0);
  }
}

function checkAmount(payload: Input, { amount, currency }: ApplePayContext): void {
  if (amount !== undefined && payload.transactionAmount !== amount) {
    throw unreadableToken('transactionAmount is not the amount of the payment');
  }
  if (currency !== undefined && payload.currencyCode !== currencyNumbers.get(currency)) {
    throw unreadableToken('currencyCode is not the currency of the payment');
  }
}

/** Expiry in the form YYMMDD. The day is ignored. */
const EXPIRATION_PATTERN = /^(\d\d)(\d\d)\d\d$/;

function cardOf(
  payload: Input,
): Pick<WalletCard, 'number' | 'expiry_month' | 'expiry_year' | 'cryptogram'> {
  const [, year, month] =
    EXPIRATION_PATTERN.exec(textOf(payload, 'applicationExpirationDate')) ?? [];
  const { paymentData } = payload;
  if (payload.paymentDataType !== '3DSecure' || !isObject(paymentData)) {
    throw unreadableToken('paymentDataType is not 3DSecure');
  }
  const { onlinePaymentCryptogram, eciIndicator } = paymentData;
  return {
    number: payload.applicationPrimaryAccountNumber,
    expiry_month: Number(month),
    expiry_year: 2000 + Number(year),
    cryptogram: checkCryptogram(onlinePaymentCryptogram, eciIndicator),
  };
}
