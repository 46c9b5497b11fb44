import type { Cryptogram } from '../cards/cryptogram.ts';
import { unreadable } from './refusals.ts';

/** What a wallet's token came to: verified to be the wallet's own, its card's number and expiry not yet checked. */
export interface WalletCard {
  readonly number: unknown;
  readonly expiry_month: unknown;
  readonly expiry_year: unknown;
  /** Absent where the wallet does not say who pays. */
  readonly cryptogram?: Cryptogram;
  /** What the wallet calls this one token by; it is used once. */
  readonly id: string;
  /** When it can no longer be opened, in milliseconds. */
  readonly expires_at: number;
}

const CRYPTOGRAM = /^[A-Za-z0-9+/]{20,512}={0,2}$/;
const INDICATOR = /^\d{1,2}$/;

/** Throws `wallet_token_unreadable` for what is neither absent nor of the form that networks take. */
export function checkCryptogram(cryptogram: unknown, eci: unknown): Cryptogram {
  if (typeof cryptogram !== 'string' || !CRYPTOGRAM.test(cryptogram)) {
    throw unreadable('the cryptogram is missing or is not one');
  }
  if (eci === undefined || eci === null || eci === '') return { cryptogram };
  if (typeof eci !== 'string' || !INDICATOR.test(eci)) throw unreadable('eciIndicator is not one');
  // Networks write two digits, and wallets sometimes one.
  return { cryptogram, eci: eci.padStart(2, '0') };
}
