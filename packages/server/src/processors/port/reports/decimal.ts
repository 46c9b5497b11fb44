import { exponentOf } from '@florin/contract/money.ts';

/** Decimals of fine amounts. Processors' fees have more decimals than their currency. */
export const FINE_DECIMALS = 8;
/** Larger numbers do not occur, and sums of a million of them fit the database. */
const DECIMAL = /^(-?)(\d{1,18})(?:\.(\d{1,8}))?$/;

/**
 * An exact amount: it counts 10⁻⁸ of the currency's major unit (ISO 4217). Positive: money to the merchant, unless said
 * otherwise.
 */
export interface FineAmount {
  readonly amount: bigint;
  readonly currency: string;
}

/** Reads a decimal in major units, such as `-0.00862155`. Undefined for other texts: nothing is rounded. */
export function parseFine(text: string): bigint | undefined {
  const [, sign, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const amount = BigInt(whole + fraction.padEnd(FINE_DECIMALS, '0'));
  return sign ? -amount : amount;
}

/** The fine amount as a decimal in major units, with at least the decimals of its currency. */
export function fineText({ amount, currency }: FineAmount): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(FINE_DECIMALS + 1, '0');
  const decimals = exponentOf(currency);
  const whole = digits.slice(0, -FINE_DECIMALS);
  const fraction = digits.slice(-FINE_DECIMALS);
  const rest = fraction.slice(decimals).replace(/0+$/, '');
  const shown = fraction.slice(0, decimals) + rest;
  return `${amount < 0n ? '-' : ''}${whole}${shown === '' ? '' : `.${shown}`}`;
}

/** Whole minor units of an amount; undefined if it has a part of one. */
export function minorUnitsOf({ amount, currency }: FineAmount): bigint | undefined {
  const unit = 10n ** BigInt(FINE_DECIMALS - exponentOf(currency));
  return amount % unit === 0n ? amount / unit : undefined;
}
