import { amountDecimal, exponentOf } from './money.ts';

export type AmountProblem = 'not_an_amount' | 'too_many_digits';

type Amount = { readonly cents: number } | { readonly problem: AmountProblem };

const WHOLE_MAX = 13;
const GROUP = 3;
/** Digits, points and commas. Spaces and apostrophes between thousands are removed earlier. */
const NUMBER = /^\d[\d.,]*$/;

/**
 * Returns the minor units of a typed amount: `24.99`, `24,99` and `1,024.99` of USD. `1,000` means a thousand dollars
 * in
 * locales with comma separators. Ambiguous input is refused: `1,000` of a currency with three decimals.
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
  whole.length <= GROUP && fraction.length === GROUP && mark === separatorsOf(locale).group;

function centsOf(whole: string, fraction: string, digits: number): Amount {
  if (fraction.length > digits) return { problem: 'too_many_digits' };
  const cents = Number(whole + fraction.padEnd(digits, '0'));
  return Number.isSafeInteger(cents) ? { cents } : { problem: 'not_an_amount' };
}

/** Returns the minor units of a typed amount, or undefined. */
export function minorUnitsOf(typed: string, currency: string, locale?: string): number | undefined {
  const amount = readAmount(typed, currency, locale);
  return 'cents' in amount ? amount.cents : undefined;
}

/** Formats minor units for an input: 2499 of USD is `24.99`, or `24,99` in some locales. */
export const decimalOf = (cents: number, currency: string, locale?: string): string =>
  amountDecimal(String(cents), currency.toUpperCase()).replace('.', separatorsOf(locale).decimal);

interface Parts {
  readonly whole: string;
  readonly fraction: string;
  /**
   * Decimal separator in the input. Empty if the input has none, or if its thousands separators identify the decimal
   * separator.
   */
  readonly mark: string;
}

const plainNumber = /^(\d+)(?:([.,])(\d*))?$/;
const grouped = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:(?!\1)[.,](\d*))?$/;

function partsOf(text: string): Parts | undefined {
  const [, digits, decimalMark = '', fraction = ''] = plainNumber.exec(text) ?? [];
  if (digits !== undefined) return { whole: digits, fraction, mark: decimalMark };
  const [wholeText, separator = '', decimals = ''] = grouped.exec(text) ?? [];
  if (wholeText === undefined) return undefined;
  const whole = wholeText.split(separator === '.' ? ',' : '.', 1).join('');
  return { whole: whole.replaceAll(separator, ''), fraction: decimals, mark: '' };
}

/** Thousands and decimal separators of a locale. */
function separatorsOf(locale: string | undefined): {
  readonly group: string;
  readonly decimal: string;
} {
  if (!locale) return { group: '', decimal: '.' };
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(EXAMPLE);
  const symbolOf = (type: 'group' | 'decimal') =>
    parts.find((part) => part.type === type)?.value ?? '';
  return { group: symbolOf('group'), decimal: symbolOf('decimal') || '.' };
}

/** Five digits, because some locales do not separate thousands in four digits. */
const EXAMPLE = 12_345.5;
