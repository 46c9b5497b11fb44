import { hash, randomInt } from 'node:crypto';
import type { KeyContext } from '../../platform/caller.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 32 characters of base58 have 187 bits of entropy. */
const BODY_LENGTH = 32;

/** A new API key: `ept_<mode>_<s|b><body>`. `s` marks a secret key and `b` a publishable key. */
export function makeKey(mode: 'live' | 'sandbox', context: KeyContext): string {
  const body = Array.from({ length: BODY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `ept_${mode}_${context === 'secret' ? 's' : 'b'}${body.join('')}`;
}

const KEY = /^ept_(live|sandbox)_[sb][1-9A-HJ-NP-Za-km-z]{20,64}$/;
export const looksLikeKey = (text: string): boolean => KEY.test(text);

/** Stored hash of a key: SHA-256 in lower-case hex. */
export const hashKey = (key: string): string => hash('sha256', key);
