import { cardNumberState } from '@florin/contract/card/card-number.ts';
import { expiryOk, parseExpiry } from '@florin/contract/card/expiry.ts';
import { networkOf } from '@florin/contract/card/networks.ts';
import type { TextName } from '../texts.ts';
import type { Problems } from './section.ts';

/** Input of the cardholder: digits of card number and verification value, and the expiry as displayed. */
export interface CardEntry {
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string;
}

export type CardFieldName = keyof CardEntry;

/** Problems by field, as names of texts. Valid fields are absent. */
export function problemsOf(entry: CardEntry, now: Date): Problems<CardFieldName> {
  const number = numberProblem(entry.number);
  const expiry = expiryProblem(entry.expiry, now);
  const cvv = cvvProblem(entry.cvv, entry.number);
  return { ...(number && { number }), ...(expiry && { expiry }), ...(cvv && { cvv }) };
}

function numberProblem(digits: string): TextName | undefined {
  const state = cardNumberState(digits);
  if (state === 'valid') return undefined;
  if (digits === '') return 'number_missing';
  const lengths = networkOf(digits)?.lengths ?? [];
  const incomplete = state === 'incomplete' && !lengths.includes(digits.length);
  return incomplete ? 'number_short' : 'number_wrong';
}

function expiryProblem(text: string, now: Date): TextName | undefined {
  if (text === '') return 'expiry_missing';
  const date = parseExpiry(text);
  if (!date) return 'expiry_incomplete';
  if (date.month < 1 || date.month > 12) return 'expiry_month';
  if (expiryOk(date.month, date.year, now)) return undefined;
  const monthEnd = new Date(Date.UTC(date.year, date.month));
  return monthEnd <= now ? 'expiry_past' : 'expiry_far';
}

function cvvProblem(digits: string, number: string): TextName | undefined {
  const length = networkOf(number)?.cvv_length;
  const isRightLength = length ? digits.length === length : digits.length >= 3;
  return isRightLength ? undefined : cvvHint(number);
}

/** Name of the text that explains where the verification value is on this card. */
export const cvvHint = (number: string): TextName =>
  networkOf(number)?.cvv_length === 4 ? 'cvv_front' : 'cvv_back';

/** Length of most card numbers. */
const USUAL_DIGITS = 16;

/**
 * Whether a number is probably complete: its network issues no longer ones, or seldom. UnionPay and Maestro often
 * issue 19 digits.
 */
export function hasUsualLength(digits: string): boolean {
  const { brand = '', lengths = [] } = networkOf(digits) ?? {};
  const isUsual = digits.length === USUAL_DIGITS && brand !== 'unionpay' && brand !== 'maestro';
  return isUsual || digits.length === Math.max(...lengths);
}
