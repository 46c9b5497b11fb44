import { attemptMachine } from '@florin/contract/machines/attempt.ts';
import { nextState } from '@florin/contract/machines/define-machine.ts';
import { paymentDemandMachine } from '@florin/contract/machines/payment-demand.ts';
import { describe, expect, it } from 'vitest';
import { instantText, seconds } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import {
  type AttemptResult,
  decideSettlement,
  INQUIRY_WAITS_SECONDS,
  UNSENT_MAX,
} from './settlement.ts';

const now = 1_795_232_640_000_000;
const checks = {
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
} as const;
const approved: AttemptResult = {
  result: 'approved',
  authorisation_code: 'A1',
  network_transaction_id: 'N1',
  ...checks,
};
const declined: AttemptResult = { result: 'declined', code: 'insufficient_funds', ...checks };
const lost: AttemptResult = { result: 'unknown', why: 'timeout' };
const notSent: AttemptResult = { result: 'not_sent', why: 'refused' };
const reversed: AttemptResult = { result: 'reversed' };

const attempt = (status: string, more: Row = {}): Row => ({ status, inquiries: '0', ...more });
const demand: Row = { status: 'processing', unsent_count: '0', outcome_since: null };

/** State of the attempt, state of the payment and events after an answer; null where it changes nothing. */
function after(attemptStatus: string, result: AttemptResult) {
  const settled = decideSettlement(attempt(attemptStatus), demand, result, now);
  if (!settled) return null;
  const step = (
    machine: typeof attemptMachine | typeof paymentDemandMachine,
    from: string,
    trigger?: string,
  ) => (trigger === undefined ? from : nextState(machine, from, trigger));
  return [
    step(attemptMachine, attemptStatus, settled.attempt.trigger),
    step(paymentDemandMachine, 'processing', settled.demand.trigger),
    ...settled.demand.events,
  ];
}

describe('what an answer means', () => {
  it.each([
    ['sending', approved, ['approved', 'succeeded', 'succeeded']],
    ['sending', declined, ['declined', 'failed', 'failed']],
    ['sending', lost, ['unknown', 'processing']],
    ['sending', notSent, ['not_sent', 'pending']],
    ['unknown', approved, ['approved', 'succeeded', 'succeeded']],
    ['unknown', declined, ['declined', 'failed', 'failed']],
    ['unknown', lost, ['unknown', 'processing']],
    ['unknown', notSent, ['unknown', 'processing']],
    ['unknown', reversed, ['reversed', 'failed', 'failed']],
  ] as const)('to an attempt that is %s: %o', (status, result, expected) => {
    expect(after(status, result)).toEqual(expected);
  });

  it.each(['approved', 'declined', 'reversed', 'not_sent'])(
    'to an attempt that is %s already: nothing, the first answer stands',
    (status) => {
      for (const result of [approved, declined, lost, notSent, reversed]) {
        expect(after(status, result)).toBeNull();
      }
    },
  );
});

describe('a lost answer', () => {
  it('is shown on the payment from the moment it was first missed', () => {
    const first = decideSettlement(attempt('sending'), demand, lost, now);
    expect(first?.demand.set).toEqual({ outcome: 'unknown', outcome_since: instantText(now) });
    const since = '2026-11-21 03:00:00+00';
    const later = decideSettlement(
      attempt('unknown'),
      { ...demand, outcome_since: since },
      lost,
      now,
    );
    expect(later?.demand.set.outcome_since).toBe(since);
  });

  it.each([0, 1, 2, 3, 4, 50])(
    'is asked after again with growing waits (inquiry %i)',
    (inquiries) => {
      const settled = decideSettlement(
        attempt('unknown', { inquiries: String(inquiries) }),
        demand,
        lost,
        now,
      );
      const wait = INQUIRY_WAITS_SECONDS[
        Math.min(inquiries, INQUIRY_WAITS_SECONDS.length - 1)
      ] as number;
      expect(settled?.attempt.set.due_at).toBe(instantText(now + seconds(wait)));
    },
  );

  it('leaves no mark once it is found', () => {
    const settled = decideSettlement(attempt('unknown'), demand, approved, now);
    expect(settled?.demand.set).toMatchObject({ outcome: null, outcome_since: null });
  });
});

it('a message that never leaves is tried again a few times, then the payment fails', () => {
  const states = Array.from({ length: UNSENT_MAX }, (_, unsent) => {
    const settled = decideSettlement(
      attempt('sending'),
      { ...demand, unsent_count: String(unsent) },
      notSent,
      now,
    );
    return settled?.demand.trigger;
  });
  expect(states).toEqual(['requeue', 'requeue', 'requeue', 'requeue', 'decline']);
});
