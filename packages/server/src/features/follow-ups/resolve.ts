import type { InquireFollowUpResult, Processor } from '../../processors/processor.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import type { Row } from '../../store/row.ts';
import { ownProcessor } from '../attempts/own-processor.ts';
import type { Resolver } from '../attempts/resolve.ts';
import type { Services } from '../services.ts';
import type { FollowUpKind } from './kinds.ts';
import { sendFollowUp } from './send.ts';
import type { FollowUpSettler } from './settle.ts';
import type { FollowUpOutcome } from './settlement.ts';

/** Finds out what became of follow-ups of one kind. */
export const createFollowUpResolver =
  (services: Services, kind: FollowUpKind, settle: FollowUpSettler): Resolver =>
  async (attempt) => {
    const key = { merchant_id: attempt.merchant_id as string, id: attempt.id as string };
    await settle({ key, result: await findOut(services, kind, attempt) });
  };

/**
 * One that the processor does not know is sent again: it is the same one, also should the first still arrive.
 * Where the processor cannot take it, it took none of the earlier ones either.
 */
async function findOut(
  services: Services,
  kind: FollowUpKind,
  attempt: Row,
): Promise<FollowUpOutcome> {
  const processor = ownProcessor(services, attempt);
  if (!processor) return { result: 'unresolved', why: 'there is no processor to ask' };
  const found = await inquire(kind, processor, attempt);
  const answer =
    found.result === 'not_found' ? await sendFollowUp(kind, processor, attempt) : found;
  if (answer.result === 'approved' || answer.result === 'declined') return answer;
  if (found.result === 'not_found' && answer.result === 'refused') {
    return { result: 'declined', code: kind.declined };
  }
  return { result: 'unresolved', why: `asking came to ${answer.result}` };
}

async function inquire(
  { of, column }: FollowUpKind,
  processor: Processor,
  attempt: Row,
): Promise<InquireFollowUpResult> {
  const { inquire: asking } = of(processor);
  const request = asking.mapRequest({ demand_id: attempt[column] as string });
  return asking.mapAnswer(await sendPlain(request), attempt[column] as string);
}
