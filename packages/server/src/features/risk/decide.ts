import type { DeclineCode } from '@florin/contract/decline-codes.ts';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { RiskList, RiskListKind } from '@florin/contract/risk/lists.ts';
import type { RiskOutcome } from '@florin/contract/risk/outcome.ts';
import { isBlockedInSandbox, sandboxSignals } from '@florin/contract/risk/sandbox-rules.ts';
import { HIGHEST_RISK_SCORE, scoreOf } from '@florin/contract/risk/score.ts';
import type { VelocityLimit } from '@florin/contract/risk/velocity.ts';
import type { Row } from '../../platform/database/row.ts';

/** List entry that matches a payment. */
export interface ListMatch {
  readonly id: string;
  readonly list: RiskList;
  readonly kind: RiskListKind;
}

/** Facts about a payment for the rules. */
export interface RiskFacts {
  readonly scope: { readonly merchant_id: string; readonly mode: Mode };
  /** Amount in minor units. */
  readonly amount_cents: number;
  readonly amount_currency: string;
  readonly payer_id: string;
  readonly payer_blocked: boolean;
  /**
   * Whether the payer is present. Otherwise the charge is merchant-initiated and follows an
   * approved payment.
   */
  readonly by_customer: boolean;
  readonly card: {
    readonly bin: string;
    readonly last_four: string;
    readonly fingerprint: string;
  };
  readonly matches: readonly ListMatch[];
  readonly limits: readonly VelocityLimit[];
}

/** Counts for velocity limits, including payments that are about to be sent. */
export interface Tally {
  /** Whether the payment would exceed the limit. */
  exceeds(limit: VelocityLimit, facts: RiskFacts): boolean;
  /** Adds a payment that will be sent. */
  add(facts: RiskFacts): void;
}

/** Verdict on a payment: send or refuse, and the rule that decided. */
export interface RiskVerdict {
  /** Decline code of a refused payment; absent if the payment is sent. */
  readonly refusal?: DeclineCode;
  /** Rule that decided; null if none applied. */
  readonly outcome: RiskOutcome | null;
  /** Payment columns for findings against the payment. */
  readonly checks?: Row;
}

/**
 * Applies the rules in order of precedence: blocked payer, merchant's block list, sandbox block list, allow list,
 * velocity limits, and in the sandbox the score. Changes nothing but the tally, which counts an accepted payment for
 * later decisions.
 */
export function decideRisk(facts: RiskFacts, tally: Tally): RiskVerdict {
  const verdict = verdictOf(facts, tally);
  if (!verdict.refusal) tally.add(facts);
  return verdict;
}

const NOTHING: RiskVerdict = { outcome: null };

function verdictOf(facts: RiskFacts, tally: Tally): RiskVerdict {
  if (facts.payer_blocked) return refusedVerdict('customer_blocked', { rule: 'customer_blocked' });
  const blockMatch = matchOf(facts, 'block');
  if (blockMatch) return refusedVerdict('blocked', { rule: 'block_list', ...blockMatch });
  const { card, scope } = facts;
  const isSandbox = scope.mode === 'sandbox';
  if (isSandbox && isBlockedInSandbox(card.bin, card.last_four)) {
    return refusedVerdict('always_blocked', { rule: 'sandbox_block_list' });
  }
  const allowMatch = matchOf(facts, 'allow');
  if (allowMatch) return { outcome: { decision: 'allowed', rule: 'allow_list', ...allowMatch } };
  const limit = facts.limits.find((limit) => tally.exceeds(limit, facts));
  if (limit)
    return refusedVerdict('velocity_exceeded', { rule: 'velocity_limit', ...idAndKind(limit) });
  return isSandbox ? scoreCard(facts) : NOTHING;
}

function scoreCard({ card: { bin, last_four } }: RiskFacts): RiskVerdict {
  const signals = sandboxSignals(bin, last_four);
  if (!signals || scoreOf(signals) < HIGHEST_RISK_SCORE) return NOTHING;
  const { tried_out, ...checks } = signals;
  return { ...refusedVerdict('highest_risk', { rule: 'score' }), checks };
}

const idAndKind = ({ id, kind }: { readonly id: string | null; readonly kind: string }) => ({
  id,
  kind,
});

function matchOf({ matches }: RiskFacts, list: RiskList): ReturnType<typeof idAndKind> | undefined {
  const match = matches.find((match) => match.list === list);
  return match && idAndKind(match);
}

const refusedVerdict = (
  refusal: DeclineCode,
  { rule, kind = null, id = null }: Pick<RiskOutcome, 'rule'> & Partial<RiskOutcome>,
): RiskVerdict => ({ refusal, outcome: { decision: 'refused', rule, kind, id } });
