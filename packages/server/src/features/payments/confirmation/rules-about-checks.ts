import type { CheckRule } from '@florin/contract/risk/check-rules.ts';
import type { Row } from '../../../platform/database/row.ts';
import type { CardChecks } from '../../../processors/port/processor.ts';
import { isChecked, storedChecks } from '../../attempts/processor-facts.ts';
import { refusingRule } from '../../risk/mismatches.ts';

/** Rule of the merchant that refuses the payment by the checks that its processor told; undefined if none does. */
export const ruleAgainst = (
  attempt: Row,
  demand: Row,
  rules: readonly CheckRule[],
): CheckRule | undefined => refusingRule(demand, storedChecks(attempt), rules);

const NOTHING_MATCHES: CardChecks = {
  cvc2_check: 'mismatch',
  address_line1_verification: 'mismatch',
  postal_code_verification: 'mismatch',
};

/** Whether the merchant has rules that could refuse the payment, and nobody knows the checks that they are about. */
export const lacksChecks = (attempt: Row, demand: Row, rules: readonly CheckRule[]): boolean =>
  !isChecked(attempt) && refusingRule(demand, NOTHING_MATCHES, rules) !== undefined;
