import { exponentOf } from '../money.ts';

/** Minimum and maximum of one payment, in minor units of a currency. */
export interface AmountLimits {
  readonly min_cents: number;
  readonly max_cents: number;
}

/** A merchant's limits; null uses the platform's. */
export type OwnLimits = Readonly<Record<keyof AmountLimits, number | null>>;

/** ISO 8583, field 4: an authorisation has twelve digits for its amount, in every currency. */
export const AMOUNT_MAX = 999_999_999_999;

/** Minimum payments in minor units, by the currency's decimals. */
const minima: Readonly<Record<number, number>> = { 0: 10, 2: 10, 3: 100 };
const AMOUNT_MIN = 10;

/** Limits of every merchant. */
export const platformLimits = (currency: string): AmountLimits => ({
  min_cents: minima[exponentOf(currency)] ?? AMOUNT_MIN,
  max_cents: AMOUNT_MAX,
});

/** A merchant's limits. Missing values and values beyond the platform's limits use those of the platform. */
export function limitsWithin(platform: AmountLimits, own: Partial<OwnLimits> = {}): AmountLimits {
  return {
    min_cents: Math.max(platform.min_cents, own.min_cents ?? 0),
    max_cents: Math.min(platform.max_cents, own.max_cents ?? platform.max_cents),
  };
}
