import { instantText, type Micros, microsOf } from '../../kernel/clock.ts';
import type { InquireResult, Processor } from '../../processors/processor.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import { claimDue } from '../../store/claim.ts';
import type { Row } from '../../store/row.ts';
import type { Services } from '../services.ts';
import type { Settler } from './settle.ts';
import type { AttemptResult } from './settlement.ts';

const RESOLVE_BATCH_MAX = 100;

/**
 * Finds out what became of attempts whose answer is missing: those whose lease ran out (their process
 * died) and those that were lost. Returns whether there was anything to do.
 */
export async function resolveDue(services: Services, settle: Settler): Promise<boolean> {
  const now = services.clock.now();
  const attempts = await claimDue(services.db, {
    table: 'attempts',
    now: instantText(now),
    lease_until: instantText(now + services.config.attempt_lease_ms * 1000),
    limit: RESOLVE_BATCH_MAX,
  });
  await Promise.all(attempts.map((attempt) => resolveOne(services, settle, attempt, now)));
  return attempts.length > 0;
}

async function resolveOne(
  services: Services,
  settle: Settler,
  attempt: Row,
  now: Micros,
): Promise<void> {
  const key = { merchant_id: attempt.merchant_id as string, id: attempt.id as string };
  if (attempt.status === 'sending') {
    await settle({ key, result: { result: 'unknown', why: 'the process that sent it died' } });
  }
  const processor = services.processorOf(attempt.mode as 'live' | 'sandbox');
  if (!processor) return;
  const found = await inquire(processor, attempt);
  const result = await resultOf(processor, attempt, found, now);
  if (result) await settle({ key, result });
}

async function inquire(processor: Processor, attempt: Row): Promise<InquireResult> {
  const request = processor.inquire.mapRequest({ attempt_id: attempt.id as string });
  return processor.inquire.mapAnswer(await sendPlain(request));
}

/**
 * An attempt that the processor does not know may still be on its way. Once its longest delay has
 * passed it is reversed, so that it is refused should it arrive after all, and only then given up.
 */
async function resultOf(
  processor: Processor,
  attempt: Row,
  found: InquireResult,
  now: Micros,
): Promise<AttemptResult | undefined> {
  if (found.result !== 'not_found') return found;
  const age_ms = (now - microsOf(attempt.created_at as string)) / 1000;
  if (age_ms < processor.metadata.arrival_ms_max)
    return { result: 'unknown', why: 'not known there yet' };
  const request = processor.reverse.mapRequest({ attempt_id: attempt.id as string });
  return processor.reverse.mapAnswer(await sendPlain(request));
}
