import { describe, expect, it } from 'vitest';
import { type Measure, type Standing, standingOf } from './standing.ts';

describe('the standing of a merchant', () => {
  const cases: readonly ['live' | 'sandbox', boolean, Measure | undefined, Standing][] = [
    ['live', false, undefined, 'unapproved'],
    ['live', true, undefined, 'active'],
    ['sandbox', false, undefined, 'active'],
    ['live', true, 'quarantine', 'quarantined'],
    ['sandbox', false, 'quarantine', 'quarantined'],
    ['live', false, 'quarantine', 'quarantined'],
    ['live', true, 'ban', 'banned'],
    ['sandbox', true, 'ban', 'banned'],
  ];
  it.each(cases)('in %s mode, approved %s, under %s is %s', (mode, approved, measure, standing) => {
    expect(standingOf({ mode, approved, measure })).toBe(standing);
  });
});
