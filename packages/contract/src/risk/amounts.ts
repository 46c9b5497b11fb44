import { exponentOf } from '../money.ts';

/** Minimum and maximum amount of one payment, in minor units. */
export interface AmountLimits {
  readonly min_cents: number;
  readonly max_cents: number;
}

/** Limits of a merchant. Null means the platform's limit. */
export type OwnLimits = Readonly<Record<keyof AmountLimits, number | null>>;

/** ISO 8583, field 4: the amount of an authorisation has twelve digits in every currency. */
export const AMOUNT_MAX = 999_999_999_999;

/** Minimum amounts in minor units, by the number of a currency's decimals. */
const minima: Readonly<Record<number, number>> = { 0: 10, 2: 10, 3: 100 };
const AMOUNT_MIN = 10;

/** Limits that apply to all merchants. */
export const platformLimits = (currency: string): AmountLimits => ({
  min_cents: minima[exponentOf(currency)] ?? AMOUNT_MIN,
  max_cents: AMOUNT_MAX,
});

/**
 * Limits of a merchant. Missing limits, and limits beyond the platform's, become the platform's.
 */
export function limitsWithin(platform: AmountLimits, own: Partial<OwnLimits> = {}): AmountLimits {
  return {
    min_cents: Math.max(platform.min_cents, own.min_cents ?? 0),
    max_cents: Math.min(platform.max_cents, own.max_cents ?? platform.max_cents),
  };
}
