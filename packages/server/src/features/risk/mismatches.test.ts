import { type CheckRule, checkRules } from '@florin/contract/risk/check-rules.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import type { CardChecks } from '../../processors/port/processor.ts';
import { hasMismatch, refusingRule } from './mismatches.ts';

type Results = [
  CardChecks['cvc2_check'],
  CardChecks['address_line1_verification'],
  CardChecks['postal_code_verification'],
];
const checksOf = ([cvc2_check, line, postal_code_verification]: Results): CardChecks => ({
  cvc2_check,
  address_line1_verification: line,
  postal_code_verification,
});

const ALL_WRONG: Results = ['mismatch', 'mismatch', 'mismatch'];
const allowed = JSON.stringify({ decision: 'allowed', rule: 'allow_list', kind: 'bin', id: '1' });

describe('an approval', () => {
  it.each<[Results, readonly CheckRule[], CheckRule | undefined]>([
    [['match', 'match', 'match'], checkRules, undefined],
    [['unprocessed', 'unverified', 'unverified'], checkRules, undefined],
    [ALL_WRONG, [], undefined],
    [ALL_WRONG, checkRules, 'cvc_mismatch'],
    [ALL_WRONG, ['address_mismatch', 'postal_code_mismatch'], 'postal_code_mismatch'],
    [ALL_WRONG, ['address_mismatch'], 'address_mismatch'],
    [['match', 'match', 'mismatch'], checkRules, 'postal_code_mismatch'],
    [['match', 'mismatch', 'match'], ['postal_code_mismatch'], undefined],
    [['mismatch', 'match', 'match'], ['address_mismatch'], undefined],
  ])('with the results %j is refused by the rules %j: %s', (results, rules, expected) => {
    expect(refusingRule({ initiator: 'customer' }, checksOf(results), rules)).toBe(expected);
  });

  it.each<[string, Row]>([
    ['without the payer', { initiator: 'merchant' }],
    ['of the allow list', { risk_outcome: allowed }],
  ])('%s is not refused', (_, payment) => {
    expect(refusingRule(payment, checksOf(ALL_WRONG), checkRules)).toBeUndefined();
  });

  it('has a mismatch only where the issuer found one', () => {
    expect(hasMismatch(checksOf(['match', 'unverified', 'mismatch']))).toBe(true);
    expect(hasMismatch(checksOf(['unprocessed', 'unverified', 'match']))).toBe(false);
  });
});
