import { createHash } from 'node:crypto';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_LENGTH = 26;

/** Id that always is the same for a text, such as `ent_…` of a channel. */
export const derivedId = (prefix: 'ent' | 'ca' | 'rpt' | 'file', text: string): string =>
  `${prefix}_${[...createHash('sha256').update(`${prefix} ${text}`).digest()]
    .slice(0, ID_LENGTH)
    .map((byte) => ALPHABET[byte % ALPHABET.length])
    .join('')}`;

/** Id of the legal entity of a channel. */
export const entityOf = (channel: string): string => derivedId('ent', channel);

/** Id of the account that holds a channel's money of a currency. */
export const currencyAccountOf = (channel: string, currency: string): string =>
  derivedId('ca', `${channel} ${currency}`);
