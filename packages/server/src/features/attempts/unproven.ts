import type { Row } from '../../platform/database/row.ts';
import type { Micros } from '../../platform/time/clock.ts';
import { decideUnknown, isIn, type OutcomeChanges } from './decide-outcome.ts';

/** Proof about the other messages of a payment. */
export interface ProofOfNoCharge {
  /** Present once the accounts were asked about all messages that the payment may have, and none charges. */
  readonly asked_all?: true;
}

/** Results after which an attempt charges nothing, or is reversed. */
const CONCLUDING: ReadonlySet<string> = new Set([
  'declined',
  'partly_approved',
  'not_found',
  'given_up',
  'reversed',
]);

interface Conclusion extends ProofOfNoCharge {
  readonly result: string;
  readonly arrives_in_ms?: number;
}

/** Whether a result says that the attempt charges nothing. A message that may still arrive is no such result. */
export const isConclusion = ({ result, arrives_in_ms = 0 }: Conclusion): boolean =>
  CONCLUDING.has(result) && arrives_in_ms <= 0;

/**
 * Whether a result would free the payment of a recovered attempt without proof. The time that a restore has lost may have
 * charged it under a later number, and its next attempt would charge again. A cancelled payment gets no next attempt.
 */
export const isUnproven = (attempt: Row, demand: Row, result: Conclusion): boolean =>
  Boolean(attempt.recovered_at) &&
  !result.asked_all &&
  !demand.cancellation_reason &&
  isIn(attempt, 'sending', 'unknown', 'reversing') &&
  isConclusion(result);

/** Leaves the attempt open: the resolver asks about all messages now. An operator keeps what is the operator's. */
export const waitForProof = (attempt: Row, demand: Row, now: Micros): OutcomeChanges =>
  decideUnknown(attempt, demand, now, attempt.due_at == null ? 'operator' : now);
