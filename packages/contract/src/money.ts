/** An amount in minor units as people write it: `2499` and `USD` are `$24.99`. */
export function amountText(minor_units: string, currency: string, locale?: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const { maximumFractionDigits: digits = 0 } = format.resolvedOptions();
  return format.format(Number(minor_units) / 10 ** digits);
}

/** The same as a plain decimal, as programs write it: `2499` and `USD` are `24.99`. */
export function amountDecimal(minor_units: string, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const { maximumFractionDigits: digits = 0 } = format.resolvedOptions();
  const all = minor_units.padStart(digits + 1, '0');
  return digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`;
}
