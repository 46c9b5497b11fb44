import type { InquireRefundResult, Processor } from '../../processors/processor.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import type { Row } from '../../store/row.ts';
import type { Resolver } from '../attempts/resolve.ts';
import type { Services } from '../services.ts';
import { sendRefund } from './send.ts';
import type { RefundSettler } from './settle.ts';
import type { RefundOutcome } from './settlement.ts';

/** Finds out what became of refunds. */
export const createRefundResolver =
  (services: Services, settle: RefundSettler): Resolver =>
  async (attempt) => {
    const key = { merchant_id: attempt.merchant_id as string, id: attempt.id as string };
    await settle({ key, result: await findOut(services, attempt) });
  };

/**
 * A refund that the processor does not know is sent again: it is the same one, also should the first still arrive.
 * Where the processor cannot take it, it took none of the earlier ones either.
 */
async function findOut(services: Services, attempt: Row): Promise<RefundOutcome> {
  const processor = services.processorOf(attempt.mode as 'live' | 'sandbox');
  if (!processor) return { result: 'unresolved', why: 'there is no processor to ask' };
  const found = await inquire(processor, attempt);
  const answer = found.result === 'not_found' ? await sendRefund(processor, attempt) : found;
  if (answer.result === 'approved' || answer.result === 'declined') return answer;
  if (found.result === 'not_found' && answer.result === 'refused') {
    return { result: 'declined', code: 'refund_declined' };
  }
  return { result: 'unresolved', why: `asking came to ${answer.result}` };
}

async function inquire(processor: Processor, attempt: Row): Promise<InquireRefundResult> {
  const refund_id = attempt.refund_demand_id as string;
  const answer = await sendPlain(processor.inquireRefund.mapRequest({ refund_id }));
  return processor.inquireRefund.mapAnswer(answer);
}
