import {
  createCipheriv,
  createHmac,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { createGoogleAuthority, type GoogleAuthority } from './authority.ts';
import { pointOf, spkiOf } from './keys.ts';

export interface GoogleTokenTerms {
  readonly payload: object;
  readonly recipient: KeyObject;
  readonly recipient_id: string;
  /** Expiry of the intermediate key. */
  readonly keyExpiration: Date;
  readonly authority?: GoogleAuthority;
}

const SENDER = 'Google';
const PROTOCOL = 'ECv2';
const KEY_BYTES = 32;
const SALT = Buffer.alloc(32);
const ZERO_IV = Buffer.alloc(16);

/** An ECv2 token of Google Pay ("Payment data cryptography for merchants"). */
export const createGoogleToken = (terms: GoogleTokenTerms): object =>
  signForGoogle(terms, encryptForGoogle(terms));

export function signForGoogle(terms: GoogleTokenTerms, message: object) {
  const { recipient_id, keyExpiration, authority = createGoogleAuthority() } = terms;
  const { root, intermediate } = authority;
  const signedMessage = JSON.stringify(message);
  const signedKey = JSON.stringify({
    keyValue: spkiOf(intermediate.publicKey).toString('base64'),
    keyExpiration: String(keyExpiration.getTime()),
  });
  const signedFields = [SENDER, recipient_id, PROTOCOL, signedMessage];
  return {
    protocolVersion: PROTOCOL,
    signature: signFields(intermediate.privateKey, ...signedFields),
    intermediateSigningKey: {
      signedKey,
      signatures: [signFields(root.privateKey, SENDER, PROTOCOL, signedKey)],
    },
    signedMessage,
  };
}

export function encryptForGoogle({ payload, recipient }: GoogleTokenTerms) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const point = pointOf(publicKey);
  const secret = Buffer.concat([point, diffieHellman({ privateKey, publicKey: recipient })]);
  const derivedKeys = Buffer.from(hkdfSync('sha256', secret, SALT, SENDER, 2 * KEY_BYTES));
  const cipher = createCipheriv('aes-256-ctr', derivedKeys.subarray(0, KEY_BYTES), ZERO_IV);
  const ciphertext = cipher.update(JSON.stringify(payload));
  return {
    encryptedMessage: ciphertext.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: createHmac('sha256', derivedKeys.subarray(KEY_BYTES)).update(ciphertext).digest('base64'),
  };
}

/** Signs the fields. Each field follows its length, which is four bytes, little-endian. */
function signFields(key: KeyObject, ...fields: readonly string[]): string {
  const bytes = fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(Buffer.byteLength(field));
    return [length, Buffer.from(field)];
  });
  return sign('sha256', Buffer.concat(bytes), key).toString('base64');
}
