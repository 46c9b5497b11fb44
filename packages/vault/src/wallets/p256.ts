import { createPublicKey, diffieHellman, type KeyObject, verify } from 'node:crypto';
import { unreadableToken } from './refusals.ts';

/** SPKI prefix of a P-256 key, before the 65 bytes of an uncompressed point. */
const SPKI_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');
const POINT_BYTES = 65;
const UNCOMPRESSED = 0x04;

/** Public key from SPKI. Throws `wallet_token_unreadable` for another curve or a point outside P-256. */
export function publicKeyOf(spki: Buffer, name: string): KeyObject {
  try {
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    if (isP256(key)) return key;
  } catch {
    // The refusal below handles the error.
  }
  throw unreadableToken(`${name} is not a key of P-256`);
}

/** Public key from an uncompressed point. Throws like `publicKeyOf`. */
export function publicKeyOfPoint(point: Buffer, name: string): KeyObject {
  if (point.length !== POINT_BYTES || point[0] !== UNCOMPRESSED) {
    throw unreadableToken(`${name} is not a key of P-256`);
  }
  return publicKeyOf(Buffer.concat([SPKI_PREFIX, point]), name);
}

export const isP256 = (key: KeyObject): boolean =>
  key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';

export const spkiOf = (publicKey: KeyObject): Buffer =>
  publicKey.export({ format: 'der', type: 'spki' });

/** Base64 of the key's uncompressed point. */
export const pointOf = (spki: Buffer): string => spki.subarray(-POINT_BYTES).toString('base64');

/** The shared secret in 32 bytes: the x-coordinate of the shared point. */
export const deriveSharedSecret = (privateKey: KeyObject, publicKey: KeyObject): Buffer =>
  diffieHellman({ privateKey, publicKey });

/** Whether an ECDSA signature with SHA-256 is valid. Malformed signatures are invalid. */
export function isSignatureValid(publicKey: KeyObject, data: Buffer, signature: Buffer): boolean {
  try {
    return verify('sha256', data, publicKey, signature);
  } catch {
    return false;
  }
}
