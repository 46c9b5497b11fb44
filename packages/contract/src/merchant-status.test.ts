import { describe, expect, it } from 'vitest';
import {
  type EnforcementAction,
  type MerchantStatus,
  merchantStatusOf,
} from './merchant-status.ts';

describe('the status of a merchant', () => {
  const cases: readonly [
    'live' | 'sandbox',
    boolean,
    EnforcementAction | undefined,
    MerchantStatus,
  ][] = [
    ['live', false, undefined, 'unapproved'],
    ['live', true, undefined, 'active'],
    ['sandbox', false, undefined, 'active'],
    ['live', true, 'quarantine', 'quarantined'],
    ['sandbox', false, 'quarantine', 'quarantined'],
    ['live', false, 'quarantine', 'quarantined'],
    ['live', true, 'ban', 'banned'],
    ['sandbox', true, 'ban', 'banned'],
  ];
  it.each(cases)('in %s mode, approved %s, under %s is %s', (mode, approved, action, status) => {
    expect(merchantStatusOf({ mode, approved, action })).toBe(status);
  });
});
