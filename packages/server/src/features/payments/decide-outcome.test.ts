import { attemptMachine } from '@florin/contract/machines/attempt.ts';
import { nextState } from '@florin/contract/machines/define-machine.ts';
import { paymentDemandMachine } from '@florin/contract/machines/payment-demand.ts';
import { cardRefusals } from '@florin/contract/protocol/vault.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import {
  INQUIRY_WAITS_SECONDS,
  UNSENT_MAX_SECONDS,
  UNSENT_WAIT_MAX_SECONDS,
} from '../attempts/decide-outcome.ts';
import {
  type AttemptResult,
  decidePaymentOutcome,
  LATE_APPROVAL_SECONDS,
  RESENT_MAX,
} from './decide-outcome.ts';
import { CVV_MISSES_MAX } from './fallback/decide-unsent.ts';

const now = 1_795_232_640_000_000;
const checks = {
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
} as const;
const approvedResult: AttemptResult = {
  result: 'approved',
  authorisation_code: 'A1',
  network_transaction_id: 'N1',
  ...checks,
};
const declinedResult: AttemptResult = { result: 'declined', code: 'insufficient_funds', ...checks };
const unknownResult: AttemptResult = { result: 'unknown', why: 'timeout' };
const notSentResult: AttemptResult = { result: 'not_sent', why: 'refused' };
const unresolvedResult: AttemptResult = { result: 'unresolved', why: 'no answer' };
const notFoundResult: AttemptResult = { result: 'not_found', arrives_in_ms: 5_000 };
const reversedResult: AttemptResult = { result: 'reversed' };
const partialResult: AttemptResult = { result: 'partly_approved', approvedAmount: 1_250 };

const attemptRow = (status: string, columns: Row = {}): Row => ({
  status,
  inquiries: '0',
  created_at: instantText(now),
  not_after: instantText(now),
  ...columns,
});
const demand: Row = {
  status: 'processing',
  amount_cents: '2500',
  unsent_count: '0',
  outcome_since: null,
};

/** Returns attempt state, payment state and events after a result; null if nothing changes. */
function stateAfter(attemptStatus: string, result: AttemptResult) {
  const changes = decidePaymentOutcome(attemptRow(attemptStatus), demand, result, now);
  if (!changes) return null;
  const step = (
    machine: typeof attemptMachine | typeof paymentDemandMachine,
    from: string,
    trigger?: string,
  ) => (trigger === undefined ? from : nextState(machine, from, trigger));
  return [
    step(attemptMachine, attemptStatus, changes.attempt.trigger),
    step(paymentDemandMachine, 'processing', changes.demand.trigger),
    ...changes.demand.events,
  ];
}

