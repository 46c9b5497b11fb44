import { authenticationMachine } from '@florin/contract/machines/authentication.ts';
import { triggersFrom } from '@florin/contract/machines/define-machine.ts';
import { ABANDONED } from '@florin/contract/protocol/frame.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../../platform/time/clock.ts';
import type { AuthenticateResult, ChallengeOutcome } from '../../../processors/port/directory.ts';
import { authenticatedByWallet } from '../../payments/columns.ts';

/** Authentication state in the payment method of the card. */
export type ExternalState = 'pending' | 'confirmed' | 'failed' | 'errored';

/** Why a card is unusable. The merchant's page gets the code as `detail.code`. */
export type FailureCode =
  | 'authentication_failed'
  | 'authentication_required'
  | 'card_not_verified'
  | typeof ABANDONED
  | 'challenge_cancelled'
  | 'challenge_failed'
  | 'challenge_timeout'
  | 'challenge_replaced'
  | 'challenge_error'
  | 'challenge_unavailable';

/** A finding about an authentication. */
export type AuthenticationFinding =
  /** The issuer responded. */
  | { readonly kind: 'answer'; readonly answer: AuthenticateResult }
  /** The merchant ignores 3-D Secure. The issuer was not queried. */
  | { readonly kind: 'policy' }
  /** The wallet has authenticated the cardholder. The issuer is not queried. */
  | { readonly kind: 'wallet'; readonly eci: string | undefined }
  /** The directory server sent the result of a challenge. */
  | { readonly kind: 'challenge'; readonly outcome: ChallengeOutcome }
  /** The browser returned from the issuer's page. The result must follow soon. */
  | { readonly kind: 'return' }
  /** The cardholder cancelled in the form, or the form cannot show the challenge. */
  | { readonly kind: 'cancel'; readonly code: 'challenge_cancelled' | 'challenge_unavailable' }
  /** The form abandoned the attempt. Possible in every state. */
  | { readonly kind: 'abandonment' }
  /** The payer entered another card for the same payment. */
  | { readonly kind: 'replacement' }
  /** The authentication timed out in this state. */
  | { readonly kind: 'expiry'; readonly status: string };

/** Effect of a finding on the authentication and its card. */
export interface AuthenticationVerdict {
  /** Absent if the authentication's state stays the same. */
  readonly trigger?: string;
  readonly set: Row;
  /** Absent if the payment method's state stays the same. */
  readonly external_state?: ExternalState;
}

/** Seconds for the result of a challenge to arrive after the browser returned. */
export const RETURN_GRACE_SECONDS = 30;

/**
 * Decides the effect of a finding on an authentication. Undefined without an effect: the first
 * result counts, and late, repeated or foreign findings are ignored.
 */
export function decideVerdict(
  row: Row,
  finding: AuthenticationFinding,
  { now, challenge_limit }: { readonly now: Micros; readonly challenge_limit: Micros },
): AuthenticationVerdict | undefined {
  const verdict = verdictOf(row, finding, now, challenge_limit);
  if (verdict?.trigger === undefined) return verdict;
  return triggersFrom(authenticationMachine, row.status as string).includes(verdict.trigger)
    ? verdict
    : undefined;
}

function verdictOf(
  row: Row,
  finding: AuthenticationFinding,
  now: Micros,
  challenge_limit: Micros,
): AuthenticationVerdict | undefined {
  switch (finding.kind) {
    case 'answer':
      return row.status === 'asking'
        ? verdictOfAnswer(row, finding.answer, now + challenge_limit)
        : undefined;
    case 'policy':
      return { trigger: 'skip', set: endedColumns(), external_state: 'confirmed' };
    case 'wallet':
      return row.status === 'asking' ? walletVerdict(finding.eci, now) : undefined;
    case 'challenge':
      return isForChallenge(row, finding.outcome) ? verdictOfChallenge(finding.outcome) : undefined;
    case 'return':
      return row.status === 'challenged' ? verdictOfReturn(row, now) : undefined;
    case 'cancel':
      return { trigger: 'abandon', set: endedColumns(finding.code), external_state: 'failed' };
    case 'abandonment':
      return { trigger: 'abandon', set: endedColumns(ABANDONED), external_state: 'failed' };
    case 'replacement':
      return {
        trigger: 'abandon',
        set: endedColumns('challenge_replaced'),
        external_state: 'failed',
      };
    case 'expiry':
      return row.status === finding.status ? verdictOfExpiry(finding.status) : undefined;
  }
}

