import {
  createCipheriv,
  createHash,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { type AppleAuthority, createAppleAuthority } from './authority.ts';
import { spkiOf } from './keys.ts';
import { signDetached } from './signed-data.ts';

export interface AppleTokenTerms {
  readonly payload: object;
  readonly recipient: KeyObject;
  readonly merchant_identifier: string;
  /** Id of the transaction, unique per token. */
  readonly transactionId: Buffer;
  readonly signedAt: Date;
  readonly authority?: AppleAuthority;
  readonly applicationData?: Buffer;
}

const ZERO_IV = Buffer.alloc(16);
const KDF_COUNTER = Buffer.from([0, 0, 0, 1]);
const KDF_NAMES = Buffer.from('\x0did-aes256-GCMApple');

/** Content of a token that Apple signs. */
export interface AppleMessage {
  /** Ephemeral public key as SPKI. */
  readonly ephemeralSpki: Buffer;
  readonly data: Buffer;
}

/** An EC_v1 token of Apple Pay ("Payment token format reference"). */
export const createAppleToken = (terms: AppleTokenTerms): object =>
  signForApple(terms, encryptForApple(terms));

export function encryptForApple(terms: AppleTokenTerms): AppleMessage {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return { ephemeralSpki: spkiOf(publicKey), data: encrypt(terms, privateKey) };
}

export function signForApple(terms: AppleTokenTerms, { ephemeralSpki, data }: AppleMessage) {
  const { transactionId, signedAt, applicationData } = terms;
  const { chain } = terms.authority ?? createAppleAuthority();
  const signedFields = [
    ephemeralSpki,
    data,
    transactionId,
    ...(applicationData ? [applicationData] : []),
  ];
  return {
    version: 'EC_v1',
    data: data.toString('base64'),
    signature: signDetached(Buffer.concat(signedFields), chain, signedAt).toString('base64'),
    header: {
      ephemeralPublicKey: ephemeralSpki.toString('base64'),
      publicKeyHash: createHash('sha256').update(spkiOf(terms.recipient)).digest('base64'),
      transactionId: transactionId.toString('hex'),
      ...(applicationData && { applicationData: applicationData.toString('hex') }),
    },
  };
}

function encrypt(
  { payload, recipient, merchant_identifier }: AppleTokenTerms,
  privateKey: KeyObject,
): Buffer {
  const secret = diffieHellman({ privateKey, publicKey: recipient });
  const merchantHash = createHash('sha256').update(merchant_identifier).digest();
  const kdfInput = Buffer.concat([KDF_COUNTER, secret, KDF_NAMES, merchantHash]);
  const key = createHash('sha256').update(kdfInput).digest();
  const cipher = createCipheriv('aes-256-gcm', key, ZERO_IV);
  const ciphertext = cipher.update(JSON.stringify(payload));
  return Buffer.concat([ciphertext, cipher.final(), cipher.getAuthTag()]);
}
