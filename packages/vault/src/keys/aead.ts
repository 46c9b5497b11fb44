import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  KeyObject,
  randomFillSync,
} from 'node:crypto';

export const KEY_BYTES = 32;
export const IV_BYTES = 12;
export const TAG_BYTES = 16;
/** Bytes of a key of `KEY_BYTES` that `sealBytes` has encrypted. */
export const WRAPPED_KEY_BYTES = IV_BYTES + TAG_BYTES + KEY_BYTES;
const CIPHER_OPTIONS = { authTagLength: TAG_BYTES } as const;

/** An AES-256 key. Frequently used keys are `KeyObject`s, because Buffers are converted on every use. */
export type AesKey = Buffer | KeyObject;

/** Node finds out that a Buffer is no `KeyObject` by two thrown errors, which cost more than the encryption. */
const toKeyObject = (key: AesKey): KeyObject =>
  key instanceof KeyObject ? key : createSecretKey(key);

/** IVs are generated in batches: a single one costs as much as the encryption. */
const IVS_PER_BATCH = 512;
const ivBatch = Buffer.alloc(IVS_PER_BATCH * IV_BYTES);
let usedBytes = ivBatch.length;

function nextIv(): Buffer {
  if (usedBytes === ivBatch.length) {
    randomFillSync(ivBatch);
    usedBytes = 0;
  }
  usedBytes += IV_BYTES;
  // Returns a copy, because the next batch overwrites the buffer.
  return Buffer.from(ivBatch.subarray(usedBytes - IV_BYTES, usedBytes));
}

/** AES-256-GCM with a new random IV. Returns IV, tag and ciphertext, concatenated. */
export function sealBytes(key: AesKey, plaintext: Buffer, aad: Buffer): Buffer {
  const iv = nextIv();
  const cipher = createCipheriv('aes-256-gcm', toKeyObject(key), iv, CIPHER_OPTIONS).setAAD(aad);
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts the result of `sealBytes`. Throws if key, data or `aad` differ from those of the encryption. */
export function openBytes(key: AesKey, sealedBytes: Buffer, aad: Buffer): Buffer {
  const iv = sealedBytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', toKeyObject(key), iv, CIPHER_OPTIONS)
    .setAAD(aad)
    .setAuthTag(sealedBytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const plaintext = decipher.update(sealedBytes.subarray(IV_BYTES + TAG_BYTES));
  decipher.final();
  return plaintext;
}

/** Encodes fields as authenticated data. Different lists result in different bytes. */
export const aadOf = (...fields: readonly string[]): Buffer => Buffer.from(JSON.stringify(fields));
