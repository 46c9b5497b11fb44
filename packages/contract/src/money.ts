import { directionOf } from './locales.ts';

/**
 * Currencies with no decimals, and with three (ISO 4217). All others have two. A fixed table, since
 * formatters follow local habits and browsers differ.
 */
const WITHOUT = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const OF_THREE = 'BHD IQD JOD KWD LYD OMR TND';

/** Decimals of a currency (ISO 4217): 2 for USD, 0 for JPY, 3 for BHD. */
export function exponentOf(currency: string): number {
  if (WITHOUT.includes(currency)) return 0;
  return OF_THREE.includes(currency) ? 3 : 2;
}

/** Currencies with decimals of an unusual number. All others have two. */
export const currenciesByExponent = { 0: WITHOUT.split(' '), 3: OF_THREE.split(' ') } as const;

/** Formats minor units for people: `2499` and `USD` give `$24.99`. */
export const amountText = (minor_units: string, currency: string, locale?: string): string =>
  amountFormat(currency, locale)(minor_units);

/** Formatter for many amounts, since creating a formatter is slow. */
export function amountFormat(currency: string, locale?: string): (minor_units: string) => string {
  const digits = exponentOf(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const isRightToLeft = locale !== undefined && directionOf(locale) === 'rtl';
  // Formats text: a number would lose the last digits of sums beyond 2^53.
  return (minor_units) => {
    const decimal = amountDecimal(minor_units, currency);
    return isRightToLeft
      ? format.formatToParts(decimal).map(markedText).join('')
      : format.format(decimal);
  };
}

/** Marks a Latin currency as left-to-right: without the mark, `US$` is displayed as `$US`. */
const markedText = ({ type, value }: Intl.NumberFormatPart): string =>
  type === 'currency' && /[A-Z]/.test(value) ? `${value}${LEFT_TO_RIGHT_MARK}` : value;

const LEFT_TO_RIGHT_MARK = '\u200e';

type Decimal = `${number}`;

/** Formats minor units as a plain decimal for programs: `2499` and `USD` give `24.99`. */
export function amountDecimal(minor_units: string, currency: string): Decimal {
  const digits = exponentOf(currency);
  const sign = minor_units.startsWith('-') ? '-' : '';
  const all = minor_units.slice(sign.length).padStart(digits + 1, '0');
  const text = digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`;
  return `${sign}${text}` as Decimal;
}
