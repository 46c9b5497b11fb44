import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { firstKeyOf, keyRingOf, type Secret } from './key-ring.ts';

/** Signs texts that clients send back, so that this installation recognises its own texts. */
export interface Signer {
  /** Returns an HMAC-SHA-256 in base64url. */
  sign(text: string): string;
  /** Signatures of the text by all keys that are valid now, newest first. */
  signatures(text: string): readonly string[];
  /** Checks a signature in constant time. */
  isSignatureOf(text: string, signature: string): boolean;
}

const hmac = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

export function createSigner(secret: Secret): Signer {
  const ring = keyRingOf(secret);
  const signatures = (text: string): string[] => ring.keys().map((key) => hmac(key, text));
  return {
    signatures,
    sign: (text) => hmac(firstKeyOf(ring), text),
    isSignatureOf(text, signature) {
      const actual = Buffer.from(signature);
      return signatures(text).some((expected) => isSame(Buffer.from(expected), actual));
    },
  };
}

const isSame = (expected: Buffer, actual: Buffer): boolean =>
  expected.length === actual.length && timingSafeEqual(expected, actual);