describe('a response', () => {
  it.each(cardRefusals)('is a decline of the card if the vault says %s', (why) => {
    const notSent: AttemptResult = { result: 'not_sent', why };
    const unsent_count = String(CVV_MISSES_MAX);
    const lastMiss = { ...demand, unsent_count, threeds_status: 'wallet' };
    const changes = decidePaymentOutcome(attemptRow('sending'), lastMiss, notSent, now);
    expect([changes?.attempt.trigger, changes?.demand.trigger]).toEqual(['drop', 'decline']);
    expect(changes?.demand.set.failure_reason).toBe('card_not_verified');
  });

  it.each([
    ['wallet', 'declined', declinedResult, null],
    ['wallet', 'approved', approvedResult, 'wallet'],
    ['wallet', 'unsent', notSentResult, 'wallet'],
    ['Y', 'declined', declinedResult, 'Y'],
  ])(
    'of wallet authentication %s leaves, for a payment that is %s',
    (threeds_status, _title, result, remaining) => {
      const paid: Row = { ...demand, threeds_status, eci: '05' };
      const set = decidePaymentOutcome(attemptRow('sending'), paid, result, now)?.demand.set;
      expect({ ...paid, ...set }.threeds_status).toBe(remaining);
    },
  );

  it.each([
    ['sending', approvedResult, ['approved', 'succeeded', 'succeeded']],
    ['sending', declinedResult, ['declined', 'failed', 'failed']],
    ['sending', unknownResult, ['unknown', 'processing']],
    ['sending', notSentResult, ['not_sent', 'pending']],
    ['sending', partialResult, ['reversing', 'processing']],
    ['unknown', partialResult, ['reversing', 'processing']],
    ['unknown', approvedResult, ['approved', 'succeeded', 'succeeded']],
    ['unknown', declinedResult, ['declined', 'failed', 'failed']],
    ['sending', unresolvedResult, ['unknown', 'processing']],
    ['sending', notFoundResult, ['unknown', 'processing']],
    ['unknown', unresolvedResult, ['unknown', 'processing']],
    ['reversing', unresolvedResult, ['reversing', 'processing']],
    ['reversing', approvedResult, ['reversing', 'processing']],
    ['reversing', partialResult, ['reversing', 'processing']],
    ['reversing', reversedResult, ['reversed', 'pending']],
  ] as const)('to an attempt that is %s: %o', (status, result, expected) => {
    expect(stateAfter(status, result)).toEqual(expected);
  });

  it.each([
    ['unknown', unknownResult],
    ['unknown', notSentResult],
    ['unknown', reversedResult],
    ['sending', reversedResult],
    ['reversing', declinedResult],
    ['reversing', unknownResult],
    ['reversing', notSentResult],
    ['reversing', notFoundResult],
  ] as const)('to an attempt that is %s: no change if it is %o', (status, result) => {
    expect(stateAfter(status, result)).toBeNull();
  });

  it.each(['approved', 'declined', 'reversed', 'not_sent'])(
    'to an attempt that is %s already: no change, the first response counts',
    (status) => {
      for (const result of [
        approvedResult,
        declinedResult,
        unknownResult,
        notSentResult,
        unresolvedResult,
        notFoundResult,
        reversedResult,
      ]) {
        expect(stateAfter(status, result)).toBeNull();
      }
    },
  );
});

describe('an attempt without a response', () => {
  it('is shown on the payment from its first missing response', () => {
    const firstChanges = decidePaymentOutcome(attemptRow('sending'), demand, unknownResult, now);
    expect(firstChanges?.demand.set).toEqual({
      outcome: 'unknown',
      outcome_since: instantText(now),
    });
    const since = '2026-11-21 03:00:00+00';
    const secondChanges = decidePaymentOutcome(
      attemptRow('unknown'),
      { ...demand, outcome_since: since },
      unresolvedResult,
      now,
    );
    expect(secondChanges?.demand.set.outcome_since).toBe(since);
  });

  it.each([0, 1, 2, 3, 4, 50])('is queried again with growing waits (inquiry %i)', (inquiries) => {
    const changes = decidePaymentOutcome(
      attemptRow('unknown', { inquiries: String(inquiries) }),
      demand,
      unresolvedResult,
      now,
    );
    const waitSeconds = INQUIRY_WAITS_SECONDS[
      Math.min(inquiries, INQUIRY_WAITS_SECONDS.length - 1)
    ] as number;
    expect(changes?.attempt.set.due_at).toBe(instantText(now + seconds(waitSeconds)));
  });

  it('leaves no mark once it is found', () => {
    const changes = decidePaymentOutcome(attemptRow('unknown'), demand, approvedResult, now);
    expect(changes?.demand.set).toMatchObject({ outcome: null, outcome_since: null });
  });
});

describe('an attempt that is unknown to the processor', () => {
  const unknown_since = instantText(now - seconds(3));
  const missed = (arrives_in_ms: number, inquiries = 3) =>
    decidePaymentOutcome(
      attemptRow('unknown', { unknown_since, inquiries: String(inquiries) }),
      demand,
      { result: 'not_found', arrives_in_ms },
      now,
    )?.attempt;

  it.each([
    [1, 1],
    [4_999, 5],
    [299_000, 299],
    [900_000, 300],
  ])(
    'is queried again while its message may still arrive within %i ms, in %i s',
    (ms, waitSeconds) => {
      expect(missed(ms)?.trigger).toBeUndefined();
      expect(missed(ms)?.set.due_at).toBe(instantText(now + seconds(waitSeconds)));
    },
  );

  it.each([0, -5_000])('is reversed after that (%i), by the holder of its lease', (ms) => {
    expect(missed(ms)).toEqual({ trigger: 'reverse', set: { unknown_since }, events: [] });
  });

  it('is unknown from its reversal if it was never queried before', () => {
    const gone: AttemptResult = { result: 'not_found', arrives_in_ms: 0 };
    const attemptChanges = decidePaymentOutcome(attemptRow('sending'), demand, gone, now)?.attempt;
    expect(attemptChanges).toMatchObject({
      trigger: 'reverse',
      set: { unknown_since: instantText(now) },
    });
  });
});

