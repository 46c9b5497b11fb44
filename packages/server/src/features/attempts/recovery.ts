import type { Row } from '../../platform/database/row.ts';
import { type Micros, microsOf, seconds } from '../../platform/time/clock.ts';
import type { ProcessorAccounts } from '../../processors/accounts.ts';
import type { Recovery } from '../../processors/port/metadata.ts';
import type { ReverseResult } from '../../processors/port/processor.ts';
import type { NextInquiry } from './decide-outcome.ts';

/** Time of the first cancellation of an attempt whose outcome is unknown since `since`. Undefined: Florin inquires. */
export const firstCancelAt = (recovery: Recovery, since: Micros): Micros | undefined =>
  recovery.strategy === 'cancel' ? since + seconds(recovery.cancels_at_s[0]) : undefined;

/**
 * Next try of a reversal. The processor cancels at the times of its recovery, so that each try is given time for its
 * notification. A try that the processor did not take is repeated sooner. A reversal that it refuses, such as
 * of a settled payment, becomes the operator's.
 */
export function nextReversal(
  recovery: Recovery,
  { unknown_since }: Row,
  result: ReverseResult['result'],
  now: Micros,
): NextInquiry {
  const since = unknown_since ? microsOf(unknown_since) : now;
  if (recovery.strategy === 'inquire') {
    const max_s = recovery.refused_reversal_max_s ?? Number.POSITIVE_INFINITY;
    return result === 'refused' && now - since >= seconds(max_s) ? 'operator' : 'usual';
  }
  const next = recovery.cancels_at_s
    .map((wait_s) => since + seconds(wait_s))
    .find((time) => time > now);
  if (next === undefined) return 'operator';
  return result === 'pending' || result === 'refused' ? next : 'usual';
}

/**
 * Next action of Florin for an attempt without an outcome. `wait`: for a notification, or for the operator where `due_at`
 * is null. `repeat`: under the same key, since the processor gave no receipt.
 */
export type RecoveryStep = 'inquire' | 'cancel' | 'repeat' | 'wait';

export function recoveryStepOf(
  recovery: Recovery,
  { operation, processor_reference, due_at }: Row,
): RecoveryStep {
  if (recovery.strategy === 'inquire') return 'inquire';
  if (operation === 'authorise') return 'cancel';
  return processor_reference || due_at == null ? 'wait' : 'repeat';
}

/** Accounts whose captures and refunds have no outcome before their notification. */
export const notifyingAccounts = (accounts: Pick<ProcessorAccounts, 'all'>): string[] =>
  accounts
    .all()
    .filter(({ processor }) => processor.metadata.recovery.strategy === 'cancel')
    .map(({ id }) => id);

/** Next look at a capture or refund that only a notification tells about. */
export function nextFollowUpLook(
  recovery: Recovery,
  { processor_reference, created_at }: Row,
  now: Micros,
): NextInquiry {
  if (recovery.strategy === 'inquire') return 'usual';
  // Without a receipt, the message was repeated for as long as the processor recognises it.
  if (!processor_reference) return 'operator';
  const until = microsOf(created_at as string) + seconds(recovery.follow_up_max_s);
  return now < until ? until : 'operator';
}
