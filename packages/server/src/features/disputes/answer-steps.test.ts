import { describe, expect, it } from 'vitest';
import { instantText, microsOf } from '../../platform/time/clock.ts';
import { decideProgress, decideRefused, hasLease } from './answer-steps.ts';

const DEADLINE = '2026-12-01 00:00:00+00';
const dispute = {
  status: 'under_review',
  evidence_due_at: DEADLINE,
  due_at: DEADLINE,
  response_steps: '{"put": {"state": "sending"}}',
};

describe('an answer that the processor refuses', () => {
  it('can be given again until the deadline', () => {
    const before = microsOf(DEADLINE) - 1;
    expect(decideRefused(dispute, 'Too large.', before)).toEqual({
      trigger: 'refuse',
      set: {
        response_problem: 'Too large.',
        response_steps: null,
        submitted_at: null,
        due_at: DEADLINE,
      },
      events: ['updated'],
    });
  });

  it('is final at the deadline', () => {
    const { trigger, set } = decideRefused(dispute, 'Too late.', microsOf(DEADLINE));
    expect([trigger, set]).toEqual([undefined, { response_problem: 'Too late.', due_at: null }]);
  });
});

it('a message that did not leave is forgotten, and others stay', () => {
  const changes = { put: null, submit: { state: 'done' } } as const;
  expect(decideProgress(dispute, changes).set).toEqual({
    response_steps: '{"submit":{"state":"done"}}',
  });
});

it.each([
  ['its own lease', {}, true],
  ['a lease that another process has', { due_at: instantText(microsOf(DEADLINE) + 1) }, false],
  ['no lease any more', { due_at: null }, false],
  ['a decision of the bank', { status: 'lost' }, false],
])('a process with %s may change the answer: %#', (_, change, expected) => {
  const row = { ...dispute, ...change };
  expect(hasLease(row, 'under_review', microsOf(DEADLINE))).toBe(expected);
});
