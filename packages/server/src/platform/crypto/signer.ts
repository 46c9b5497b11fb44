import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/** Signs texts that clients send back, so that this installation recognises its own texts. */
export interface Signer {
  /** Returns an HMAC-SHA-256 in base64url. */
  sign(text: string): string;
  /** Checks a signature in constant time. */
  isSignatureOf(text: string, signature: string): boolean;
}

export function createSigner(bytes: Buffer): Signer {
  const key = createSecretKey(bytes);
  const sign = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');
  return {
    sign,
    isSignatureOf(text, signature) {
      const [expected, actual] = [Buffer.from(sign(text)), Buffer.from(signature)];
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
  };
}
