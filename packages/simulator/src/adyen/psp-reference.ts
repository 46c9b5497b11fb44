import { randomBytes } from 'node:crypto';

/** Letters without vowels, and digits that cannot be mistaken for letters. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ23456789';
const CHARACTERS = 16;

/** New psp reference, such as `QFQTPCQ8HXSKGK82`. */
export const createPspReference = (): string =>
  [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
