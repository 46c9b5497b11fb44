import { exponentOf } from '../money.ts';

/** The smallest and the largest amount of one payment in a currency, in its minor units. */
export interface AmountLimits {
  readonly min_cents: number;
  readonly max_cents: number;
}

/** What a merchant wants of them; null for what it leaves to the platform. */
export type OwnLimits = Readonly<Record<keyof AmountLimits, number | null>>;

/** The twelve digits that an authorisation has for its amount, in every currency (ISO 8583, field 4). */
export const AMOUNT_MAX = 999_999_999_999;

/** Minor units below which no payment is taken, by how many digits the currency has behind its point. */
const minima: Readonly<Record<number, number>> = { 0: 10, 2: 10, 3: 100 };
const AMOUNT_MIN = 10;

/** What every merchant is held to. */
export const platformLimits = (currency: string): AmountLimits => ({
  min_cents: minima[exponentOf(currency)] ?? AMOUNT_MIN,
  max_cents: AMOUNT_MAX,
});

/** What a merchant wants within that; bounds that it leaves out, or that go beyond, are those of the platform. */
export function limitsWithin(platform: AmountLimits, own: Partial<OwnLimits> = {}): AmountLimits {
  return {
    min_cents: Math.max(platform.min_cents, own.min_cents ?? 0),
    max_cents: Math.min(platform.max_cents, own.max_cents ?? platform.max_cents),
  };
}
