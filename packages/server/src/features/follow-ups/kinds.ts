import type { FollowUpFailure } from '@florin/contract/decline-codes.ts';
import type { PaymentDemandState } from '@florin/contract/machines/payment-demand.ts';
import type { FollowUps, Processor } from '../../processors/processor.ts';

/** A kind of follow-up: records that are claimed, sent and recorded in the same way. */
export interface FollowUpKind {
  readonly operation: 'refund' | 'capture';
  readonly table: 'refund_demands' | 'capture_demands';
  /** Column of an attempt with the record's id. */
  readonly column: 'refund_demand_id' | 'capture_demand_id';
  /**
   * Required state of the payment when the follow-up is sent: a disputed amount goes back through
   * the issuer, once.
   */
  readonly sentWhile: PaymentDemandState;
  /** Failure reason if the processor can never accept one. */
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
