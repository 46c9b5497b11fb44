import type { FollowUpAnswer, FollowUpRequest } from '@florin/contract/protocol/network.ts';
import { networkTransactionIdOf } from './derive.ts';
import { isDeclinedCapture, isDeclinedRefund } from './faults.ts';
import { followUpResponseCodes } from './response-codes.ts';

/** State of an authorisation in the ledger; amounts in minor units. */
export interface AuthorisationState {
  readonly currency: string;
  /** Amount that can be captured; 0 without an open hold. */
  readonly heldAmount: number;
  readonly capturedAmount: number;
  /** Sum of the approved refunds. */
  readonly refundedAmount: number;
}

export type FollowUpKind = 'capture' | 'refund';

/** Decides a follow-up that is new to the network. Deterministic. */
export function decideFollowUp(
  kind: FollowUpKind,
  { reference, amount, currency }: FollowUpRequest,
  state: AuthorisationState,
): FollowUpAnswer {
  const outcome = outcomeOf(kind, amount, currency, state);
  const isApproved = outcome === 'approved';
  return {
    reference,
    result: isApproved ? 'approved' : 'declined',
    response_code: followUpResponseCodes[outcome],
    ...(isApproved && { network_transaction_id: networkTransactionIdOf(reference) }),
  };
}

const isDeclinedByKind = { capture: isDeclinedCapture, refund: isDeclinedRefund } as const;

function outcomeOf(
  kind: FollowUpKind,
  amount: number,
  currency: string,
  { heldAmount, capturedAmount, refundedAmount, currency: heldCurrency }: AuthorisationState,
): keyof typeof followUpResponseCodes {
  const [amountLimit, usedAmount] =
    kind === 'capture' ? [heldAmount, 0] : [capturedAmount, refundedAmount];
  if (currency !== heldCurrency || amountLimit === 0) return 'invalid_transaction';
  if (amount > amountLimit - usedAmount) return 'invalid_amount';
  return isDeclinedByKind[kind](amount) ? 'do_not_honour' : 'approved';
}
