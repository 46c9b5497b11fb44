/**
 * Currencies by how many digits they have behind their point (ISO 4217), where that is not two. A table, since formatters
 * follow local habit instead: some show forints and dinars of Iraq without any, and browsers differ.
 */
const WITHOUT = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const OF_THREE = 'BHD IQD JOD KWD LYD OMR TND';

/** How many digits a currency has behind its point (ISO 4217): 2 of USD, 0 of JPY, 3 of BHD. */
export function exponentOf(currency: string): number {
  if (WITHOUT.includes(currency)) return 0;
  return OF_THREE.includes(currency) ? 3 : 2;
}

/** An amount in minor units as people write it: `2499` and `USD` are `$24.99`. */
export const amountText = (minor_units: string, currency: string, locale?: string): string =>
  amountFormat(currency, locale)(minor_units);

/** The same for many amounts: such a function takes long to make. */
export function amountFormat(currency: string, locale?: string): (minor_units: string) => string {
  const digits = exponentOf(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // As text: a number would lose the last digits of sums beyond 2^53.
  return (minor_units) => format.format(amountDecimal(minor_units, currency));
}

type Decimal = `${number}`;

/** The same as a plain decimal, as programs write it: `2499` and `USD` are `24.99`. */
export function amountDecimal(minor_units: string, currency: string): Decimal {
  const digits = exponentOf(currency);
  const sign = minor_units.startsWith('-') ? '-' : '';
  const all = minor_units.slice(sign.length).padStart(digits + 1, '0');
  const text = digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`;
  return `${sign}${text}` as Decimal;
}
