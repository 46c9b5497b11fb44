import { amountDecimal, exponentOf } from '@florin/contract/money.ts';

const DECIMAL = /^(\d{1,13})(?:[.,](\d*))?$/;

/** Minor units of what somebody has typed: `24.99` and `24,99` of USD are 2499. Undefined where it is no amount. */
export function minorUnitsOf(text: string, currency: string): number | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(text.replace(/[\s'’_]/g, '')) ?? [];
  const digits = exponentOf(currency.toUpperCase());
  if (whole === undefined || fraction.length > digits) return undefined;
  return Number(whole + fraction.padEnd(digits, '0'));
}

/** An amount as it is typed: 2499 of USD is `24.99`. */
export const decimalOf = (cents: number, currency: string): string =>
  amountDecimal(String(cents), currency.toUpperCase());