describe('a payment whose message never arrived', () => {
  const decideAfter = (changes: Row, decline_code: string | null = null, age_s = 0) =>
    decidePaymentOutcome(
      attemptRow('reversing', { decline_code, created_at: instantText(now - seconds(age_s)) }),
      { ...demand, outcome: 'unknown', ...changes },
      reversedResult,
      now,
    )?.demand;

  it.each(Array.from({ length: RESENT_MAX }, (_, count) => count))(
    'is sent again immediately after %i others',
    (count) => {
      const set = { resent_count: String(count + 1), due_at: instantText(now) };
      expect(decideAfter({ resent_count: String(count) })).toEqual({
        trigger: 'requeue',
        set: { ...set, outcome: null, outcome_since: null },
        events: [],
      });
    },
  );

  it('fails after too many attempts', () => {
    expect(decideAfter({ resent_count: String(RESENT_MAX) })).toMatchObject({
      trigger: 'decline',
      set: { failure_reason: 'processor_unreachable' },
    });
  });

  it('fails if its attempt is older than the longest wait of payments', () => {
    expect(decideAfter({}, null, UNSENT_MAX_SECONDS - 1)?.trigger).toBe('requeue');
    expect(decideAfter({}, null, UNSENT_MAX_SECONDS)).toMatchObject({
      trigger: 'decline',
      set: { failure_reason: 'processor_unreachable' },
    });
  });

  it.each([
    ['capture', UNSENT_MAX_SECONDS - 1, 'requeue'],
    ['reverse', LATE_APPROVAL_SECONDS - 1, 'requeue'],
    ['reverse', LATE_APPROVAL_SECONDS, 'decline'],
  ] as const)(
    'is sent again while its merchant accepts approvals: %s, after %i s',
    (late_approvals, age_s, trigger) => {
      const reversal: AttemptResult = { result: 'reversed', late_approvals };
      const created_at = instantText(now - seconds(age_s));
      const changes = decidePaymentOutcome(
        attemptRow('reversing', { created_at }),
        demand,
        reversal,
        now,
      );
      expect(changes?.demand.trigger).toBe(trigger);
    },
  );

  it('is not sent again if the reversal was given up', () => {
    expect(decideAfter({ cancellation_reason: 'requested' })?.trigger).toBe('release');
    expect(decideAfter({}, 'processor_timeout')?.trigger).toBe('decline');
  });

  it('is not sent again if the bank has declined it meanwhile, and fails with that reason', () => {
    const found: AttemptResult = { result: 'reversed', declined: 'stolen_card' };
    const changes = decidePaymentOutcome(attemptRow('reversing'), demand, found, now);
    expect(changes).toMatchObject({
      attempt: { trigger: 'undo', set: { decline_code: 'stolen_card' } },
      demand: { trigger: 'decline', set: { failure_reason: 'stolen_card' } },
    });
  });

  it('waits once for a verification value that a slow vault may restore', () => {
    const cvvMissing: AttemptResult = { result: 'not_sent', why: 'cvv_missing' };
    const resentDemandRow = { ...demand, resent_count: '1' };
    expect(
      decidePaymentOutcome(attemptRow('sending'), resentDemandRow, cvvMissing, now)?.demand,
    ).toMatchObject({
      trigger: 'requeue',
      set: { unsent_count: '1' },
    });
  });

  it.each([
    ['a network token', null, 'cryptogram_missing'],
    ['a wallet', 'wallet', 'card_not_verified'],
  ])('without the cryptogram of %s fails at its first message', (_, threeds_status, reason) => {
    const result: AttemptResult = { result: 'not_sent', why: 'cryptogram_missing' };
    const payment = { ...demand, threeds_status };
    expect(decidePaymentOutcome(attemptRow('sending'), payment, result, now)?.demand).toMatchObject(
      { trigger: 'decline', set: { failure_reason: reason } },
    );
  });

  it.each([
    ['cvv_missing', 'processor_unreachable'],
    ['cryptogram_missing', 'processor_unreachable'],
    ['unknown_token', 'card_not_verified'],
  ])('fails if the vault says %s by then: %s', (reason, failure_reason) => {
    const resentDemand = { ...demand, resent_count: '1', unsent_count: String(CVV_MISSES_MAX) };
    const changes = decidePaymentOutcome(
      attemptRow('sending'),
      resentDemand,
      { result: 'not_sent', why: reason },
      now,
    );
    expect(changes?.demand).toMatchObject({ trigger: 'decline', set: { failure_reason } });
  });
});

