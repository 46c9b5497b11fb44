import type { CardSignals } from './sandbox-rules.ts';

/** Payments with this score or a higher one are refused as `highest_risk`. */
export const HIGHEST_RISK_SCORE = 75;

/** Risk signals with their weights. */
const rules: readonly {
  readonly weight: number;
  readonly holds: (card: CardSignals) => boolean;
}[] = [
  { weight: 25, holds: ({ postal_code_verification }) => postal_code_verification === 'mismatch' },
  {
    weight: 10,
    holds: ({ address_line1_verification }) => address_line1_verification === 'mismatch',
  },
  { weight: 40, holds: ({ cvc2_check }) => cvc2_check === 'mismatch' },
  { weight: 50, holds: ({ tried_out }) => tried_out },
];

/** Risk score of a payment: the sum of its card's signals, 0 without any. */
export const scoreOf = (card: CardSignals): number =>
  rules.filter(({ holds }) => holds(card)).reduce((sum, { weight }) => sum + weight, 0);
