import { cardNumberState } from '@florin/contract/card/card-number.ts';
import { EXPIRY_MONTHS_AHEAD_MAX, expiryOk, parseExpiry } from '@florin/contract/card/expiry.ts';
import { networkOf } from '@florin/contract/card/networks.ts';

/** What the cardholder has entered: digits of the number and the verification value, the expiry as shown. */
export interface CardEntry {
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string;
}

export type FieldName = keyof CardEntry;
export const fieldNames: readonly FieldName[] = ['number', 'expiry', 'cvv'];

/** What is wrong with each field, in words for the cardholder; a field that is right is absent. */
export type Problems = Partial<Record<FieldName, string>>;

export function problemsOf(entry: CardEntry, now: Date): Problems {
  const number = numberProblem(entry.number);
  const expiry = expiryProblem(entry.expiry, now);
  const cvv = cvvProblem(entry.cvv, entry.number);
  return { ...(number && { number }), ...(expiry && { expiry }), ...(cvv && { cvv }) };
}

function numberProblem(digits: string): string | undefined {
  const state = cardNumberState(digits);
  if (state === 'valid') return undefined;
  if (digits === '') return 'Enter the card number.';
  const lengths = networkOf(digits)?.lengths ?? [];
  const incomplete = state === 'incomplete' && !lengths.includes(digits.length);
  return incomplete
    ? 'The card number is too short.'
    : 'Check the card number: it seems to have a typing error.';
}

function expiryProblem(text: string, now: Date): string | undefined {
  if (text === '') return 'Enter the expiry date.';
  const date = parseExpiry(text);
  if (!date) return 'Enter month and year, such as 04 / 31.';
  if (date.month < 1 || date.month > 12) return 'The month must be between 01 and 12.';
  if (expiryOk(date.month, date.year, now)) return undefined;
  const last = new Date(Date.UTC(date.year, date.month));
  if (last <= now) return 'This card has expired.';
  return `Check the year: cards are valid for ${EXPIRY_MONTHS_AHEAD_MAX / 12} years at most.`;
}

function cvvProblem(digits: string, number: string): string | undefined {
  const length = networkOf(number)?.cvv_length;
  const fits = length ? digits.length === length : digits.length >= 3;
  if (fits) return undefined;
  return `Enter ${cvvHint(number)}.`;
}

/** Where the cardholder finds the verification value of this card. */
export const cvvHint = (number: string): string =>
  networkOf(number)?.cvv_length === 4 ? 'the 4 digits on the front' : 'the 3 digits on the back';
