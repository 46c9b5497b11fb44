import type { FrameConfig } from '@florin/contract/protocol/frame.ts';
import { base64url, utf8 } from './base64url.ts';

const ENC = 'A256GCM';
const KEY_BITS = 256;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface JweRecipient {
  readonly key: FrameConfig['sealing_key'];
  readonly sid: string;
}

/**
 * Encrypts the plaintext as compact JWE: ECDH-ES on P-256 with direct key agreement, A256GCM (RFC 7518, 4.6 and 5.3).
 */
export async function sealJwe(
  plaintext: Uint8Array<ArrayBuffer>,
  { key, sid }: JweRecipient,
): Promise<string> {
  const { kty, crv, x, y } = key;
  const curve = { name: 'ECDH', namedCurve: crv };
  const recipientKey = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, curve, false, []);
  const ephemeralKeys = await crypto.subtle.generateKey(curve, true, ['deriveBits']);
  const epk = await crypto.subtle.exportKey('jwk', ephemeralKeys.publicKey);
  const secret = await crypto.subtle.deriveBits(
    { name: 'ECDH', public: recipientKey },
    ephemeralKeys.privateKey,
    KEY_BITS,
  );
  const header = {
    alg: 'ECDH-ES',
    enc: ENC,
    kid: key.kid,
    typ: 'card+jwe',
    sid,
    epk: { kty, crv, x: epk.x, y: epk.y },
  };
  return encrypt(plaintext, await concatKdf(secret), base64url(utf8(JSON.stringify(header))));
}

async function encrypt(
  plaintext: Uint8Array<ArrayBuffer>,
  key: CryptoKey,
  header: string,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const algorithm = { name: 'AES-GCM', iv, additionalData: utf8(header) };
  const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, plaintext));
  const text = sealed.subarray(0, -TAG_BYTES);
  const tag = sealed.subarray(-TAG_BYTES);
  return `${header}..${base64url(iv)}.${base64url(text)}.${base64url(tag)}`;
}

/** One round of the Concat KDF with SHA-256, without party information (RFC 7518, 4.6.2). */
async function concatKdf(secret: ArrayBuffer): Promise<CryptoKey> {
  const none = uint32(0);
  const input = [
    uint32(1),
    new Uint8Array(secret),
    uint32(ENC.length),
    utf8(ENC),
    none,
    none,
    uint32(KEY_BITS),
  ];
  const digest = await crypto.subtle.digest(
    'SHA-256',
    new Uint8Array(input.flatMap((part) => [...part])),
  );
  return crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt']);
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
