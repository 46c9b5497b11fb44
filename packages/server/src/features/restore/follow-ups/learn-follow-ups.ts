import type { Row } from '../../../platform/database/row.ts';
import { keyOf, keyText } from '../../../platform/database/row-key.ts';
import { scopeOf } from '../../../platform/database/scope.ts';
import { lockRows } from '../../../platform/database/transition.ts';
import { microsOf, seconds } from '../../../platform/time/clock.ts';
import { processorOfRow } from '../../attempts/own-processor.ts';
import { countStates } from '../../attempts/record-outcome.ts';
import { sendAboutAttempt } from '../../attempts/send-message.ts';
import type { FollowUpOutcome } from '../../follow-ups/decide-outcome.ts';
import { captures, type FollowUpKind, refunds } from '../../follow-ups/kinds.ts';
import { paymentOf } from '../../ledger/payment-of.ts';
import { authorisationsOf } from '../../payments/sql/authorisations.ts';
import { forEachAtOnce, type LearningRun, labelOf, leaveToPerson } from '../run.ts';
import { dueFollowUps } from '../sql/due-follow-ups.ts';
import { Refused, storeSent } from './store-sent.ts';

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
  const doubt = await resolveFollowUpNow(run, kind, row, authorisation);
  if (doubt !== undefined) await leaveToPerson(run, authorisation, doubt);
}

/**
 * Asks about a due refund or capture, records the answer, and counts it. If the processor does not know the message,
 * records `unknown`; without one, the follow-up stays due. Returns why a person must record what the payment cannot take.
 */
export async function resolveFollowUpNow(
  run: LearningRun,
  kind: FollowUpKind,
  row: Row,
  authorisation: Row,
  unknown?: FollowUpOutcome,
): Promise<string | undefined> {
  const { counts, notes, found, is_dry } = run;
  counts.asked += 1;
  const outcome = (await askFollowUp(run, kind, row, authorisation)) ?? unknown;
  if (!outcome) return undefined;
  const refusal = is_dry ? undefined : await adopt(run, kind, row, outcome);
  if (refusal !== undefined) return `its ${kind.operation} ${row.id} is not recorded: ${refusal}`;
  found.add(row.id as string);
  counts[outcome.result === 'unresolved' ? 'held' : 'follow_ups'] += 1;
  if (outcome.result === 'unresolved')
    notes.push(`${kind.operation} ${labelOf(row)}: ${outcome.why}`);
  return undefined;
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

/**
 * Stores what happened to a follow-up that is still due, in one transaction. Returns why the payment cannot take it. Such a
 * follow-up stays due, and a person records it.
 */
async function adopt(
  { services }: LearningRun,
  kind: FollowUpKind,
  row: Row,
  result: FollowUpOutcome,
): Promise<string | undefined> {
  try {
    const stored = await services.db.transaction(async (tx) => {
      const rows = await lockRows(tx, kind.table, [keyOf(row)]);
      const locked = rows.get(keyText(row));
      return locked?.status === 'pending'
        ? storeSent(services, tx, { kind, row: locked }, result)
        : undefined;
    });
    if (!stored) return undefined;
    countStates(services, stored);
    services.wake.deliver.raise();
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}
