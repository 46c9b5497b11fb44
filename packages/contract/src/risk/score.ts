import type { CardSignals } from './sandbox-rules.ts';

/** From this score on a payment is refused as `highest_risk`. */
export const HIGHEST_RISK_SCORE = 75;

/** What speaks against a payment, and how much. */
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

/** The score of a payment by what is known of its card, from 0 for none of it. */
export const scoreOf = (card: CardSignals): number =>
  rules.filter(({ holds }) => holds(card)).reduce((sum, { weight }) => sum + weight, 0);
