import type { Field } from '../resources/define-resource.ts';
import { checkRules } from './check-rules.ts';

/** Rules that may decide about a payment: before it is sent, and `checkRules` after its approval. The first match decides. */
export const riskRules = [
  'customer_blocked',
  'block_list',
  'sandbox_block_list',
  'allow_list',
  'velocity_limit',
  'score',
  ...checkRules,
] as const;
export type RiskRule = (typeof riskRules)[number];

/** The rule that decided about a payment. Excludes the compared values. */
export interface RiskOutcome {
  readonly decision: 'refused' | 'allowed';
  readonly rule: RiskRule;
  /** Kind of the list entry or limit; null for other rules. */
  readonly kind: string | null;
  /** Id of the list entry or limit; null for platform rules. */
  readonly id: string | null;
}

/** Fields of a risk outcome that the interface serves. */
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
    'The rule that decided about the payment when it was last to be sent: `decision` and `rule`, with `kind` and `id` of the `risk_list_entries` or `velocity_limits`. The rules `…_mismatch` refuse after the approval, by `refused_mismatches` of the merchant. Null where none did. What was `allowed` was sent, and may have been declined all the same.',
} as const satisfies Field;
