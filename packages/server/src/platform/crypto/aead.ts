import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key that is used often belongs into a `KeyObject`: Node takes five times as long for one in a Buffer. */
export type AeadKey = Buffer | KeyObject;

/** AES-256-GCM: nonce, tag and cipher text. `context` is authenticated, and needed to decrypt. */
export function encryptBytes(key: AeadKey, bytes: Buffer, context: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context);
  const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Reverses `encryptBytes`. Undefined if key, context or bytes differ. */
export function decryptBytes(key: AeadKey, encrypted: Buffer, context: Buffer): Buffer | undefined {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = encrypted.subarray(0, NONCE_BYTES);
  const tag = encrypted.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const body = encrypted.subarray(NONCE_BYTES + TAG_BYTES);
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, options).setAAD(context);
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch {
    return undefined;
  }
}
