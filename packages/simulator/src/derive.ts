import { createHmac, hash } from 'node:crypto';

/** Namespace of the ids below; any fixed UUID works. */
const NAMESPACE = Buffer.from('6f1d0c52a8e94b7e9d3c5a1b2c3d4e5f', 'hex');

/** Key of the cryptograms. Public on purpose: it only detects a cryptogram of another purchase, not a forgery. */
const CRYPTOGRAM_KEY = 'florin sandbox issuer';
const CRYPTOGRAM_BYTES = 20;
const AUTHORISATION_CODE_LENGTH = 6;
const NETWORK_ID_DIGITS = 14;

const sha1 = (name: string): Buffer =>
  hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(name)]), 'buffer');

/** Name-based UUID (RFC 9562, version 5): the same reference always gets the same id. */
export function namedUuid(name: string): string {
  const bytes = sha1(name).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Authorisation code from a reference: six letters and digits, as issuers use them. */
export const authorisationCodeOf = (reference: string): string =>
  sha1(`code ${reference}`)
    .readBigUInt64BE()
    .toString(36)
    .toUpperCase()
    .slice(0, AUTHORISATION_CODE_LENGTH);

/**
 * Network transaction id from a reference: fifteen digits. The leading zero distinguishes the id from every card
 * number.
 */
export const networkTransactionIdOf = (reference: string): string =>
  `0${String(sha1(`network ${reference}`).readBigUInt64BE())
    .padStart(NETWORK_ID_DIGITS, '0')
    .slice(-NETWORK_ID_DIGITS)}`;

export interface CryptogramSubject {
  readonly transactionId: string;
  readonly number: string;
  readonly amount: number;
  readonly currency: string;
}

/** Cardholder authentication verification value (CAVV): 20 bytes that bind an authentication to card and amount. */
export const cryptogramOf = ({
  transactionId,
  number,
  amount,
  currency,
}: CryptogramSubject): string =>
  createHmac('sha256', CRYPTOGRAM_KEY)
    .update([transactionId, number, amount, currency].join('|'))
    .digest()
    .subarray(0, CRYPTOGRAM_BYTES)
    .toString('base64');
