import { exponentOf } from '@florin/contract/money.ts';
import type { Money } from './message.ts';

/** Decimals of currencies where a processor differs from ISO 4217. */
export type Exponents = Readonly<Record<string, number>>;

/**
 * Amount in the processor's minor units. Undefined if it is not a whole number of them: IDR with cents at a processor
 * that takes rupiah.
 */
export const toProcessorUnits = (
  { amount, currency }: Money,
  exponents: Exponents,
): number | undefined => scale(amount, shiftOf(currency, exponents));

/** Amount in ISO 4217 minor units of an amount in the processor's. Undefined if it is not a whole number of them. */
export const fromProcessorUnits = (
  { amount, currency }: Money,
  exponents: Exponents,
): number | undefined => scale(amount, -shiftOf(currency, exponents));

const shiftOf = (currency: string, exponents: Exponents): number =>
  (exponents[currency] ?? exponentOf(currency)) - exponentOf(currency);

function scale(amount: number, shift: number): number | undefined {
  const scaled = shift >= 0 ? amount * 10 ** shift : amount / 10 ** -shift;
  return Number.isSafeInteger(scaled) ? scaled : undefined;
}
