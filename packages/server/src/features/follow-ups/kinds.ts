import type { FollowUpFailure } from '@florin/contract/decline-codes.ts';
import type { PaymentDemandState } from '@florin/contract/machines/payment-demand.ts';
import type { FollowUps, Processor } from '../../processors/port/processor.ts';

/** A kind of follow-up. All kinds are claimed, sent and recorded in the same way. */
export interface FollowUpKind {
  readonly operation: 'refund' | 'capture';
  readonly table: 'refund_demands' | 'capture_demands';
  /** Column of an attempt that references the follow-up. */
  readonly column: 'refund_demand_id' | 'capture_demand_id';
  /**
   * State of the payment in which the follow-up may be sent. Excludes disputed payments: their
   * amount is returned once, through the issuer.
   */
  readonly required_payment_state: PaymentDemandState;
  /** Failure reason if the processor permanently refuses the follow-up. */
  readonly declined_reason: FollowUpFailure;
  readonly followUpsOf: (processor: Processor) => FollowUps;
}

export const refunds: FollowUpKind = {
  operation: 'refund',
  table: 'refund_demands',
  column: 'refund_demand_id',
  required_payment_state: 'succeeded',
  declined_reason: 'refund_declined',
  followUpsOf: ({ refund }) => refund,
};

export const captures: FollowUpKind = {
  operation: 'capture',
  table: 'capture_demands',
  column: 'capture_demand_id',
  required_payment_state: 'processing',
  declined_reason: 'capture_declined',
  followUpsOf: ({ capture }) => capture,
};
