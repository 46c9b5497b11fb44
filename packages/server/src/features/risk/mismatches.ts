import { type CheckRule, checkRuleFacts, checkRules } from '@florin/contract/risk/check-rules.ts';
import type { RiskOutcome } from '@florin/contract/risk/outcome.ts';
import type { Row } from '../../platform/database/row.ts';
import type { CardChecks } from '../../processors/port/processor.ts';

/** Whether the issuer found that a part of the card's data is wrong. */
export const hasMismatch = (checks: CardChecks): boolean =>
  findMismatch(checks, checkRules) !== undefined;

const findMismatch = (checks: CardChecks, rules: readonly CheckRule[]): CheckRule | undefined =>
  checkRules.find(
    (rule) => rules.includes(rule) && checks[checkRuleFacts[rule].check] === 'mismatch',
  );

/**
 * Rule that refuses an approved payment; undefined if none does. A charge without the payer has no one who could
 * correct the data, and the payer's first payment passed. Payments of the allow list pass too.
 */
export function refusingRule(
  payment: Row,
  checks: CardChecks,
  rules: readonly CheckRule[] = [],
): CheckRule | undefined {
  if (payment.initiator === 'merchant' || isAllowed(payment)) return undefined;
  return findMismatch(checks, rules);
}

const isAllowed = ({ risk_outcome }: Row): boolean =>
  !!risk_outcome && (JSON.parse(risk_outcome) as RiskOutcome).decision === 'allowed';

/** Outcome of a payment that the rule refuses. */
export const refusedOutcome = (rule: CheckRule): RiskOutcome => ({
  decision: 'refused',
  rule,
  kind: null,
  id: null,
});
