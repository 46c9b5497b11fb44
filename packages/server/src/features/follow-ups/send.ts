import { isTrue, type Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { microsOf } from '../../platform/time/clock.ts';
import type { FollowUpResult, Processor } from '../../processors/port/processor.ts';
import type { Services } from '../../services.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { type AttemptSender, sendAboutAttempt } from '../attempts/send-message.ts';
import type { FollowUpKind } from './kinds.ts';
import type { FollowUpOutcomeRecorder } from './record-outcome.ts';

/**
 * Sends a claimed follow-up and records its outcome. Never rejects: after an error, the attempt
 * stays open, its lease ends, and the resolver inquires.
 */
export async function sendAndRecord(
  services: Services,
  kind: FollowUpKind,
  recordOutcome: FollowUpOutcomeRecorder,
  attempt: Row,
): Promise<void> {
  try {
    const processor = processorOfRow(services, attempt);
    if (!processor) return;
    const result = await sendFollowUp(services, kind, processor, attempt);
    await recordOutcome({ key: keyOf(attempt), result });
  } catch (error) {
    const err = { message: (error as Error).message };
    services.logger.error(
      { attempt: attempt.id, err },
      `outcome of a ${kind.operation} not recorded: the resolver inquires`,
    );
  }
}

/**
 * Sends the message of an attempt. Needs no card. Messages have the id of the refund or capture, so
 * that money moves once for any number of messages.
 * A message that waits for a connection is not sent after the lease.
 */
export async function sendFollowUp(
  services: Pick<Services, 'clock' | 'message_signer'> & AttemptSender,
  { followUpsOf, column }: FollowUpKind,
  processor: Processor,
  attempt: Row,
): Promise<FollowUpResult> {
  const { send } = followUpsOf(processor);
  const demand_id = attempt[column] as string;
  const request = send.mapRequest({
    demand_id,
    attempt_id: attempt.authorisation_id as string,
    ...referenceOf(attempt),
    ...(attempt.capture_reference && { capture_reference: attempt.capture_reference }),
    idempotency_key: services.message_signer.sign(demand_id),
    amount: Number(attempt.amount_cents),
    currency: attempt.amount_currency as string,
    ...(leavesHold(attempt) && { final: false as const }),
    ...(isTrue(attempt.tells_final) && { tells_final: true }),
    ...(attempt.simulate && { simulate: attempt.simulate }),
  });
  const lease_left = microsOf(attempt.due_at as string) - services.clock.now();
  const options = { leaves_within_ms: lease_left / 1_000 };
  const answer = await sendAboutAttempt(services, attempt, request, options);
  return send.mapAnswer(answer, demand_id);
}

/** Whether a capture leaves the rest of the hold. Older attempts do not say, and end it. */
const leavesHold = ({ capture_final }: Row): boolean =>
  (capture_final ?? null) !== null && !isTrue(capture_final);

/** Reference of the authorisation at the processor, as members of a message's input. */
export const referenceOf = ({ authorisation_reference }: Row) =>
  authorisation_reference ? { processor_reference: authorisation_reference } : {};
