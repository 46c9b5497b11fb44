/** An amount in minor units as people write it: `2499` and `USD` are `$24.99`. */
export function amountText(minor_units: string, currency: string, locale?: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const { maximumFractionDigits: digits = 0 } = format.resolvedOptions();
  return format.format(Number(minor_units) / 10 ** digits);
}
