import type { Field } from '../resources/define-resource.ts';

/** The rules that may decide about a payment before it is sent, those that beat others first. */
export const riskRules = [
  'customer_blocked',
  'block_list',
  'sandbox_block_list',
  'allow_list',
  'velocity_limit',
  'score',
] as const;
export type RiskRule = (typeof riskRules)[number];

/** Which rule decided about a payment, never what it compared. */
export interface RiskOutcome {
  readonly decision: 'refused' | 'allowed';
  readonly rule: RiskRule;
  /** The kind of the list's entry or of the limit; null for other rules. */
  readonly kind: string | null;
  /** Its id; null for rules of the platform. */
  readonly id: string | null;
}

/** What is shown of it. */
export const riskOutcome = {
  type: 'object',
  opaque: true,
  members: {
    decision: { type: 'enum', values: ['refused', 'allowed'], always_set: true },
    rule: { type: 'enum', values: riskRules, always_set: true },
    kind: { type: 'string' },
    id: { type: 'uuid' },
  },
  description:
    'The rule that decided about the payment when it was last to be sent: `decision` and `rule`, with `kind` and `id` of the `risk_list_entries` or `velocity_limits`. Null where none did. What was `allowed` was sent, and may have been declined all the same.',
} as const satisfies Field;
