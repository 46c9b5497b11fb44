import type { FollowUpAnswer, FollowUpRequest } from '@florin/contract/protocol/network.ts';
import { networkTransactionIdOf } from './derive.ts';
import { isDeclinedCapture, isDeclinedRefund } from './faults.ts';
import { followUpResponseCodes } from './response-codes.ts';

/** What the books hold of an authorisation; amounts in minor units. */
export interface Standing {
  readonly currency: string;
  /** What can be captured: 0 where nothing is held, or not any more. */
  readonly held: number;
  /** 0 where nothing was captured, or not any more. */
  readonly captured: number;
  /** Sum of the refunds that were approved before. */
  readonly refunded: number;
}

export type FollowUpKind = 'capture' | 'refund';

/** What the network says to a follow-up that it sees for the first time. Nothing is random. */
export function decideFollowUp(
  kind: FollowUpKind,
  { reference, amount, currency }: FollowUpRequest,
  standing: Standing,
): FollowUpAnswer {
  const outcome = outcomeOf(kind, amount, currency, standing);
  const approved = outcome === 'approved';
  return {
    reference,
    result: approved ? 'approved' : 'declined',
    response_code: followUpResponseCodes[outcome],
    ...(approved && { network_transaction_id: networkTransactionIdOf(reference) }),
  };
}

const declines = { capture: isDeclinedCapture, refund: isDeclinedRefund } as const;

function outcomeOf(
  kind: FollowUpKind,
  amount: number,
  currency: string,
  { held, captured, refunded, currency: own }: Standing,
): keyof typeof followUpResponseCodes {
  const [all, used] = kind === 'capture' ? [held, 0] : [captured, refunded];
  if (currency !== own || all === 0) return 'invalid_transaction';
  if (amount > all - used) return 'invalid_amount';
  return declines[kind](amount) ? 'do_not_honour' : 'approved';
}