/**
 * Clears an authentication's personal data, after the payment has received it or can no longer
 * receive it.
 */
export const clearedColumns: Row = { threeds_cryptogram: null, payer_timezone: null };

/** Columns of an ended authentication. */
const endedColumns = (failure_code: FailureCode | null = null): Row => ({
  ...(failure_code && clearedColumns),
  failure_code,
  bank_url: null,
  due_at: null,
});

const failedVerdict = (
  trigger: string,
  code: FailureCode,
  set: Row = {},
): AuthenticationVerdict => ({
  trigger,
  set: { ...set, ...endedColumns(code) },
  external_state: trigger === 'break' ? 'errored' : 'failed',
});

const walletVerdict = (eci: string | undefined, now: Micros): AuthenticationVerdict => ({
  trigger: 'authenticate',
  set: { ...endedColumns(), ...authenticatedByWallet(eci, now) },
  external_state: 'confirmed',
});

function verdictOfAnswer(
  row: Row,
  answer: AuthenticateResult,
  challenge_due: Micros,
): AuthenticationVerdict {
  const changes = resultColumns(answer);
  switch (answer.result) {
    case 'authenticated':
      return {
        trigger: 'authenticate',
        set: { ...changes, ...endedColumns() },
        external_state: 'confirmed',
      };
    case 'not_enrolled':
    case 'not_authenticated':
      return row.threeds_policy === 'required'
        ? failedVerdict('refuse', 'authentication_required', changes)
        : { trigger: 'skip', set: { ...changes, ...endedColumns() }, external_state: 'confirmed' };
    case 'rejected':
      return failedVerdict('refuse', 'authentication_failed', changes);
    case 'challenge':
      if (!answer.acs_url) return failedVerdict('break', 'challenge_unavailable', changes);
      return {
        trigger: 'challenge',
        set: { ...changes, bank_url: answer.acs_url, due_at: instantText(challenge_due) },
        external_state: 'pending',
      };
    case 'unavailable':
      return failedVerdict('break', 'card_not_verified', changes);
  }
}

function verdictOfChallenge(outcome: ChallengeOutcome): AuthenticationVerdict {
  const changes = resultColumns(outcome);
  if (outcome.result === 'authenticated') {
    return {
      trigger: 'authenticate',
      set: { ...changes, ...endedColumns() },
      external_state: 'confirmed',
    };
  }
  if (outcome.cancel === 'cardholder')
    return failedVerdict('abandon', 'challenge_cancelled', changes);
  if (outcome.cancel === 'timeout') return failedVerdict('expire', 'challenge_timeout', changes);
  if (outcome.result === 'rejected') return failedVerdict('refuse', 'challenge_failed', changes);
  return failedVerdict('break', 'challenge_error', changes);
}

/**
 * Whether a result belongs to the transaction in the issuer's response. Any other result is
 * ignored.
 */
const isForChallenge = (row: Row, outcome: ChallengeOutcome): boolean =>
  row.status === 'challenged' &&
  row.id === outcome.attempt_id &&
  row.directory_transaction_eid === outcome.directory_transaction_eid &&
  row.acs_transaction_eid === outcome.acs_transaction_eid;

function verdictOfReturn(row: Row, now: Micros): AuthenticationVerdict | undefined {
  const graceEnd = now + seconds(RETURN_GRACE_SECONDS);
  const dueAt = row.due_at ? microsOf(row.due_at) : graceEnd;
  return graceEnd < dueAt ? { set: { due_at: instantText(graceEnd) } } : undefined;
}

function verdictOfExpiry(status: string): AuthenticationVerdict {
  if (status === 'challenged') return failedVerdict('expire', 'challenge_timeout');
  if (status === 'asking') return failedVerdict('break', 'card_not_verified');
  return { trigger: 'abandon', set: endedColumns() };
}

const resultColumns = (result: Omit<AuthenticateResult, 'result'>): Row => ({
  threeds_version: result.version,
  threeds_status: result.status,
  threeds_cryptogram: result.cryptogram ?? null,
  eci: result.eci,
  directory_transaction_eid: result.directory_transaction_eid ?? null,
  acs_transaction_eid: result.acs_transaction_eid ?? null,
});
