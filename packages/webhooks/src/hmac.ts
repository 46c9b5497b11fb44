import { subtle } from '#webcrypto';
import type { Claim } from './claims.ts';
import { fromBase64, utf8 } from './text.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;
/** Optional prefix of secrets in Standard Webhooks (standardwebhooks.com). */
const STANDARD_PREFIX = 'whsec_';

/**
 * Key that a scheme derives from a secret: its text, or its base64-decoded bytes. Undefined if the secret is invalid
 * base64.
 */
const keyOf = (scheme: Claim['scheme'], secret: string): Bytes | undefined =>
  scheme === 'edge'
    ? utf8(secret)
    : fromBase64(
        secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : secret,
      );

/**
 * Whether one of the secrets made a signature of one of the claims. Web Crypto compares signatures in constant time.
 */
export async function isSigned(
  claims: readonly Claim[],
  body: Bytes,
  secrets: readonly string[],
): Promise<boolean> {
  for (const claim of claims) if (await isClaimTrue(claim, body, secrets)) return true;
  return false;
}

async function isClaimTrue(
  { scheme, prefix, signatures }: Claim,
  body: Bytes,
  secrets: readonly string[],
): Promise<boolean> {
  const signedBytes = concat(utf8(prefix), body);
  for (const key of secrets.map((secret) => keyOf(scheme, secret))) {
    if (!key) continue;
    const cryptoKey = await subtle.importKey('raw', key, HMAC, false, ['verify']);
    for (const signature of signatures) {
      if (await subtle.verify(HMAC, cryptoKey, new Uint8Array(signature), signedBytes)) return true;
    }
  }
  return false;
}

/** Returns the signature of a body. Undefined if the secret is not a valid key of the scheme. */
export async function signatureOf(
  scheme: Claim['scheme'],
  prefix: string,
  body: Bytes,
  secret: string,
): Promise<Uint8Array | undefined> {
  const key = keyOf(scheme, secret);
  if (!key) return undefined;
  const cryptoKey = await subtle.importKey('raw', key, HMAC, false, ['sign']);
  return new Uint8Array(await subtle.sign(HMAC, cryptoKey, concat(utf8(prefix), body)));
}

function concat(left: Bytes, right: Bytes): Bytes {
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}
