import { currencyNumbers } from '@florin/contract/currencies.ts';
import { exponentOf } from '@florin/contract/money.ts';
import type { StandInAnswer } from '../stand-in/answer.ts';
import { isJsonObject } from '../stand-in/members.ts';
import { invalidRequest, unreadable } from './answers.ts';

/** Amount in the processor's minor units. */
export interface AdyenAmount {
  readonly currency: string;
  readonly value: number;
}

/** Decimals of the currencies where the processor differs from ISO 4217. */
const ownExponents: Readonly<Record<string, number>> = { CLP: 2, ISK: 2, CVE: 0, IDR: 0 };
const AMOUNT_DIGITS_MAX = 12;

/** Decimals of a currency's minor units at Adyen. */
export const adyenExponentOf = (currency: string): number =>
  ownExponents[currency] ?? exponentOf(currency);

/** ISO 4217 minor units of an amount. Fractions are cut. */
export const isoUnitsOf = ({ value, currency }: AdyenAmount): number =>
  Math.floor(value * 10 ** (exponentOf(currency) - adyenExponentOf(currency)));

/** Parses member `amount`. An amount as text is not accepted. */
export function parseAmount(amount: unknown, least: 0 | 1): AdyenAmount | StandInAnswer {
  if (amount === undefined)
    return invalidRequest('100', "Required object 'amount' is not provided.");
  if (!isJsonObject(amount)) return unreadable('Unexpected input for amount');
  const { value, currency } = amount;
  if (typeof value !== 'number' || !Number.isInteger(value))
    return unreadable('Unexpected input for amount.value, expected a long');
  if (typeof currency !== 'string' || !currencyNumbers.has(currency))
    return invalidRequest('138', 'Unsupported currency specified');
  if (value < least || String(value).length > AMOUNT_DIGITS_MAX)
    return invalidRequest('137', 'Invalid amount specified');
  return { value, currency };
}
