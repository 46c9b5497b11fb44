import type { Row } from '../../platform/database/row.ts';
import { keyOf, keyText } from '../../platform/database/row-key.ts';
import { scopeOf } from '../../platform/database/scope.ts';
import { lockRows } from '../../platform/database/transition.ts';
import { microsOf, seconds } from '../../platform/time/clock.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { sendAboutAttempt } from '../attempts/send-message.ts';
import { submitFollowUps } from '../follow-ups/claim.ts';
import type { FollowUpOutcome } from '../follow-ups/decide-outcome.ts';
import { captures, type FollowUpKind, refunds } from '../follow-ups/kinds.ts';
import { paymentOf } from '../ledger/payment-of.ts';
import { authorisationsOf } from '../payments/sql/authorisations.ts';
import { forEachAtOnce, type LearningRun, labelOf } from './run.ts';
import { dueFollowUps } from './sql/due-follow-ups.ts';

/**
 * Learns which known refunds and captures were sent after the restored time, and whose processor would execute a repeated
 * message again. Others are sent again after the opening: their processor recognises them.
 */
export async function learnFollowUps(run: LearningRun): Promise<void> {
  for (const kind of [captures, refunds]) {
    for await (const rows of dueFollowUps(run.services.db, kind.table)) {
      await forEachAtOnce(rows, (row) => learnFollowUp(run, kind, row));
      await run.progress();
    }
  }
}

async function learnFollowUp(run: LearningRun, kind: FollowUpKind, row: Row): Promise<void> {
  const { services } = run;
  const authorisations = await authorisationsOf(services.db, [paymentOf(row)]);
  const authorisation = authorisations.get(keyText(paymentOf(row)));
  const processor = authorisation && processorOfRow(services, authorisation);
  if (!processor) return;
  // Later changes of a list belong to what is due now, so that must be recorded first.
  if (!processor.history && isRecognised(run, processor.metadata.idempotency_ms)) return;
  await resolveFollowUpNow(run, kind, row, authorisation);
}

/**
 * Asks about a due refund or capture, records the answer, and counts it. If the processor does not know the message,
 * records `unknown`; without one, the follow-up stays due.
 */
export async function resolveFollowUpNow(
  run: LearningRun,
  kind: FollowUpKind,
  row: Row,
  authorisation: Row,
  unknown?: FollowUpOutcome,
): Promise<void> {
  const { counts, notes, found, is_dry } = run;
  counts.asked += 1;
  const outcome = (await askFollowUp(run, kind, row, authorisation)) ?? unknown;
  if (!outcome) return;
  found.add(row.id as string);
  if (!is_dry) await adopt(run, kind, row, outcome);
  counts[outcome.result === 'unresolved' ? 'held' : 'follow_ups'] += 1;
  if (outcome.result === 'unresolved')
    notes.push(`${kind.operation} ${labelOf(row)}: ${outcome.why}`);
}

/** Whether a message that was sent right after the restored time is executed once if it is repeated. */
const isRecognised = ({ services, restored_to }: LearningRun, idempotency_ms: number): boolean =>
  services.system_clock.now() - microsOf(restored_to) < seconds(idempotency_ms / 1_000) / 2;

/**
 * The outcome of a refund or capture at the processor of its authorisation; undefined if the processor does not know the
 * message.
 */
export async function askFollowUp(
  { services }: LearningRun,
  { followUpsOf }: FollowUpKind,
  row: Row,
  authorisation: Row,
): Promise<FollowUpOutcome | undefined> {
  const processor = processorOfRow(services, authorisation);
  const inquire = processor && followUpsOf(processor).inquire;
  if (!inquire)
    return { result: 'unresolved', why: 'the processor answers no inquiries', next: 'operator' };
  const { processor_reference } = authorisation;
  const demand_id = row.id as string;
  const request = inquire.mapRequest({
    demand_id,
    attempt_id: authorisation.id as string,
    ...(processor_reference && { processor_reference }),
  });
  const about = { ...authorisation, ...scopeOf(row) };
  const answer = inquire.mapAnswer(await sendAboutAttempt(services, about, request), demand_id);
  if (answer.result === 'not_found') return undefined;
  if (answer.result === 'approved' || answer.result === 'declined') return answer;
  return { result: 'unresolved', why: `the inquiry returned ${answer.result}`, next: 'usual' };
}

async function adopt(
  { services, recordCapture, recordRefund }: LearningRun,
  kind: FollowUpKind,
  row: Row,
  result: FollowUpOutcome,
): Promise<void> {
  const [attempt] = await services.db.transaction(async (tx) => {
    const rows = await lockRows(tx, kind.table, [keyOf(row)]);
    const locked = rows.get(keyText(row));
    const isDue = locked?.status === 'pending';
    return isDue ? submitFollowUps(services, kind, tx, [locked], services.clock.now()) : [];
  });
  if (!attempt) return;
  const record = kind.operation === 'capture' ? recordCapture : recordRefund;
  await record({ key: keyOf(attempt), result });
}
