import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import {
  availabilityOf,
  COMPLETION_SECONDS,
  decideExpire,
  decideUses,
  mayComplete,
} from './decide.ts';

const NOW = seconds(1_800_000_000);
const later = (count: number): string => instantText(NOW + seconds(count));
const link = (more: Row = {}): Row => ({
  status: 'active',
  expires_at: null,
  uses_max: null,
  uses_count: '0',
  ended_at: null,
  ...more,
});

describe('a payment link', () => {
  it.each<[string, Row, string]>([
    ['without an end', {}, 'open'],
    ['before its end', { expires_at: later(1) }, 'open'],
    ['at its end, before anything has noted it', { expires_at: later(0) }, 'expired'],
    ['that was expired', { status: 'expired', expires_at: later(9) }, 'expired'],
    [
      'that was used up before its end passed',
      { status: 'used_up', expires_at: later(-1) },
      'used_up',
    ],
  ])('%s is %s', (_what, more, availability) => {
    expect(availabilityOf(link(more), NOW)).toBe(availability);
  });

  const GRACE = seconds(COMPLETION_SECONDS);
  it.each<[string, Row, number, boolean]>([
    ['open, however long ago it was begun', {}, NOW - 9 * GRACE, true],
    ['over, begun within the grace', { status: 'expired' }, NOW - GRACE + 1, true],
    ['over, begun before it', { status: 'expired' }, NOW - GRACE, false],
    ['used up', { status: 'used_up' }, NOW - 1, false],
  ])('completes a payment if it is %s: %s', (_what, more, begun, may) => {
    expect(mayComplete(link(more), begun, NOW)).toBe(may);
  });

  it.each<[string, Row, number, ReturnType<typeof decideUses>]>([
    ['counts without a limit', {}, 2, { set: { uses_count: '2' }, events: [] }],
    ['goes on below its limit', { uses_max: '3' }, 2, { set: { uses_count: '2' }, events: [] }],
    [
      'is used up by its last use',
      { uses_max: '2', uses_count: '1' },
      1,
      { trigger: 'use_up', set: { uses_count: '2', ended_at: later(0) }, events: [] },
    ],
    [
      'counts what was found late, and stays used up',
      { status: 'used_up', uses_max: '2', uses_count: '2' },
      1,
      { set: { uses_count: '3' }, events: [] },
    ],
    [
      'counts after it has expired, and stays so',
      { status: 'expired', uses_max: '1' },
      1,
      { set: { uses_count: '1' }, events: [] },
    ],
  ])('%s', (_what, more, uses, decision) => {
    expect(decideUses(link(more), uses, NOW)).toEqual(decision);
  });

  it('that reached its last use keeps its end time when it expires', () => {
    const { set, trigger } = decideExpire(link({ status: 'used_up', ended_at: later(-5) }), NOW);
    expect([trigger, set]).toEqual(['expire', { ended_at: later(-5) }]);
  });
});
