import type { Processor, RefundResult } from '../../processors/processor.ts';
import { sendPlain } from '../../processors/send-plain.ts';
import type { Row } from '../../store/row.ts';

/**
 * Sends the message of a refund's attempt, which needs no card. It goes by the id of the refund, so that
 * money is given back once, whichever attempt carries it and however often.
 */
export async function sendRefund(processor: Processor, attempt: Row): Promise<RefundResult> {
  const request = processor.refund.mapRequest({
    refund_id: attempt.refund_demand_id as string,
    attempt_id: attempt.authorisation_id as string,
    amount: Number(attempt.amount_cents),
    currency: attempt.amount_currency as string,
  });
  return processor.refund.mapAnswer(await sendPlain(request));
}
