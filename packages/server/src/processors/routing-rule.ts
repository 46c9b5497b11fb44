import type { Mode } from '@florin/contract/protocol/vault.ts';

/** Conditions of a rule, all of which must match. An absent condition always matches. */
export interface RuleConditions {
  readonly currencies?: readonly string[];
  readonly networks?: readonly string[];
  readonly issuer_countries?: readonly string[];
  readonly wallets?: readonly string[];
  readonly initiators?: readonly string[];
  /** Smallest amount in minor units. */
  readonly amount_min?: number;
  /** Largest amount in minor units. */
  readonly amount_max?: number;
}

/**
 * Outcomes of the first account after which the second is asked. `declined` includes `not_sent`; of declines it means
 * those whose advice allows another processor.
 */
export const fallbacks = ['none', 'not_sent', 'declined'] as const;
export type Fallback = (typeof fallbacks)[number];
/** A message that never left charges nothing, so that asking the second account is always safe. */
export const FALLBACK_DEFAULT: Fallback = 'not_sent';

export interface RoutingRule {
  readonly name: string;
  /** Null: a rule for every merchant. */
  readonly merchant_id: string | null;
  readonly mode: Mode;
  readonly conditions: RuleConditions;
  /** Ids of accounts in order of preference, or `network`. */
  readonly accounts: readonly string[];
  readonly fallback: Fallback;
}
