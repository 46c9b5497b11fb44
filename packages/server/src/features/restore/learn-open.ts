import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import type { InquireResult, Processor } from '../../processors/port/processor.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { captures, refunds } from '../follow-ups/kinds.ts';
import type { AttemptResult } from '../payments/decide-outcome.ts';
import { inquireThoroughly } from '../payments/resolve.ts';
import { arrivesInMs } from './ask.ts';
import { askFollowUp } from './follow-ups/learn-follow-ups.ts';
import { prove } from './prove.ts';
import { countedAs, forEachAtOnce, type LearningRun, labelOf } from './run.ts';
import { markRecovered } from './sql/known-records.ts';
import { openAttempts } from './sql/open-attempts.ts';

/**
 * Asks about the messages that were in flight at the restored time, since later changes belong to them. Florin asks again
 * after the opening where an answer is missing.
 */
export async function learnOpen(run: LearningRun): Promise<void> {
  const { db, clock } = run.services;
  for await (const attempts of openAttempts(db)) {
    const { authorise = [], ...others } = Object.groupBy(
      attempts,
      ({ operation }) => operation as 'authorise' | 'capture' | 'refund',
    );
    // The lost time may have ended these attempts, and sent their payments under later numbers.
    if (!run.is_dry) await markRecovered(db, authorise.map(keyOf), clock.now());
    await forEachAtOnce(authorise, (attempt) => learnAuthorisation(run, attempt));
    const followUps = [...(others.capture ?? []), ...(others.refund ?? [])];
    await forEachAtOnce(followUps, (attempt) => learnFollowUpAttempt(run, attempt));
    await run.progress();
  }
}

async function learnAuthorisation(run: LearningRun, attempt: Row): Promise<void> {
  const { services, counts, is_dry, notes, recordPayment } = run;
  const processor = processorOfRow(services, attempt);
  if (!processor?.inquire) return;
  counts.asked += 1;
  const found = await findResult(run, processor, attempt);
  const result =
    is_dry || !found ? found : await prove(services, recordPayment, { attempt, result: found });
  if (found && !result) counts.recovered += 1;
  // An open message that no account knows is reversed after the opening, so that it cannot arrive.
  if (!result || result.result === 'not_found' || result.result === 'reversed') return;
  if (result.result === 'unresolved') notes.push(`${labelOf(attempt)}: ${result.why}`);
  counts[countedAs(result)] += 1;
  if (!is_dry) await recordPayment({ key: keyOf(attempt), result });
}

/** The result of an attempt's own message; undefined while it is open. */
async function findResult(
  { services, since }: LearningRun,
  processor: Processor,
  attempt: Row,
): Promise<AttemptResult | undefined> {
  if (attempt.status === 'reversing') return { result: 'reversed' };
  const result: InquireResult = await inquireThoroughly(services, processor, attempt);
  switch (result.result) {
    case 'approved':
    case 'partly_approved':
    case 'declined':
      return result;
    case 'not_found': {
      const arrives_in_ms = arrivesInMs(services, processor, since);
      return arrives_in_ms > 0 ? undefined : { result: 'not_found', arrives_in_ms };
    }
    default:
      return undefined;
  }
}

async function learnFollowUpAttempt(run: LearningRun, attempt: Row): Promise<void> {
  const { counts, is_dry, recordCapture, recordRefund } = run;
  const kind = attempt.operation === 'capture' ? captures : refunds;
  const authorisation: Row = {
    ...attempt,
    id: attempt.authorisation_id ?? null,
    processor_reference: attempt.authorisation_reference ?? null,
  };
  counts.asked += 1;
  const followUp: Row = { ...attempt, id: attempt[kind.column] ?? null };
  const result = await askFollowUp(run, kind, followUp, authorisation);
  if (!result || result.result === 'unresolved') return;
  counts.follow_ups += 1;
  const record = attempt.operation === 'capture' ? recordCapture : recordRefund;
  if (!is_dry) await record({ key: keyOf(attempt), result });
}
