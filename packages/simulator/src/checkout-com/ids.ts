import { randomBytes } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_CHARACTERS = 26;

/** Kinds of records, which are the prefixes of their ids. */
export type IdPrefix = 'pay' | 'act' | 'src' | 'evt' | 'dsp' | 'file' | 'sid' | 'rpt';

/** New id: a prefix and 26 random characters, such as `pay_mbabizu24mvu3mela5njyhpit4`. */
export const createId = (prefix: IdPrefix): string => `${prefix}_${randomBase32()}`;

/** 26 random characters of base32. */
export const randomBase32 = (): string =>
  [...randomBytes(ID_CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
