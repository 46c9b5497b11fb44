import type { FollowUpAnswer, FollowUpRequest } from '@florin/contract/protocol/network.ts';
import { networkTransactionIdOf } from './derive.ts';
import { isDeclinedCapture, isDeclinedRefund } from './faults.ts';
import { followUpResponseCodes } from './response-codes.ts';

/** State of an authorisation in the ledger; amounts in minor units. */
export interface AuthorisationState {
  readonly currency: string;
  /** Amount that can be captured; 0 without an open hold. */
  readonly held: number;
  readonly captured: number;
  /** Sum of the approved refunds. */
  readonly refunded: number;
}

export type FollowUpKind = 'capture' | 'refund';

/** Decides a follow-up that is new to the network. Deterministic. */
export function decideFollowUp(
  kind: FollowUpKind,
  { reference, amount, currency }: FollowUpRequest,
  state: AuthorisationState,
): FollowUpAnswer {
  const outcome = outcomeOf(kind, amount, currency, state);
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
  { held, captured, refunded, currency: own }: AuthorisationState,
): keyof typeof followUpResponseCodes {
  const [all, used] = kind === 'capture' ? [held, 0] : [captured, refunded];
  if (currency !== own || all === 0) return 'invalid_transaction';
  if (amount > all - used) return 'invalid_amount';
  return declines[kind](amount) ? 'do_not_honour' : 'approved';
}
