import { authenticationMachine } from '@florin/contract/machines/authentication.ts';
import { nextState, statesOf, triggersFrom } from '@florin/contract/machines/define-machine.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, microsOf, seconds } from '../../../platform/time/clock.ts';
import type { AuthenticateResult, ChallengeOutcome } from '../../../processors/port/directory.ts';
import { type AuthenticationFinding, decideVerdict, RETURN_GRACE_SECONDS } from './decide.ts';

const now = 1_800_000_000_000_000;
const challenge_limit = seconds(300);
const ids = { directory_transaction_eid: 'ds', acs_transaction_eid: 'acs' };
const commonResult = { version: '2.2.0', eci: '07', ...ids };

const row = (changes: Row = {}): Row => ({
  id: 'an authentication',
  status: 'challenged',
  threeds_policy: 'when_available',
  due_at: instantText(now + challenge_limit),
  ...ids,
  ...changes,
});

const decide = (before: Row, finding: AuthenticationFinding) =>
  decideVerdict(before, finding, { now, challenge_limit });

const answerFinding = (
  result: AuthenticateResult['result'],
  more: object = {},
): AuthenticationFinding => ({
  kind: 'answer',
  answer: { ...commonResult, result, status: 'Y', ...more },
});

const outcome = (
  result: ChallengeOutcome['result'],
  more: Partial<ChallengeOutcome> = {},
): AuthenticationFinding => ({
  kind: 'challenge',
  outcome: { ...commonResult, attempt_id: 'an authentication', result, status: 'Y', ...more },
});

const findings: readonly AuthenticationFinding[] = [
  answerFinding('authenticated'),
  answerFinding('not_enrolled'),
  answerFinding('not_authenticated'),
  answerFinding('rejected'),
  answerFinding('challenge', { acs_url: 'https://bank.example' }),
  answerFinding('challenge'),
  answerFinding('unavailable'),
  outcome('authenticated'),
  outcome('rejected'),
  outcome('rejected', { cancel: 'cardholder' }),
  outcome('unavailable', { cancel: 'timeout' }),
  outcome('unavailable', { cancel: 'error' }),
  outcome('unavailable'),
  outcome('authenticated', { directory_transaction_eid: 'another' }),
  { kind: 'policy' },
  { kind: 'wallet', eci: '05' },
  { kind: 'return' },
  { kind: 'cancel', code: 'challenge_cancelled' },
  { kind: 'cancel', code: 'challenge_unavailable' },
  { kind: 'abandonment' },
  { kind: 'replacement' },
  ...statesOf(authenticationMachine).map(
    (status): AuthenticationFinding => ({ kind: 'expiry', status }),
  ),
];

/** The authentication after these findings, in this order. */
function stateAfter(initialRow: Row, findings: readonly AuthenticationFinding[]): Row {
  let currentRow = initialRow;
  for (const finding of findings) {
    const verdict = decide(currentRow, finding);
    const status = currentRow.status as string;
    const nextStatus =
      verdict?.trigger && nextState(authenticationMachine, status, verdict.trigger);
    currentRow = { ...currentRow, ...verdict?.set, ...(nextStatus && { status: nextStatus }) };
  }
  return currentRow;
}

const hasEnded = ({ status }: Row): boolean =>
  triggersFrom(authenticationMachine, status as string).length === 0;

