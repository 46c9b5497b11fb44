import { amountDecimal, exponentOf } from '@florin/contract/money.ts';

/** Why a text is no amount of a currency. */
export type AmountProblem = 'not_an_amount' | 'too_many_digits';

type Amount = { readonly cents: number } | { readonly problem: AmountProblem };

const WHOLE_MAX = 13;
const GROUP = 3;
/** Digits, points and commas: whoever writes numbers puts spaces and apostrophes between thousands as well. */
const NUMBER = /^\d[\d.,]*$/;

/**
 * Minor units of what somebody has typed: `24.99`, `24,99` and `1,024.99` of USD. `1,000` are a thousand dollars where
 * people put commas between thousands. Nothing is guessed: of a currency with three digits it may be either, and is neither.
 */
export function readAmount(typed: string, currency: string, locale?: string): Amount {
  const text = typed.replace(/[\s'’_]/g, '');
  const parts = NUMBER.test(text) ? partsOf(text) : undefined;
  if (!parts || parts.whole.length > WHOLE_MAX) return { problem: 'not_an_amount' };
  const digits = exponentOf(currency.toUpperCase());
  const { whole, fraction } = parts;
  if (!mayBeThousands(parts, locale)) return centsOf(whole, fraction, digits);
  return digits < GROUP ? centsOf(whole + fraction, '', digits) : { problem: 'not_an_amount' };
}

const mayBeThousands = ({ whole, fraction, mark }: Parts, locale: string | undefined): boolean =>
  whole.length <= GROUP && fraction.length === GROUP && mark === marksOf(locale).group;

function centsOf(whole: string, fraction: string, digits: number): Amount {
  if (fraction.length > digits) return { problem: 'too_many_digits' };
  const cents = Number(whole + fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(cents) ? { cents } : { problem: 'not_an_amount' };
}

/** Minor units of what somebody has typed; undefined where it is no amount. */
export function minorUnitsOf(typed: string, currency: string, locale?: string): number | undefined {
  const amount = readAmount(typed, currency, locale);
  return 'cents' in amount ? amount.cents : undefined;
}

/** An amount as it is typed: 2499 of USD is `24.99`, or `24,99` where people write it so. */
export const decimalOf = (cents: number, currency: string, locale?: string): string =>
  amountDecimal(String(cents), currency.toUpperCase()).replace('.', marksOf(locale).decimal);

interface Parts {
  readonly whole: string;
  readonly fraction: string;
  /** The decimal point or comma; empty where there is none, or thousands show which it is. */
  readonly mark: string;
}

const plain = /^(\d+)(?:([.,])(\d*))?$/;
const grouped = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:(?!\1)[.,](\d*))?$/;

function partsOf(text: string): Parts | undefined {
  const [, digits, mark = '', fraction = ''] = plain.exec(text) ?? [];
  if (digits !== undefined) return { whole: digits, fraction, mark };
  const [all, separator = '', decimals = ''] = grouped.exec(text) ?? [];
  if (all === undefined) return undefined;
  const whole = all.split(separator === '.' ? ',' : '.', 1).join('');
  return { whole: whole.replaceAll(separator, ''), fraction: decimals, mark: '' };
}

/** What stands between thousands and before decimals where somebody is. */
function marksOf(locale: string | undefined): { readonly group: string; readonly decimal: string } {
  if (!locale) return { group: '', decimal: '.' };
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(EXAMPLE);
  const of = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value ?? '';
  return { group: of('group'), decimal: of('decimal') || '.' };
}

/** Five digits: some languages put nothing between thousands of four. */
const EXAMPLE = 12_345.5;
