import { type Cryptogram, readCryptogram } from '../cards/cryptogram.ts';
import { unreadableToken } from './refusals.ts';

/** Content of a verified wallet token. Number and expiry are unchecked. */
export interface WalletCard {
  readonly number: unknown;
  readonly expiry_month: unknown;
  readonly expiry_year: unknown;
  /** Absent if the wallet did not authenticate the cardholder. */
  readonly cryptogram?: Cryptogram;
  /** The wallet's id of this token, valid for one use. */
  readonly id: string;
  /** End of the token's validity, in milliseconds. */
  readonly expires_at: number;
}

const complaints = {
  cryptogram: 'the cryptogram is missing or malformed',
  eci: 'eciIndicator is not a valid ECI',
} as const;

/**
 * Checks cryptogram and indicator. Throws `wallet_token_unreadable` for values in a form that networks do not
 * accept.
 */
export const checkCryptogram = (cryptogram: unknown, eci: unknown): Cryptogram =>
  readCryptogram(cryptogram, eci, (member) => unreadableToken(complaints[member]));
