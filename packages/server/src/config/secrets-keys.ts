import { SEAL_KEY_BYTES } from '../platform/crypto/sealer.ts';

/** Number of keys, old ones included. */
const KEYS_MAX = 16;
/** 32 bytes in either alphabet of base64, with or without padding. */
const KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Parses keys of 32 bytes in base64, separated by commas or white space: the first seals, all open.
 * Undefined if malformed.
 */
export function parseSecretsKeys(text: string): readonly Buffer[] | undefined {
  const words = text.split(/[\s,]+/).filter(Boolean);
  if (words.length === 0 || words.length > KEYS_MAX || !words.every((word) => KEY.test(word))) {
    return undefined;
  }
  const keys = words.map((word) => Buffer.from(word, 'base64'));
  return keys.every(({ length }) => length === SEAL_KEY_BYTES) ? keys : undefined;
}
