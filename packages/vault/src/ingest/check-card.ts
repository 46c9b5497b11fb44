import { isValidCardNumber } from '@florin/contract/card/card-number.ts';
import { expiryOk } from '@florin/contract/card/expiry.ts';
import { networkOf } from '@florin/contract/card/networks.ts';
import { VaultRefusal } from '../kernel/errors.ts';

const invalidCard = (detail: string): VaultRefusal => new VaultRefusal('invalid_card', detail);

/** Throws `invalid_card` for a wrong check digit or a length that the network does not use. */
export function checkNumber(number: unknown): string {
  if (typeof number === 'string' && isValidCardNumber(number)) return number;
  throw invalidCard('The card number is not valid.');
}

export interface Expiry {
  readonly expiry_month: number;
  readonly expiry_year: number;
}

/** Throws `invalid_card` for an invalid month, a past month, or one later than issuers use. */
export function checkExpiry(month: unknown, year: unknown, now: number): Expiry {
  const isValid =
    typeof month === 'number' && typeof year === 'number' && expiryOk(month, year, new Date(now));
  if (!isValid) throw invalidCard('The expiry date is not valid or has passed.');
  return { expiry_month: month, expiry_year: year };
}

/** Throws `invalid_card` unless the value has the length of the number's network. */
export function checkCvv(cvv: unknown, number: string): string {
  const length = networkOf(number)?.cvv_length;
  const isValid =
    typeof cvv === 'string' && /^\d{3,4}$/.test(cvv) && (!length || cvv.length === length);
  if (!isValid) throw invalidCard('The verification value is not valid for this card.');
  return cvv;
}
