import { CLOCK_SKEW_MS_MAX } from '@florin/contract/protocol/vault.ts';
import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { type Micros, microsOf } from '../../platform/time/clock.ts';
import type { InquireResult, Processor } from '../../processors/port/processor.ts';
import type { Services } from '../../services.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { firstCancelAt, nextReversal } from '../attempts/recovery.ts';
import { reportToOperator } from '../attempts/report-to-operator.ts';
import { sendAboutAttempt } from '../attempts/send-message.ts';
import type { AttemptResult } from './decide-outcome.ts';
import type { PaymentOutcomeRecorder } from './record-outcome.ts';
import { lateApprovalsOf } from './sql/late-approvals.ts';

/**
 * Inquires about an authorisation and records its outcome, within the lease of the claim. Records a
 * reversal before sending it, so that a late approval cannot be recorded too.
 */
export async function resolveAuthorisation(
  services: Services,
  recordOutcome: PaymentOutcomeRecorder,
  attempt: Row,
): Promise<void> {
  const key = keyOf(attempt);
  const processor = processorOfRow(services, attempt);
  if (!processor) {
    const result = { result: 'unresolved', why: 'there is no processor to ask' } as const;
    await recordOutcome({ key, result });
    return;
  }
  if (attempt.status !== 'reversing') {
    const result = await inquirePayment(services, processor, attempt);
    const state = await recordOutcome({ key, result });
    if (state !== 'reversing') return;
  }
  const result = await reverse(services, recordOutcome, { processor, attempt });
  await recordOutcome({ key, result });
  if (result.result === 'unresolved') reportToOperator(services.logger, attempt, result.next);
}

/** Asks about an attempt's own message. */
export async function inquirePayment(
  services: Services,
  processor: Processor,
  attempt: Row,
): Promise<AttemptResult> {
  if (!processor.inquire) return decideCancel(services, processor, attempt);
  const arrives_in_ms = leavesIn(services, attempt) / 1000 + processor.metadata.arrival_ms_max;
  const inquiry = await inquireThoroughly(services, processor, attempt);
  switch (inquiry.result) {
    case 'approved':
      return { ...inquiry, late_approvals: await lateApprovalsOf(services.db, scopeOf(attempt)) };
    case 'partly_approved':
    case 'declined':
      return inquiry;
    case 'not_found':
      if (!services.clocks.agree()) return { result: 'unresolved', why: 'the clocks differ' };
      return { ...inquiry, arrives_in_ms };
    case 'pending':
      return { ...inquiry, result: 'unresolved', why: 'the processor has not decided yet' };
    default:
      return { result: 'unresolved', why: `the inquiry returned ${inquiry.result}` };
  }
}

/** Cancels an attempt that only notifications could tell about, and that none told about in time. */
function decideCancel(
  { clock }: Services,
  { metadata }: Processor,
  { unknown_since, created_at }: Row,
): AttemptResult {
  const next = firstCancelAt(metadata.recovery, microsOf((unknown_since ?? created_at) as string));
  return next !== undefined && clock.now() < next
    ? { result: 'unresolved', why: 'only a notification tells the outcome', next }
    : { result: 'given_up' };
}

/** Asks about an authorisation, and again if the inquiry by our reference found only the processor's reference. */
export async function inquireThoroughly(
  services: Services,
  processor: Processor,
  attempt: Row,
): Promise<InquireResult> {
  const inquiry = await sendInquiry(services, processor, attempt);
  const { processor_reference } = inquiry.result === 'pending' ? inquiry : attempt;
  return processor_reference && !attempt.processor_reference
    ? sendInquiry(services, processor, { ...attempt, processor_reference })
    : inquiry;
}

async function sendInquiry(
  services: Services,
  { inquire }: Processor,
  attempt: Row,
): Promise<InquireResult> {
  if (!inquire) return { result: 'unknown', why: 'the processor answers no inquiries' };
  const attempt_id = attempt.id as string;
  const request = inquire.mapRequest({ attempt_id, ...referenceOf(attempt) });
  return inquire.mapAnswer(await sendAboutAttempt(services, attempt, request), attempt_id);
}

/**
 * Time in which an attempt's message may still be sent. Messages of earlier versions have no
 * deadline: they count as sent once their response is overdue, by the attempt's own clock.
 */
function leavesIn({ clock, system_clock }: Services, { not_after, unknown_since }: Row): Micros {
  const remainingTime = not_after
    ? microsOf(not_after) - system_clock.now()
    : unknown_since
      ? microsOf(unknown_since) - clock.now()
      : 0;
  return remainingTime + CLOCK_SKEW_MS_MAX * 1000;
}

/**
 * Reverses an authorisation. Processors may refuse this for a declined authorisation, which charges
 * nothing. After any other refusal the attempt stays open, because the authorisation may exist. Records an approval that
 * is found then: its amount and checks matter to the operator who may confirm it.
 */
export async function reverse(
  services: Services,
  recordOutcome: PaymentOutcomeRecorder,
  { processor, attempt }: { readonly processor: Processor; readonly attempt: Row },
): Promise<AttemptResult> {
  const { id: attempt_id } = keyOf(attempt);
  // A reversal by the processor's reference is another message, so its key differs.
  const tried = `${attempt_id} ${attempt.inquiries} ${attempt.processor_reference ?? ''}`;
  const idempotency_key = services.message_signer.sign(tried);
  const request = processor.reverse.mapRequest({
    attempt_id,
    idempotency_key,
    ...referenceOf(attempt),
  });
  const answer = await sendAboutAttempt(services, attempt, request);
  const reversal = processor.reverse.mapAnswer(answer, attempt_id);
  const { result } = reversal;
  const { recovery } = processor.metadata;
  const repeat = {
    next: nextReversal(recovery, attempt, result, services.clock.now()),
    by_reference: attempt.processor_reference != null,
    ...(reversal.result === 'pending' && reversal.accepted_as !== undefined
      ? { accepted_as: reversal.accepted_as }
      : {}),
  };
  if (result === 'reversed')
    return { result, late_approvals: await lateApprovalsOf(services.db, scopeOf(attempt)) };
  if (result === 'pending')
    return {
      ...reversal,
      result: 'unresolved',
      why: 'the processor has not reversed it yet',
      ...repeat,
    };
  const inquiry =
    result === 'refused' ? await sendInquiry(services, processor, attempt) : undefined;
  if (inquiry?.result === 'declined') return { result: 'reversed', declined: inquiry.code };
  if (inquiry?.result === 'approved' || inquiry?.result === 'partly_approved')
    await recordOutcome({ key: keyOf(attempt), result: inquiry });
  return { result: 'unresolved', why: `the reversal returned ${result}`, ...repeat };
}

const referenceOf = ({ processor_reference }: Row) =>
  processor_reference ? { processor_reference } : {};
