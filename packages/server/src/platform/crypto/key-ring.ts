import { createSecretKey, type KeyObject } from 'node:crypto';

/** Keys of one secret at this moment. The first signs, all verify. Never empty. */
export interface KeyRing {
  keys(): readonly KeyObject[];
}

/** A secret: bytes that never change, or keys that are rotated. */
export type Secret = Buffer | string | KeyRing;

/** The keys of a secret. Node takes five times as long for an HMAC with a key in a Buffer. */
export function keyRingOf(secret: Secret): KeyRing {
  if (typeof secret === 'object' && 'keys' in secret && !Buffer.isBuffer(secret)) return secret;
  const keys = [createSecretKey(Buffer.from(secret as Buffer))];
  return { keys: () => keys };
}

/** The key that signs now. */
export const firstKeyOf = (ring: KeyRing): KeyObject => ring.keys()[0] as KeyObject;
