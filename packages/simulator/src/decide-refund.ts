import type { RefundAnswer, RefundRequest } from '@florin/contract/protocol/network.ts';
import { networkTransactionIdOf } from './derive.ts';
import { isDeclinedRefund } from './faults.ts';
import { refundResponseCodes } from './response-codes.ts';

/** What the books hold of the authorisation that a refund is for; amounts in minor units. */
export interface Captured {
  /** 0 where nothing was captured, or not any more. */
  readonly amount: number;
  readonly currency: string;
  /** Sum of the refunds that were approved before. */
  readonly refunded: number;
}

/** What the network says to a refund that it sees for the first time. Nothing is random. */
export function decideRefund(
  { reference, amount, currency }: RefundRequest,
  captured: Captured,
): RefundAnswer {
  const outcome = outcomeOf(amount, currency, captured);
  const approved = outcome === 'approved';
  return {
    reference,
    result: approved ? 'approved' : 'declined',
    response_code: refundResponseCodes[outcome],
    ...(approved && { network_transaction_id: networkTransactionIdOf(reference) }),
  };
}

function outcomeOf(
  amount: number,
  currency: string,
  captured: Captured,
): keyof typeof refundResponseCodes {
  if (captured.amount === 0 || currency !== captured.currency) return 'invalid_transaction';
  if (amount > captured.amount - captured.refunded) return 'invalid_amount';
  return isDeclinedRefund(amount) ? 'do_not_honour' : 'approved';
}