describe('an attempt that only a notification could tell about', () => {
  it('is cancelled when it is given up, and its payment fails once that is confirmed', () => {
    const givenUp = decidePaymentOutcome(
      attemptRow('unknown'),
      demand,
      { result: 'given_up' },
      now,
    );
    expect(givenUp?.attempt).toMatchObject({
      trigger: 'reverse',
      set: { decline_code: 'processor_unreachable' },
    });
    const reversing = attemptRow('reversing', { decline_code: 'processor_unreachable' });
    expect(
      decidePaymentOutcome(reversing, demand, { result: 'reversed' }, now)?.demand,
    ).toMatchObject({ trigger: 'decline', set: { failure_reason: 'processor_unreachable' } });
  });

  it('becomes unknown first if its sender crashed and no resolver ran in time', () => {
    const result: AttemptResult = { result: 'given_up' };
    const changes = decidePaymentOutcome(attemptRow('sending'), demand, result, now);
    expect(changes?.attempt).toMatchObject({
      trigger: 'lose',
      set: { unknown_since: instantText(now) },
    });
  });

  it('is reversed at once by the reference of a late approval, also if a reversal by id was just sent', () => {
    const sent = { result: 'unresolved', why: 'no answer', by_reference: false, next: 'operator' };
    const known = attemptRow('reversing', { processor_reference: 'psp-1' });
    const set = (columns: Row) =>
      decidePaymentOutcome(attemptRow('reversing', columns), demand, sent as AttemptResult, now)
        ?.attempt.set;
    expect(set(known)?.due_at).toBe(instantText(now));
    expect(set({})?.due_at).toBeNull();
  });

  it('keeps the reference of an approval that comes during its reversal', () => {
    const approval: AttemptResult = { ...approvedResult, processor_reference: 'psp-1' };
    const changes = decidePaymentOutcome(attemptRow('reversing'), demand, approval, now);
    const set = { processor_reference: 'psp-1', due_at: instantText(now) };
    expect(changes).toMatchObject({ attempt: { set } });
    expect(changes?.attempt).not.toHaveProperty('trigger');
    const known = attemptRow('reversing', { processor_reference: 'psp-1', ...checks });
    expect(decidePaymentOutcome(known, demand, approval, now)).toBeUndefined();
  });
});

