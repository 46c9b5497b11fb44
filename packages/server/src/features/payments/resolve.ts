import type { Processor } from '../../processors/processor.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import { lateApprovalsOf } from '../../store/late-approvals.ts';
import type { Row } from '../../store/row.ts';
import type { RowKey } from '../../store/transition.ts';
import { ownProcessor } from '../attempts/own-processor.ts';
import type { Resolver } from '../attempts/resolve.ts';
import type { Services } from '../services.ts';
import type { Settler } from './settle.ts';
import type { AttemptResult } from './settlement.ts';

/** Finds out what became of authorisations. */
export const createAuthorisationResolver =
  (services: Services, settle: Settler): Resolver =>
  (attempt) =>
    resolveOne(services, settle, attempt);

/**
 * Asks, and records once what was found: the lease of the claim is kept until then. A reversal is sent
 * only after it is recorded, so that no late approval can settle the payment beside it.
 */
async function resolveOne(services: Services, settle: Settler, attempt: Row): Promise<void> {
  const key = { merchant_id: attempt.merchant_id as string, id: attempt.id as string };
  const processor = ownProcessor(services, attempt);
  if (!processor) {
    await settle({ key, result: { result: 'unresolved', why: 'there is no processor to ask' } });
    return;
  }
  if (attempt.status !== 'reversing') {
    const result = await inquire(services, processor, key);
    const state = await settle({ key, result });
    if (state !== 'reversing') return;
  }
  await settle({ key, result: await reverse(processor, key.id) });
}

async function inquire(
  { db }: Services,
  processor: Processor,
  { merchant_id, id: attempt_id }: RowKey,
): Promise<AttemptResult> {
  const answer = await sendPlain(processor.inquire.mapRequest({ attempt_id }));
  const found = processor.inquire.mapAnswer(answer, attempt_id);
  switch (found.result) {
    case 'approved':
      return { ...found, late_approvals: await lateApprovalsOf(db, merchant_id) };
    case 'partly_approved':
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
  const { result } = processor.reverse.mapAnswer(answer, attempt_id);
  if (result === 'reversed') return { result };
  return { result: 'unresolved', why: `the reversal came to ${result}` };
}
