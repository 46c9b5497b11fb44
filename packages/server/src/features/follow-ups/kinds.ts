import type { FollowUpFailure } from '@florin/contract/decline-codes.ts';
import type { PaymentDemandState } from '@florin/contract/machines/payment-demand.ts';
import type { FollowUps, Processor } from '../../processors/processor.ts';

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
  readonly sentWhile: PaymentDemandState;
  /** Failure reason if the processor permanently refuses the follow-up. */
  readonly declined: FollowUpFailure;
  readonly of: (processor: Processor) => FollowUps;
}

export const refunds: FollowUpKind = {
  operation: 'refund',
  table: 'refund_demands',
  column: 'refund_demand_id',
  sentWhile: 'succeeded',
  declined: 'refund_declined',
  of: ({ refund }) => refund,
};

export const captures: FollowUpKind = {
  operation: 'capture',
  table: 'capture_demands',
  column: 'capture_demand_id',
  sentWhile: 'processing',
  declined: 'capture_declined',
  of: ({ capture }) => capture,
};
