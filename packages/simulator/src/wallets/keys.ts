import {
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
} from 'node:crypto';

const CURVE = 'prime256v1';
const COORDINATE_BYTES = 32;

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/**
 * Derives a key pair from a phrase. The phrases are public in the source, so the signatures are worthless outside the
 * sandbox.
 */
export function keysOf(phrase: string): KeyPair {
  const ecdh = createECDH(CURVE);
  const scalar = createHash('sha256').update(phrase).digest();
  ecdh.setPrivateKey(scalar);
  const point = ecdh.getPublicKey();
  const coordinates = {
    x: point.subarray(1, 1 + COORDINATE_BYTES).toString('base64url'),
    y: point.subarray(1 + COORDINATE_BYTES).toString('base64url'),
  };
  const jwk = { kty: 'EC', crv: 'P-256', d: scalar.toString('base64url'), ...coordinates };
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

export const spkiOf = (publicKey: KeyObject): Buffer =>
  publicKey.export({ format: 'der', type: 'spki' });

const POINT_BYTES = 1 + 2 * COORDINATE_BYTES;
const SPKI_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/** Uncompressed point of a P-256 key. */
export const pointOf = (publicKey: KeyObject): Buffer =>
  Buffer.from(spkiOf(publicKey).subarray(-POINT_BYTES));

/** Imports an SPKI public key. Throws unless the key is P-256. */
export function publicKeyOf(spki: Buffer): KeyObject {
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  if (key.asymmetricKeyDetails?.namedCurve === CURVE) return key;
  throw new RangeError('The key is not one of P-256.');
}

/** Imports an uncompressed point. Throws unless the point is on P-256. */
export const publicKeyOfPoint = (point: Buffer): KeyObject =>
  publicKeyOf(Buffer.concat([SPKI_PREFIX, point]));
