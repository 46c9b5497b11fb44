import type { Row } from '../../platform/database/row.ts';
import { keyOf } from '../../platform/database/row-key.ts';
import { processorOfRow } from '../attempts/own-processor.ts';
import { captures, refunds } from '../follow-ups/kinds.ts';
import { inquireThoroughly } from '../payments/resolve.ts';
import { askFollowUp } from './learn-follow-ups.ts';
import { countedAs, forEachAtOnce, type LearningRun } from './run.ts';
import { markRecovered } from './sql/known-records.ts';
import { openAttempts } from './sql/open-attempts.ts';

/**
 * Asks about the messages that were in flight at the restored time, since later changes belong to them. Florin asks again
 * after the opening where an answer is missing.
 */
export async function learnOpen(run: LearningRun): Promise<void> {
  const attempts = await openAttempts(run.services.db);
  const { authorise = [], ...others } = Object.groupBy(
    attempts,
    ({ operation }) => operation as 'authorise' | 'capture' | 'refund',
  );
  await forEachAtOnce(authorise, (attempt) => learnAuthorisation(run, attempt));
  const followUps = [...(others.capture ?? []), ...(others.refund ?? [])];
  await forEachAtOnce(followUps, (attempt) => learnFollowUpAttempt(run, attempt));
  await run.progress();
}

async function learnAuthorisation(run: LearningRun, attempt: Row): Promise<void> {
  const { services, counts, is_dry, recordPayment } = run;
  const processor = processorOfRow(services, attempt);
  if (!processor?.inquire) return;
  counts.asked += 1;
  const result = await inquireThoroughly(services, processor, attempt);
  const isCharge = result.result === 'approved' || result.result === 'partly_approved';
  if (!isCharge && result.result !== 'declined') return;
  const counted = countedAs(result);
  counts[counted] += 1;
  if (is_dry) return;
  if (counted === 'held') await markRecovered(services.db, keyOf(attempt), services.clock.now());
  await recordPayment({ key: keyOf(attempt), result });
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
