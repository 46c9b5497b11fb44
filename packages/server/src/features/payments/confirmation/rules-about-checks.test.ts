import { describe, expect, it } from 'vitest';
import { foundApproval } from '../approve.ts';
import { lacksChecks } from './rules-about-checks.ts';

const TOLD = {
  cvc2_check: 'match',
  address_line1_verification: 'mismatch',
  postal_code_verification: 'match',
};

describe('an approval that a person found', () => {
  it('has the checks and facts that its processor told', () => {
    const facts = { authorisation_code: 'A1', network_transaction_id: 'N1' };
    expect(foundApproval({ ...TOLD, ...facts }, 'psp-1')).toEqual({
      ...TOLD,
      ...facts,
      processor_reference: 'psp-1',
    });
  });

  it('has unprocessed checks if nobody told any', () => {
    expect(foundApproval({}, undefined)).toMatchObject({
      cvc2_check: 'unprocessed',
      postal_code_verification: 'unverified',
    });
  });
});

it.each([
  ['a rule is about them', {}, {}, true],
  ['the merchant has none', {}, {}, false],
  ['the processor told them', TOLD, {}, false],
  ['the payer was not there', {}, { initiator: 'merchant' }, false],
  ['the payer is allowed', {}, { risk_outcome: '{"decision":"allowed"}' }, false],
] as const)('a merchant misses the checks of a payment if %s', (title, attempt, demand, misses) => {
  const rules = title === 'the merchant has none' ? [] : (['cvc_mismatch'] as const);
  expect(lacksChecks(attempt, demand, rules)).toBe(misses);
});
