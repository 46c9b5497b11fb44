import { CLOCK_SKEW_MS_MAX } from '@florin/contract/protocol/vault.ts';
import { expect, it } from 'vitest';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { cannotArrive } from './resend.ts';

const LEASE_MS = 30_000;
const ARRIVAL_MS = 5_000;
const since = seconds(1_800_000_000);
const lostAttempt = { unknown_since: instantText(since) };
const resentAttempt = { ...lostAttempt, resent_at: instantText(since + seconds(10)) };

it.each([
  ['never lost', {}, 3_600, false],
  ['lost, and may be under way', lostAttempt, ARRIVAL_MS / 1_000, false],
  ['lost, by another clock', lostAttempt, (ARRIVAL_MS + CLOCK_SKEW_MS_MAX - 1) / 1_000, false],
  ['lost long enough ago', lostAttempt, (ARRIVAL_MS + CLOCK_SKEW_MS_MAX) / 1_000, true],
  ['sent again, by another clock', resentAttempt, 10 + 30 + 5 + 1.999, false],
  ['sent again long enough ago', resentAttempt, 10 + 30 + 5 + 2, true],
])('of an attempt that was %s', (_, attempt, after_s, expected) => {
  const inquired_at = since + Math.round(seconds(after_s));
  expect(cannotArrive(attempt, inquired_at, LEASE_MS, ARRIVAL_MS)).toBe(expected);
});
