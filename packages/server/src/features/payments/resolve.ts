import { instantText, type Micros, microsOf, seconds } from '../../kernel/clock.ts';
import type { Processor } from '../../processors/processor.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import { claimDue } from '../../store/claim.ts';
import type { Row } from '../../store/row.ts';
import type { Services } from '../services.ts';
import type { Settler } from './settle.ts';
import type { AttemptResult } from './settlement.ts';

const RESOLVE_BATCH_MAX = 100;
/** Age from which each further inquiry about an attempt is logged as an error. */
const OPEN_MAX_SECONDS = 24 * 60 * 60;

/**
 * Finds out what became of attempts whose answer is missing: those whose lease ran out (their process
 * died), those that were lost, and those whose reversal is not known to have arrived. Returns whether there was anything to do.
 */
export async function resolveDue(services: Services, settle: Settler): Promise<boolean> {
  const now = services.clock.now();
  const attempts = await claimDue(services.db, {
    table: 'attempts',
    now: instantText(now),
    lease_until: instantText(now + services.config.attempt_lease_ms * 1000),
    limit: RESOLVE_BATCH_MAX,
  });
  await Promise.all(
    attempts.map((attempt) =>
      resolveOne(services, settle, attempt).catch((error: Error) => {
        const err = { message: error.message };
        services.logger.error({ attempt: attempt.id, err }, 'resolving failed');
      }),
    ),
  );
  for (const attempt of attempts) reportOld(services, attempt, now);
  return attempts.length > 0;
}

/**
 * Asks, and records once what was found: the lease of the claim is kept until then. A reversal is sent
 * only after it is recorded, so that no late approval can settle the payment beside it.
 */
async function resolveOne(services: Services, settle: Settler, attempt: Row): Promise<void> {
  const key = { merchant_id: attempt.merchant_id as string, id: attempt.id as string };
  const processor = services.processorOf(attempt.mode as 'live' | 'sandbox');
  if (!processor) {
    await settle({ key, result: { result: 'unresolved', why: 'there is no processor to ask' } });
    return;
  }
  if (attempt.status !== 'reversing') {
    const state = await settle({ key, result: await inquire(processor, key.id) });
    if (state !== 'reversing') return;
  }
  await settle({ key, result: await reverse(processor, key.id) });
}

async function inquire(processor: Processor, attempt_id: string): Promise<AttemptResult> {
  const answer = await sendPlain(processor.inquire.mapRequest({ attempt_id }));
  const found = processor.inquire.mapAnswer(answer);
  switch (found.result) {
    case 'approved':
    case 'declined':
      return found;
    case 'not_found':
      return { ...found, arrival_ms_max: processor.metadata.arrival_ms_max };
    default:
      return { result: 'unresolved', why: `the inquiry came to ${found.result}` };
  }
}

async function reverse(processor: Processor, attempt_id: string): Promise<AttemptResult> {
  const answer = await sendPlain(processor.reverse.mapRequest({ attempt_id }));
  const { result } = processor.reverse.mapAnswer(answer);
  if (result === 'reversed') return { result };
  return { result: 'unresolved', why: `the reversal came to ${result}` };
}

/** Inquiries go on for as long as nobody knows whether the card was charged; people are told when that is long. */
function reportOld({ logger }: Services, attempt: Row, now: Micros): void {
  const { id, status, unknown_since } = attempt;
  if (!unknown_since || now - microsOf(unknown_since) < seconds(OPEN_MAX_SECONDS)) return;
  logger.error({ attempt: id, status, unknown_since }, 'an attempt has been open for over a day');
}
