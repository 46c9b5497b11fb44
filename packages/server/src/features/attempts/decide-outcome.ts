import type { DeclineCode, FollowUpFailure } from '@florin/contract/decline-codes.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Decision } from '../records/updater.ts';

/** Effect of a result on an attempt and on its demand. */
export interface OutcomeChanges {
  readonly attempt: Decision;
  readonly demand: Decision;
  /** Whether the vault did not accept the message. The attempt's row is then deleted. */
  readonly isUnaccepted?: boolean;
}

/** Seconds before each inquiry about a lost response. The last wait repeats. */
export const INQUIRY_WAITS_SECONDS = [2, 10, 60, 300] as const;
/**
 * Seconds for which messages of a demand may fail to leave this process. Afterwards the demand
 * fails.
 */
export const UNSENT_MAX_SECONDS = 15 * 60;
/** Longest wait before an unsent message is sent again, in seconds. Waits grow to this limit. */
export const UNSENT_WAIT_MAX_SECONDS = 30;
const UNSENT_WAIT_STEP_SECONDS = 2;

export const isIn = (attempt: Row, ...states: readonly string[]): boolean =>
  states.includes(attempt.status as string);

/** Columns of a demand that has an outcome. */
export const finishedDemand = {
  outcome: null,
  outcome_since: null,
  unsent_since: null,
  due_at: null,
} as const;

export const failureDecision = (code: DeclineCode | FollowUpFailure, now: Micros): Decision => ({
  trigger: 'decline',
  set: { ...finishedDemand, failure_reason: code, failed_at: instantText(now) },
  events: ['failed'],
});

/**
 * Effect of a message that never left this process. The processor has not received it, so the
 * demand is sent again.
 */
export function unsentChanges(demand: Row, now: Micros): OutcomeChanges {
  const attempt: Decision = { trigger: 'drop', set: { due_at: null }, events: [] };
  const set = unsentColumns(demand, now);
  if (!set) return { attempt, demand: failureDecision('processor_unreachable', now) };
  return { attempt, demand: { trigger: 'requeue', set, events: [] } };
}

/**
 * Columns of a demand with an unsent message: waits for the next send. Undefined after the longest
 * wait.
 */
export function unsentColumns(demand: Row, now: Micros): Row | undefined {
  const unsentCount = Number(demand.unsent_count) + 1;
  const unsent_since = (unsentCount > 1 && demand.unsent_since) || instantText(now);
  if (now - microsOf(unsent_since) >= seconds(UNSENT_MAX_SECONDS)) return undefined;
  const waitSeconds = Math.min(unsentCount * UNSENT_WAIT_STEP_SECONDS, UNSENT_WAIT_MAX_SECONDS);
  const due_at = instantText(now + seconds(waitSeconds));
  return { unsent_count: String(unsentCount), unsent_since, due_at };
}

/** Next inquiry about an attempt: after the usual wait, at a time, or never, since an operator finds out. */
export type NextInquiry = Micros | 'usual' | 'operator';

/**
 * Effect of a lost response. The processor may have executed the message, so the demand stays `processing` until an
 * inquiry succeeds. An attempt without `due_at` belongs to an operator.
 */
export function decideUnknown(
  attempt: Row,
  demand: Row,
  now: Micros,
  next: NextInquiry = 'usual',
): OutcomeChanges {
  const inquiries = Number(attempt.inquiries);
  const since = demand.outcome_since ?? instantText(now);
  return {
    attempt: {
      ...(isIn(attempt, 'sending') && { trigger: 'lose' }),
      set: {
        unknown_since: attempt.unknown_since ?? instantText(now),
        inquiries: String(inquiries + 1),
        due_at: next === 'operator' ? null : instantText(inquiryTime(inquiries, next, now)),
      },
      events: [],
    },
    demand: { set: { outcome: 'unknown', outcome_since: since }, events: [] },
  };
}

/** Time of the next inquiry, unless an operator finds out. */
export function inquiryTime(inquiries: number, next: Micros | 'usual', now: Micros): Micros {
  const waitSeconds = INQUIRY_WAITS_SECONDS[inquiries] ?? INQUIRY_WAITS_SECONDS.at(-1) ?? 0;
  return next === 'usual' ? now + seconds(waitSeconds) : next;
}
