import { randomBytes } from 'node:crypto';
import type { Purpose } from './record.ts';

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
/** 26 characters of an alphabet of 36 have 134 bits. */
const TOKEN_CHARS = 26;
/** Larger byte values are discarded: they would make the alphabet's first characters more likely. */
const BYTE_LIMIT = 256 - (256 % ALPHABET.length);

const PREFIXES: Readonly<Record<Purpose, string>> = { pan: 'pan', cvv: 'cvv', cryptogram: 'cpt' };

/** A new token: `pan_`, `cvv_` or `cpt_`, then random characters. */
export function createToken(purpose: Purpose): string {
  let chars = '';
  while (chars.length < TOKEN_CHARS) {
    const usableBytes = [...randomBytes(2 * TOKEN_CHARS)].filter((byte) => byte < BYTE_LIMIT);
    chars += usableBytes.map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  }
  return `${PREFIXES[purpose]}_${chars.slice(0, TOKEN_CHARS)}`;
}
