import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { type Clock, microsOf } from '../../platform/time/clock.ts';
import type { FollowUpResult, Processor } from '../../processors/processor.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import type { Services } from '../../services.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
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
    const result = await sendFollowUp(kind, processor, attempt, services.clock);
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
  { followUpsOf, column }: FollowUpKind,
  processor: Processor,
  attempt: Row,
  clock: Clock,
): Promise<FollowUpResult> {
  const { send } = followUpsOf(processor);
  const request = send.mapRequest({
    demand_id: attempt[column] as string,
    attempt_id: attempt.authorisation_id as string,
    amount: Number(attempt.amount_cents),
    currency: attempt.amount_currency as string,
    ...(attempt.simulate && { simulate: attempt.simulate }),
  });
  const lease_end = microsOf(attempt.due_at as string);
  const answer = await sendPlain(request, () => clock.now() < lease_end);
  return send.mapAnswer(answer, attempt[column] as string);
}
