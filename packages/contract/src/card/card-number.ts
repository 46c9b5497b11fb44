import { luhnOk } from './luhn.ts';
import { networkOf } from './networks.ts';

/** Shortest and longest card number (ISO/IEC 7812-1). */
export const PAN_DIGITS_MIN = 12;
export const PAN_DIGITS_MAX = 19;

/** Removes spaces, dashes and dots from a typed or pasted card number. */
export const digitsOf = (text: string): string => text.normalize('NFKC').replace(/[\s.\-·]/g, '');

/** State of typed digits. `incomplete` can become valid with more digits; `invalid` cannot. */
export type CardNumberState = 'valid' | 'incomplete' | 'invalid';

/** State of a card number without separators. */
export function cardNumberState(digits: string): CardNumberState {
  if (!/^\d*$/.test(digits) || digits.length > PAN_DIGITS_MAX) return 'invalid';
  const network = networkOf(digits);
  const lengths = network?.lengths ?? [PAN_DIGITS_MAX];
  const longest = Math.max(...lengths);
  if (network && lengths.includes(digits.length) && luhnOk(digits)) return 'valid';
  if (!network && digits.length >= PAN_DIGITS_MIN && luhnOk(digits)) return 'valid';
  return digits.length < longest ? 'incomplete' : 'invalid';
}

export const isValidCardNumber = (digits: string): boolean => cardNumberState(digits) === 'valid';