describe('an authentication, after any findings in any order,', () => {
  const findingsArbitrary = fc.array(fc.constantFrom(...findings), { maxLength: 12 });
  const statusArbitrary = fc.constantFrom(...statesOf(authenticationMachine));

  it('takes only transitions of its state machine', () => {
    fc.assert(
      fc.property(statusArbitrary, findingsArbitrary, (status, story) => {
        const states = new Set<string>(statesOf(authenticationMachine));
        expect(states).toContain(stateAfter(row({ status }), story).status);
      }),
    );
  });

  it('keeps its first result: late, repeated and reordered findings change nothing', () => {
    fc.assert(
      fc.property(
        statusArbitrary,
        findingsArbitrary,
        findingsArbitrary,
        (status, before, later) => {
          const endedRow = stateAfter(row({ status }), before);
          fc.pre(hasEnded(endedRow));
          expect(stateAfter(endedRow, later)).toEqual(endedRow);
        },
      ),
    );
  });

  it('is authenticated only by a result for this transaction from the wallet or the bank', () => {
    const otherFindings = findings.filter(
      (finding) =>
        !(finding.kind === 'answer' && finding.answer.result === 'authenticated') &&
        finding.kind !== 'wallet' &&
        finding !== findings[7],
    );
    fc.assert(
      fc.property(statusArbitrary, fc.array(fc.constantFrom(...otherFindings)), (status, story) => {
        fc.pre(status !== 'authenticated');
        expect(stateAfter(row({ status }), story).status).not.toBe('authenticated');
      }),
    );
  });

  it.each(statesOf(authenticationMachine))(
    'is not decided by a wallet if it is %s, unless the bank was not queried yet',
    (status) => {
      const {
        status: then,
        threeds_status,
        eci,
      } = stateAfter(row({ status }), [{ kind: 'wallet', eci: undefined }]);
      const isAsking = status === 'asking';
      expect(then).toBe(isAsking ? 'authenticated' : status);
      if (isAsking) expect([threeds_status, eci]).toEqual(['wallet', null]);
    },
  );

  it('ends in time, and is not due after its end', () => {
    fc.assert(
      fc.property(findingsArbitrary, (story) => {
        const stateAfterStory = stateAfter(row({ status: 'asking' }), story);
        const endedRow = stateAfter(stateAfterStory, [
          { kind: 'expiry', status: stateAfterStory.status as string },
        ]);
        expect(hasEnded(endedRow)).toBe(true);
        expect(endedRow.due_at).toBeNull();
      }),
    );
  });
});

describe('decideFinding', () => {
  it.each<
    [string, Row, AuthenticationFinding, string | undefined, string | undefined, string | null]
  >([
    ['Y', { status: 'asking' }, answerFinding('authenticated'), 'authenticate', 'confirmed', null],
    [
      'not enrolled',
      { status: 'asking' },
      answerFinding('not_enrolled'),
      'skip',
      'confirmed',
      null,
    ],
    ['U or I', { status: 'asking' }, answerFinding('not_authenticated'), 'skip', 'confirmed', null],
    [
      'U or I, where the merchant requires more',
      { status: 'asking', threeds_policy: 'required' },
      answerFinding('not_authenticated'),
      'refuse',
      'failed',
      'authentication_required',
    ],
    [
      'N or R',
      { status: 'asking' },
      answerFinding('rejected'),
      'refuse',
      'failed',
      'authentication_failed',
    ],
    [
      'C without a page',
      { status: 'asking' },
      answerFinding('challenge'),
      'break',
      'errored',
      'challenge_unavailable',
    ],
    [
      'no answer',
      { status: 'asking' },
      answerFinding('unavailable'),
      'break',
      'errored',
      'card_not_verified',
    ],
    ['RReq Y', {}, outcome('authenticated'), 'authenticate', 'confirmed', null],
    ['RReq N', {}, outcome('rejected'), 'refuse', 'failed', 'challenge_failed'],
    [
      'RReq N, cancelled by the cardholder',
      {},
      outcome('rejected', { cancel: 'cardholder' }),
      'abandon',
      'failed',
      'challenge_cancelled',
    ],
    [
      'RReq U, timed out',
      {},
      outcome('unavailable', { cancel: 'timeout' }),
      'expire',
      'failed',
      'challenge_timeout',
    ],
    ['RReq U', {}, outcome('unavailable'), 'break', 'errored', 'challenge_error'],
    ['another card', {}, { kind: 'replacement' }, 'abandon', 'failed', 'challenge_replaced'],
  ])('%s', (_, changes, finding, trigger, external_state, failure_code) => {
    const verdict = decide(row(changes), finding);
    expect([verdict?.trigger, verdict?.external_state, verdict?.set.failure_code]).toEqual([
      trigger,
      external_state,
      failure_code,
    ]);
  });

  it.each([
    ['another directory transaction', { directory_transaction_eid: 'x' }],
    ['another transaction of the bank', { acs_transaction_eid: 'x' }],
    ['another authentication', { attempt_id: 'x' }],
  ])('ignores a result about %s', (_, more) => {
    expect(decide(row(), outcome('authenticated', more))).toBeUndefined();
  });

  it('leaves a short time for the result once the browser is back, and never extends the deadline', () => {
    const graceEnd = instantText(now + seconds(RETURN_GRACE_SECONDS));
    expect(decide(row(), { kind: 'return' })).toEqual({ set: { due_at: graceEnd } });
    const dueSoonerRow = row({ due_at: instantText(microsOf(graceEnd) - 1) });
    expect(decide(dueSoonerRow, { kind: 'return' })).toBeUndefined();
  });

  it('does not expire an authentication that changed after it was read as due', () => {
    expect(decide(row(), { kind: 'expiry', status: 'asking' })).toBeUndefined();
  });
});
