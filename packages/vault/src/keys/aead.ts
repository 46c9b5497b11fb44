import { createCipheriv, createDecipheriv, type KeyObject, randomFillSync } from 'node:crypto';

export const KEY_BYTES = 32;
export const IV_BYTES = 12;
export const TAG_BYTES = 16;
/** A key of `KEY_BYTES` as `sealBytes` seals it. */
export const WRAPPED_KEY_BYTES = IV_BYTES + TAG_BYTES + KEY_BYTES;

/** An AES-256 key; one that seals often is a `KeyObject`, as bytes are made into one at every use. */
export type AesKey = Buffer | KeyObject;

/** IVs are drawn many at a time: one by one they cost as much as the sealing. */
const DRAWN_IVS = 512;
const drawn = Buffer.alloc(DRAWN_IVS * IV_BYTES);
let used = drawn.length;

function freshIv(): Buffer {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += IV_BYTES;
  // A copy, as the next draw writes over it.
  return Buffer.from(drawn.subarray(used - IV_BYTES, used));
}

/** AES-256-GCM under a fresh random IV. The result is IV, tag and ciphertext in a row. */
export function sealBytes(key: AesKey, plain: Buffer, aad: Buffer): Buffer {
  const iv = freshIv();
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(aad);
  const body = cipher.update(plain);
  cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Opens what `sealBytes` made. Throws where key, data or `aad` are not the ones it was sealed with. */
export function openBytes(key: AesKey, sealed: Buffer, aad: Buffer): Buffer {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(aad)
    .setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const plain = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
  decipher.final();
  return plain;
}

/** Additional data from parts, so that no two lists of parts give the same bytes. */
export const aadOf = (...parts: readonly string[]): Buffer => Buffer.from(JSON.stringify(parts));