describe('an approval that does not count', () => {
  const found = (
    late_approvals: 'capture' | 'reverse',
    status: 'unknown' | 'sending',
    age_s: number,
  ) =>
    decidePaymentOutcome(
      attemptRow(status, {
        [status === 'unknown' ? 'unknown_since' : 'created_at']: instantText(now - seconds(age_s)),
      }),
      demand,
      { ...approvedResult, late_approvals },
      now,
    )?.attempt.trigger;

  it.each([
    ['capture', 'unknown', LATE_APPROVAL_SECONDS, 'approve'],
    ['reverse', 'unknown', LATE_APPROVAL_SECONDS - 1, 'approve'],
    ['reverse', 'unknown', LATE_APPROVAL_SECONDS, 'reverse'],
    ['reverse', 'sending', LATE_APPROVAL_SECONDS - 1, 'approve'],
    ['reverse', 'sending', LATE_APPROVAL_SECONDS, 'reverse'],
  ] as const)('is late by policy: %s, %s for %s s', (policy, status, age, trigger) => {
    expect(found(policy, status, age)).toBe(trigger);
  });

  it('is reversed immediately with a new response, and by the resolver after an inquiry', () => {
    const set = { approved_cents: '1250', decline_code: 'insufficient_funds' };
    const changesIn = (status: string, columns: Row = {}) =>
      decidePaymentOutcome(attemptRow(status, columns), demand, partialResult, now)?.attempt.set;
    expect(changesIn('sending')).toEqual({ ...set, due_at: instantText(now) });
    expect(changesIn('unknown')).toEqual(set);
    // Refused reversals become an operator's a day after the first one, not after the message.
    const unknown_since = instantText(now - seconds(86_400));
    expect(changesIn('unknown', { unknown_since })).toMatchObject({
      unknown_since: instantText(now),
    });
  });

  it('ends with an approval if an operator found the payment captured, and not before', () => {
    const confirmed = { ...approvedResult, result: 'confirmed' } as AttemptResult;
    const due_at = instantText(now);
    const reversing = { decline_code: 'processor_unreachable' };
    const decide = (columns: Row) =>
      decidePaymentOutcome(attemptRow('reversing', columns), demand, confirmed, now);
    expect(decide(reversing)).toMatchObject({
      attempt: { trigger: 'approve', set: { decline_code: null } },
      demand: { trigger: 'approve', set: { amount_captured_cents: '2500' } },
    });
    expect(decide({ ...reversing, due_at })).toBeUndefined();
    expect(stateAfter('unknown', confirmed)).toBeNull();
  });

  it('fails the payment with its reason once it is reversed', () => {
    const resentDemand = { ...demand, resent_count: String(RESENT_MAX) };
    const changesAfter = (decline_code: string | null) =>
      decidePaymentOutcome(
        attemptRow('reversing', { decline_code }),
        resentDemand,
        reversedResult,
        now,
      )?.demand.set.failure_reason;
    expect(changesAfter('processor_timeout')).toBe('processor_timeout');
    expect(changesAfter(null)).toBe('processor_unreachable');
  });
});

describe('a message that was not sent', () => {
  const demandNotSent = (count: number, since: string | null) =>
    decidePaymentOutcome(
      attemptRow('sending'),
      { ...demand, unsent_count: String(count), unsent_since: since },
      notSentResult,
      now,
    )?.demand;
  const timeAgo = (count: number) => instantText(now - seconds(count));

  it.each([
    [0, 2],
    [1, 4],
    [14, UNSENT_WAIT_MAX_SECONDS],
    [50, UNSENT_WAIT_MAX_SECONDS],
  ])('after %i others is sent again in %i seconds', (count, waitSeconds) => {
    const decision = demandNotSent(count, timeAgo(UNSENT_MAX_SECONDS - 1));
    expect(decision?.trigger).toBe('requeue');
    expect(decision?.set.due_at).toBe(instantText(now + seconds(waitSeconds)));
  });

  it('fails the payment after a quarter of an hour without any sent message', () => {
    expect(demandNotSent(3, timeAgo(UNSENT_MAX_SECONDS))).toMatchObject({
      trigger: 'decline',
      set: { failure_reason: 'processor_unreachable', unsent_since: null },
    });
  });

  it('is counted from zero after a second confirmation', () => {
    expect(demandNotSent(0, timeAgo(UNSENT_MAX_SECONDS))).toMatchObject({
      trigger: 'requeue',
      set: { unsent_since: instantText(now) },
    });
  });
});

