import { SEAL_KEY_BYTES } from '../platform/crypto/sealer.ts';

/** Maximum number of keys, including old ones. */
const KEYS_MAX = 16;
/** 32 bytes in base64 or base64url, with or without padding. */
const KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Parses 32-byte base64 keys, separated by commas or white space. The first key encrypts, all keys decrypt.
 * Returns undefined for malformed text.
 */
export function parseSecretsKeys(text: string): readonly Buffer[] | undefined {
  const keyTexts = text.split(/[\s,]+/).filter(Boolean);
  if (
    keyTexts.length === 0 ||
    keyTexts.length > KEYS_MAX ||
    !keyTexts.every((word) => KEY.test(word))
  ) {
    return undefined;
  }
  const keys = keyTexts.map((word) => Buffer.from(word, 'base64'));
  return keys.every(({ length }) => length === SEAL_KEY_BYTES) ? keys : undefined;
}
