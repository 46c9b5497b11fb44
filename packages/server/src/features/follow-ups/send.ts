import type { Row } from '../../platform/database/row.ts';
import { type Clock, microsOf } from '../../platform/time/clock.ts';
import type { FollowUpResult, Processor } from '../../processors/processor.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import type { FollowUpKind } from './kinds.ts';

/**
 * Sends the message of an attempt, which needs no card. Uses the id of the refund or capture, so
 * that money moves once, however many attempts send it. Nothing leaves after the lease, however
 * long the message waits for a connection.
 */
export async function sendFollowUp(
  { of, column }: FollowUpKind,
  processor: Processor,
  attempt: Row,
  clock: Clock,
): Promise<FollowUpResult> {
  const { send } = of(processor);
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