describe('an attempt that a restored installation recovered', () => {
  const recovered = { recovered_at: instantText(now), due_at: instantText(now) };
  const triggerAfter = (status: string, result: AttemptResult, columns: Row = recovered) =>
    decidePaymentOutcome(attemptRow(status, columns), demand, result, now)?.attempt.trigger;

  it.each<[string, AttemptResult, string]>([
    ['unknown', declinedResult, 'decline'],
    ['unknown', { result: 'not_found', arrives_in_ms: 0 }, 'reverse'],
    ['unknown', { result: 'given_up' }, 'reverse'],
    ['unknown', partialResult, 'reverse'],
    ['reversing', reversedResult, 'undo'],
  ])(
    'stays %s after %j, until all messages of its payment were asked about',
    (status, result, trigger) => {
      const changes = decidePaymentOutcome(attemptRow(status, recovered), demand, result, now);
      expect(changes?.attempt.trigger).toBeUndefined();
      expect(changes?.attempt.set.due_at).toBe(instantText(now));
      expect(triggerAfter(status, { ...result, asked_all: true })).toBe(trigger);
      expect(triggerAfter(status, result, { due_at: instantText(now) })).toBe(trigger);
    },
  );

  it('stays an operator’s after a decline that a notification tells', () => {
    const held = attemptRow('unknown', { ...recovered, due_at: null });
    expect(decidePaymentOutcome(held, demand, declinedResult, now)?.attempt.set.due_at).toBe(null);
  });

  it('ends with the reversal of a cancelled payment', () => {
    const cancelled = { ...demand, cancellation_reason: 'requested' };
    const changes = decidePaymentOutcome(
      attemptRow('reversing', recovered),
      cancelled,
      reversedResult,
      now,
    );
    expect(changes?.attempt.trigger).toBe('undo');
  });

  it('is approved however late its approval is found', () => {
    const late = { ...recovered, unknown_since: instantText(now - seconds(86_400)) };
    const result: AttemptResult = { ...approvedResult, late_approvals: 'reverse' };
    expect(triggerAfter('unknown', result, late)).toBe('approve');
    expect(triggerAfter('unknown', result, { unknown_since: late.unknown_since })).toBe('reverse');
  });

  it('frees its payment for a later message, and is reversed if it is approved after all', () => {
    const changes = decidePaymentOutcome(
      attemptRow('unknown', recovered),
      demand,
      { result: 'superseded' },
      now,
    );
    expect([changes?.attempt.trigger, changes?.demand.trigger]).toEqual(['decline', 'requeue']);
    const after = attemptRow('declined', { ...recovered, ...changes?.attempt.set });
    expect(decidePaymentOutcome(after, demand, approvedResult, now)?.attempt.trigger).toBe(
      'reverse',
    );
  });
});

describe('an attempt whose payment has a later message', () => {
  const recovered = { recovered_at: instantText(now), unknown_since: instantText(now) };
  const changesAfter = (status: string, result: AttemptResult) =>
    decidePaymentOutcome(attemptRow(status, { ...recovered, due_at: null }), demand, result, now);

  it.each<[string, AttemptResult, string | undefined]>([
    ['reversing', { result: 'superseded' }, undefined],
    ['unknown', { result: 'superseded', approval: {} }, 'reverse'],
    ['unknown', { result: 'superseded', approval: { approvedAmount: 300 } }, 'reverse'],
  ])('frees the payment, and keeps its reversal due: %s, %j', (status, result, trigger) => {
    const changes = changesAfter(status, result);
    expect(changes?.demand.trigger).toBe('requeue');
    expect(changes?.attempt.trigger).toBe(trigger);
    expect(changes?.attempt.set).toMatchObject({
      due_at: instantText(now),
      abandoned_at: instantText(now),
    });
  });

  it('notes the part that was approved', () => {
    const result: AttemptResult = { result: 'superseded', approval: { approvedAmount: 300 } };
    expect(changesAfter('unknown', result)?.attempt.set.approved_cents).toBe('300');
  });
});

describe('an approval that tells its amount', () => {
  const priced = (amount: number, currency: string): AttemptResult => ({
    ...approvedResult,
    processor_reference: 'P1',
    money: { amount, currency },
  });
  const sent = attemptRow('unknown', { amount_cents: '2500', amount_currency: 'USD' });

  it('is recorded if the amount is the expected one', () => {
    expect(decidePaymentOutcome(sent, demand, priced(2_500, 'USD'), now)?.attempt.trigger).toBe(
      'approve',
    );
  });

  it('is recorded for an attempt of an earlier release, which has no amount', () => {
    const old = attemptRow('unknown', { amount_cents: null, amount_currency: null });
    const changes = decidePaymentOutcome(old, demand, priced(2_500, 'USD'), now);
    expect(changes?.attempt.trigger).toBe('approve');
  });

  it.each([
    [2_600, 'USD'],
    [2_500, 'EUR'],
  ])('is left to an operator for %i %s', (amount, currency) => {
    const changes = decidePaymentOutcome(sent, demand, priced(amount, currency), now);
    expect(changes?.attempt.trigger).toBeUndefined();
    expect(changes?.attempt.set).toMatchObject({
      due_at: null,
      processor_reference: 'P1',
      codes: JSON.stringify({ approved_amount: `${amount} ${currency}` }),
    });
  });
});
