import { isValidCardNumber } from '@florin/contract/card/card-number.ts';
import type {} from '@florin/dev-env/global-setup.ts';
import { inject } from 'vitest';

/** A unique card. No other text of the test contains its verification value. */
export interface CanaryCard {
  readonly number: string;
  readonly cvv: string;
}

const SHAPES = {
  visa: { prefix: '4', length: 16, cvv_digits: 3 },
  mastercard: { prefix: '53', length: 16, cvv_digits: 3 },
  discover: { prefix: '65', length: 16, cvv_digits: 3 },
  visa_19: { prefix: '4', length: 19, cvv_digits: 3 },
  amex: { prefix: '34', length: 15, cvv_digits: 4 },
} as const;
export type CanaryBrand = keyof typeof SHAPES;

/** Range of verification values that are no year, amount or usual duration in milliseconds. */
const CVV_FIRST = 6_100;
const CVV_COUNT = 800;
const DIGITS = 10;
const DIGIT_CHARACTERS = '0123456789';

const isLikeCvv = (digits: string): boolean =>
  Number(digits) >= CVV_FIRST && Number(digits) < CVV_FIRST + CVV_COUNT;

/** Returns card number `n` of this run's seed. */
export function createCanaryCard(brand: CanaryBrand, n: number): CanaryCard {
  const { prefix, length, cvv_digits } = SHAPES[brand];
  const random = createRandom(inject('seed') + n * 7_919);
  let number = '';
  // Merchants see the last four digits, so these must differ from every verification value.
  while (!number || isLikeCvv(number.slice(-4))) {
    let body = prefix;
    while (body.length < length - 1) body += Math.floor(random() * DIGITS);
    number = [...DIGIT_CHARACTERS].map((digit) => body + digit).find(isValidCardNumber) ?? '';
  }
  const cvv = String(CVV_FIRST + ((inject('seed') + n * 31) % CVV_COUNT)).slice(0, cvv_digits);
  return { number, cvv };
}

/** Pseudo-random numbers from 0 to 1 (mulberry32). The same seed repeats a run. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
