import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { microsOf } from '../../platform/time/clock.ts';
import type { InquireFollowUpResult, Processor } from '../../processors/port/processor.ts';
import type { Services } from '../../services.ts';
import type { NextInquiry } from '../attempts/decide-outcome.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { nextFollowUpLook } from '../attempts/recovery.ts';
import { reportToOperator } from '../attempts/report-to-operator.ts';
import { sendAboutAttempt } from '../attempts/send-message.ts';
import type { FollowUpOutcome } from './decide-outcome.ts';
import type { FollowUpKind } from './kinds.ts';
import type { FollowUpOutcomeRecorder } from './record-outcome.ts';
import { decideResend } from './resend.ts';
import { referenceOf, sendFollowUp } from './send.ts';

/** Inquires about a refund or capture and records its outcome once. */
export async function resolveFollowUp(
  services: Services,
  kind: FollowUpKind,
  recordOutcome: FollowUpOutcomeRecorder,
  attempt: Row,
): Promise<void> {
  const result = await findOutcome(services, kind, attempt);
  if (!result) return;
  await recordOutcome({ key: keyOf(attempt), result });
  if (result.result === 'unresolved') reportToOperator(services.logger, attempt, result.next);
}

/**
 * Inquires, and sends an unknown follow-up again if its payment allows it. The processor executes it once, since
 * both messages have the same id. Undefined if it was refused and the refusal is recorded.
 */
async function findOutcome(
  services: Services,
  kind: FollowUpKind,
  attempt: Row,
): Promise<FollowUpOutcome | undefined> {
  const processor = processorOfRow(services, attempt);
  if (!processor) return { result: 'unresolved', why: 'there is no processor to ask' };
  const inquired_at = services.clock.now();
  const inquiry = await inquireFollowUp(services, kind, processor, attempt);
  const next = nextLook(services, kind, processor, attempt);
  if (inquiry.result !== 'not_found') return outcomeOf(inquiry, next);
  // Under another key, the processor would execute it a second time.
  if (attempt.key_lost_at)
    return { result: 'unresolved', why: 'the key of its messages is lost', next: 'operator' };
  const verdict = await decideResend(services, kind, processor, attempt, inquired_at);
  if (verdict === 'refused') return undefined;
  if (verdict === 'wait') return { result: 'unresolved', why: 'an earlier message may arrive' };
  const answer = await sendFollowUp(services, kind, processor, attempt);
  // The processor refused this message, so it accepted none of the earlier ones.
  if (answer.result === 'refused') return { result: 'declined', code: kind.declined_reason };
  return outcomeOf(answer, 'usual');
}

function outcomeOf(answer: InquireFollowUpResult, next: NextInquiry): FollowUpOutcome {
  if (answer.result === 'approved' || answer.result === 'declined') return answer;
  return answer.result === 'pending'
    ? { ...answer, result: 'unresolved', why: 'the processor has not decided yet', next }
    : { result: 'unresolved', why: `the inquiry returned ${answer.result}`, next };
}

/** Next look after an inquiry, or where there are no inquiries. */
const nextLook = (
  { clock }: Services,
  { followUpsOf }: FollowUpKind,
  processor: Processor,
  attempt: Row,
): NextInquiry =>
  followUpsOf(processor).inquire
    ? 'usual'
    : nextFollowUpLook(processor.metadata.recovery, attempt, clock.now());

/**
 * Inquires by our id. Without inquiries, a message without a receipt may be sent again, and a notification tells the
 * outcome.
 */
async function inquireFollowUp(
  services: Services,
  { followUpsOf, column }: FollowUpKind,
  processor: Processor,
  attempt: Row,
): Promise<InquireFollowUpResult> {
  const { inquire } = followUpsOf(processor);
  if (!inquire) {
    return mayRepeat(services, processor, attempt)
      ? { result: 'not_found' }
      : { result: 'unknown', why: 'only a notification tells the outcome' };
  }
  const demand_id = attempt[column] as string;
  const request = inquire.mapRequest({
    demand_id,
    attempt_id: attempt.authorisation_id as string,
    ...referenceOf(attempt),
  });
  const answer = await sendAboutAttempt(services, attempt, request);
  return inquire.mapAnswer(answer, demand_id);
}

/** Whether the processor would execute a repeated message once, and has given no receipt for an earlier one. */
const mayRepeat = (
  { clock }: Pick<Services, 'clock'>,
  { metadata }: Processor,
  { processor_reference, created_at }: Row,
): boolean =>
  !processor_reference &&
  clock.now() - microsOf(created_at as string) < metadata.idempotency_ms * 1_000;
