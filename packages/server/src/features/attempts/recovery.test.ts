import { describe, expect, it } from 'vitest';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { firstCancelAt, nextFollowUpLook, nextReversal, recoveryStepOf } from './recovery.ts';

const since = 1_795_232_640_000_000;
const HOUR = 3_600;
const cancel = {
  strategy: 'cancel',
  cancels_at_s: [900, HOUR, 6 * HOUR, 24 * HOUR],
  follow_up_max_s: 24 * HOUR,
} as const;
const inquire = { strategy: 'inquire' } as const;
const attempt = { unknown_since: instantText(since), created_at: instantText(since) };
const secondsAfter = (next: number | string) =>
  typeof next === 'number' ? (next - since) / seconds(1) : next;

describe('an attempt without an outcome', () => {
  it('is cancelled at the first time of its processor, or inquired about', () => {
    expect(firstCancelAt(cancel, since)).toBe(since + seconds(900));
    expect(firstCancelAt(inquire, since)).toBeUndefined();
  });

  it.each([
    [900, HOUR],
    [HOUR, 6 * HOUR],
    [5 * HOUR, 6 * HOUR],
    [6 * HOUR, 24 * HOUR],
    [24 * HOUR, 'operator'],
    [900 * HOUR, 'operator'],
  ])('that was cancelled after %d s is cancelled again after: %s', (age, next) => {
    const now = since + seconds(age);
    expect(secondsAfter(nextReversal(cancel, attempt, 'pending', now))).toBe(next);
    const untaken = next === 'operator' ? 'operator' : 'usual';
    expect(nextReversal(cancel, attempt, 'unknown', now)).toBe(untaken);
    expect(nextReversal(inquire, attempt, 'refused', now)).toBe('usual');
  });

  it.each([
    ['refused', HOUR, 'operator'],
    ['refused', HOUR - 1, 'usual'],
    ['pending', HOUR, 'usual'],
    ['unknown', HOUR, 'usual'],
  ] as const)('whose reversal is %s after %d s: %s', (result, age, next) => {
    const recovery = { ...inquire, refused_reversal_max_s: HOUR };
    expect(nextReversal(recovery, attempt, result, since + seconds(age))).toBe(next);
  });

  it('whose answers came at once counts from its first reversal', () => {
    const next = nextReversal(cancel, { unknown_since: null }, 'refused', since);
    expect(secondsAfter(next)).toBe(900);
  });
});

it.each([
  ['with a receipt waits for a notification', 'R1', HOUR, 24 * HOUR],
  ['with an old receipt is an operator’s', 'R1', 24 * HOUR, 'operator'],
  ['without a receipt in time is an operator’s', null, HOUR, 'operator'],
])('a capture %s', (_, processor_reference, age, next) => {
  const row = { ...attempt, processor_reference };
  const now = since + seconds(age);
  expect(secondsAfter(nextFollowUpLook(cancel, row, now))).toBe(next);
  expect(nextFollowUpLook(inquire, row, now)).toBe('usual');
});

it.each([
  ['authorise', null, 'due', 'cancel'],
  ['authorise', null, null, 'cancel'],
  ['capture', 'R1', 'due', 'wait'],
  ['refund', 'R1', null, 'wait'],
  ['refund', null, 'due', 'repeat'],
  ['refund', null, null, 'wait'],
])(
  'the next step of %s with the receipt %s and due time %s: %s',
  (operation, processor_reference, due_at, step) => {
    const row = { operation, processor_reference, due_at };
    expect(recoveryStepOf(cancel, row)).toBe(step);
    expect(recoveryStepOf(inquire, row)).toBe('inquire');
  },
);
