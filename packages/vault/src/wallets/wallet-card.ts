import type { Cryptogram } from '../cards/cryptogram.ts';
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

const CRYPTOGRAM_PATTERN = /^[A-Za-z0-9+/]{20,512}={0,2}$/;
const INDICATOR_PATTERN = /^\d{1,2}$/;

/**
 * Checks cryptogram and indicator. Throws `wallet_token_unreadable` for values in a form that networks do not
 * accept.
 */
export function checkCryptogram(cryptogram: unknown, eci: unknown): Cryptogram {
  if (typeof cryptogram !== 'string' || !CRYPTOGRAM_PATTERN.test(cryptogram)) {
    throw unreadableToken('the cryptogram is missing or malformed');
  }
  if (eci === undefined || eci === null || eci === '') return { cryptogram };
  if (typeof eci !== 'string' || !INDICATOR_PATTERN.test(eci))
    throw unreadableToken('eciIndicator is not a valid ECI');
  // Networks use two digits, but some wallets send one.
  return { cryptogram, eci: eci.padStart(2, '0') };
}
