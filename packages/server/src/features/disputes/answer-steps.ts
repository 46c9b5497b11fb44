import type { Row } from '../../platform/database/row.ts';
import { instantText, type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { AnswerProgress, AnswerStep, StepState } from '../../processors/port/disputes.ts';
import type { Decision } from '../records/updater.ts';

/** Time for one message. If the process dies, another one continues after it. */
const STEP_LEASE_SECONDS = 60;

/** Clients see no change of the dispute. */
type InternalDecision = Decision & { readonly internal: true };

const internal = (set: Row): InternalDecision => ({ set, events: [], internal: true });

/** States of the messages of a dispute's answer. */
export const answerProgressOf = ({ response_steps }: Row): AnswerProgress =>
  response_steps == null ? {} : (JSON.parse(response_steps) as AnswerProgress);

/** Whether this process still has the lease that ends at a time. */
export const hasLease = (dispute: Row, status: unknown, lease: Micros): boolean =>
  dispute.status === status && dispute.due_at != null && microsOf(dispute.due_at) === lease;

export const nextLease = (now: Micros): Micros => now + seconds(STEP_LEASE_SECONDS);

/** Stores that a message is about to be sent, until the end of a lease. */
export const decideBegun = (dispute: Row, { name }: AnswerStep, lease: Micros): InternalDecision =>
  internal({
    response_steps: JSON.stringify({ ...answerProgressOf(dispute), [name]: { state: 'sending' } }),
    due_at: instantText(lease),
  });

/** Stores new states of messages. Null removes one. */
export function decideProgress(
  dispute: Row,
  changes: Readonly<Record<string, StepState | null>>,
): InternalDecision {
  const states = Object.entries({ ...answerProgressOf(dispute), ...changes });
  const kept = states.filter(([, state]) => state !== null);
  return internal({ response_steps: JSON.stringify(Object.fromEntries(kept)) });
}

/** All messages are sent. The issuer's decision arrives as a notification. */
export const decideAnswered = (): InternalDecision => internal({ due_at: null });

/**
 * The processor refuses an answer: the merchant may answer again until the deadline. Afterwards nothing can be sent, and
 * the processor's notification decides.
 */
export function decideRefused(dispute: Row, why: string, now: Micros): Decision {
  const response_problem = why;
  const { evidence_due_at = null } = dispute;
  if (evidence_due_at === null || now >= microsOf(evidence_due_at))
    return { set: { response_problem, due_at: null }, events: ['updated'] };
  return {
    trigger: 'refuse',
    set: { response_problem, response_steps: null, submitted_at: null, due_at: evidence_due_at },
    events: ['updated'],
  };
}
