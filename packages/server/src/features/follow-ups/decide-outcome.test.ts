import { attemptMachine } from '@florin/contract/machines/attempt.ts';
import { nextState } from '@florin/contract/machines/define-machine.ts';
import { followUpMachine } from '@florin/contract/machines/follow-up.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { decideFollowUpOutcome, type FollowUpOutcome } from './decide-outcome.ts';

const now = 1_795_232_640_000_000;
const outcomes = {
  approved: { result: 'approved', network_transaction_id: 'N1' },
  declined: { result: 'declined', code: 'refund_declined' },
  lost: { result: 'unknown', why: 'timeout' },
  'not sent': { result: 'not_sent', why: 'refused' },
  unresolved: { result: 'unresolved', why: 'no answer' },
} as const satisfies Record<string, FollowUpOutcome>;

const refund: Row = { status: 'processing', unsent_count: '0', outcome_since: null };

/** State of the attempt, state of the refund and events after a result. Null if nothing changes. */
function stateAfter(status: string, outcome: FollowUpOutcome) {
  const changes = decideFollowUpOutcome({ status, inquiries: '0' }, refund, outcome, now);
  if (!changes) return null;
  const { attempt, demand } = changes;
  return [
    attempt.trigger ? nextState(attemptMachine, status, attempt.trigger) : status,
    demand.trigger ? nextState(followUpMachine, 'processing', demand.trigger) : 'processing',
    demand.events,
  ];
}

describe('the effect of a response on a refund', () => {
  it.each([
    ['sending', 'approved', ['approved', 'succeeded', ['succeeded']]],
    ['sending', 'declined', ['declined', 'failed', ['failed']]],
    ['sending', 'lost', ['unknown', 'processing', []]],
    ['sending', 'not sent', ['not_sent', 'pending', []]],
    ['sending', 'unresolved', ['unknown', 'processing', []]],
    ['unknown', 'approved', ['approved', 'succeeded', ['succeeded']]],
    ['unknown', 'declined', ['declined', 'failed', ['failed']]],
    ['unknown', 'lost', null],
    ['unknown', 'not sent', null],
    ['unknown', 'unresolved', ['unknown', 'processing', []]],
    ['approved', 'declined', null],
    ['declined', 'approved', null],
    ['not_sent', 'approved', null],
  ] as const)('whose attempt is %s: %s', (status, outcome, expected) => {
    expect(stateAfter(status, outcomes[outcome])).toEqual(expected);
  });

  it('that was sent again meanwhile: none if the first message was not sent', () => {
    const attempt = { status: 'sending', inquiries: '0', resent_at: '2026-11-21T03:44:00Z' };
    expect(decideFollowUpOutcome(attempt, refund, outcomes['not sent'], now)).toBeUndefined();
  });

  it('that has an outcome already: none', () => {
    const attempt = { status: 'sending', inquiries: '0' };
    for (const status of ['pending', 'succeeded', 'failed']) {
      const settledRefund = { ...refund, status };
      expect(decideFollowUpOutcome(attempt, settledRefund, outcomes.approved, now)).toBeUndefined();
    }
  });
});
