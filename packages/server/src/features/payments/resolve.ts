import { CLOCK_SKEW_MS_MAX } from '@florin/contract/protocol/vault.ts';
import { microsOf } from '../../kernel/clock.ts';
import type { InquireResult, Processor } from '../../processors/processor.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import { lateApprovalsOf } from '../../store/late-approvals.ts';
import type { Row } from '../../store/row.ts';
import { keyOf } from '../../store/transition.ts';
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
  const key = keyOf(attempt);
  const processor = ownProcessor(services, attempt);
  if (!processor) {
    await settle({ key, result: { result: 'unresolved', why: 'there is no processor to ask' } });
    return;
  }
  if (attempt.status !== 'reversing') {
    const result = await inquire(services, processor, attempt);
    const state = await settle({ key, result });
    if (state !== 'reversing') return;
  }
  await settle({ key, result: await reverse(processor, key.id) });
}

async function inquire(
  { db, machine }: Services,
  processor: Processor,
  attempt: Row,
): Promise<AttemptResult> {
  const { merchant_id, id } = keyOf(attempt);
  const arrives_in_ms = latestArrivalMs(attempt, processor) - machine.now() / 1000;
  const found = await ask(processor, id);
  switch (found.result) {
    case 'approved':
      return { ...found, late_approvals: await lateApprovalsOf(db, merchant_id) };
    case 'partly_approved':
    case 'declined':
      return found;
    case 'not_found':
      return { ...found, arrives_in_ms };
    default:
      return { result: 'unresolved', why: `the inquiry came to ${found.result}` };
  }
}

async function ask({ inquire: asking }: Processor, attempt_id: string): Promise<InquireResult> {
  const answer = await sendPlain(asking.mapRequest({ attempt_id }));
  return asking.mapAnswer(answer, attempt_id);
}

/** When the message of an attempt has arrived, if it ever left: milliseconds since 1970. */
const latestArrivalMs = ({ not_after, created_at }: Row, { metadata }: Processor): number =>
  microsOf((not_after ?? created_at) as string) / 1000 +
  CLOCK_SKEW_MS_MAX +
  metadata.arrival_ms_max;

/**
 * A processor may refuse to reverse what it has declined, which nothing can be charged by. Any other authorisation that
 * it refuses to reverse may stand: its attempt stays open.
 */
async function reverse(processor: Processor, attempt_id: string): Promise<AttemptResult> {
  const answer = await sendPlain(processor.reverse.mapRequest({ attempt_id }));
  const { result } = processor.reverse.mapAnswer(answer, attempt_id);
  if (result === 'reversed') return { result };
  const found = result === 'refused' ? await ask(processor, attempt_id) : undefined;
  if (found?.result === 'declined') return { result: 'reversed', declined: found.code };
  return { result: 'unresolved', why: `the reversal came to ${result}` };
}
