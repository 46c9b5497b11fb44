import { describe, expect, it } from 'vitest';
import { violatedConstraint } from './constraints.ts';

describe('the violated constraint', () => {
  it.each([
    ['accounts_email', 'accounts_email'],
    ['accounts_email_102008', 'accounts_email'],
    ['ledger_hours_check1', 'ledger_hours_check1'],
    ['limits_24', 'limits_24'],
  ])('of %s is %s', (constraint, name) => {
    expect(violatedConstraint({ code: '23505', constraint })).toBe(name);
  });

  it('is undefined for another error', () => {
    expect(violatedConstraint({ code: '40001', constraint: 'accounts_email' })).toBeUndefined();
  });
});
