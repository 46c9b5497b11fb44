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
const secondsAfterNow = (count: number): string => instantText(NOW + seconds(count));
const linkRow = (columns: Row = {}): Row => ({
  status: 'active',
  expires_at: null,
  uses_max: null,
  uses_count: '0',
  ended_at: null,
  ...columns,
});

describe('a payment link', () => {
  it.each<[string, Row, string]>([
    ['without an end', {}, 'open'],
    ['before its end', { expires_at: secondsAfterNow(1) }, 'open'],
    ['at its end, before anything has noted it', { expires_at: secondsAfterNow(0) }, 'expired'],
    ['that was expired', { status: 'expired', expires_at: secondsAfterNow(9) }, 'expired'],
    [
      'that was used up before its end passed',
      { status: 'used_up', expires_at: secondsAfterNow(-1) },
      'used_up',
    ],
  ])('%s is %s', (_title, columns, availability) => {
    expect(availabilityOf(linkRow(columns), NOW)).toBe(availability);
  });

  const GRACE = seconds(COMPLETION_SECONDS);
  it.each<[string, Row, number, boolean]>([
    ['open, however long ago it was begun', {}, NOW - 9 * GRACE, true],
    ['over, begun within the grace', { status: 'expired' }, NOW - GRACE + 1, true],
    ['over, begun before it', { status: 'expired' }, NOW - GRACE, false],
    ['used up', { status: 'used_up' }, NOW - 1, false],
  ])('completes a payment if it is %s: %s', (_title, columns, begun, isCompletable) => {
    expect(mayComplete(linkRow(columns), begun, NOW)).toBe(isCompletable);
  });

  it.each<[string, Row, number, ReturnType<typeof decideUses>]>([
    ['counts without a limit', {}, 2, { set: { uses_count: '2' }, events: [] }],
    ['goes on below its limit', { uses_max: '3' }, 2, { set: { uses_count: '2' }, events: [] }],
    [
      'is used up by its last use',
      { uses_max: '2', uses_count: '1' },
      1,
      { trigger: 'use_up', set: { uses_count: '2', ended_at: secondsAfterNow(0) }, events: [] },
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
  ])('%s', (_title, columns, uses, decision) => {
    expect(decideUses(linkRow(columns), uses, NOW)).toEqual(decision);
  });

  it('that reached its last use keeps its end time when it expires', () => {
    const { set, trigger } = decideExpire(
      linkRow({ status: 'used_up', ended_at: secondsAfterNow(-5) }),
      NOW,
    );
    expect([trigger, set]).toEqual(['expire', { ended_at: secondsAfterNow(-5) }]);
  });
});
