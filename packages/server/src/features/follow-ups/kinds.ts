import type { FollowUpFailure } from '@florin/contract/decline-codes.ts';
import type { PaymentDemandState } from '@florin/contract/machines/payment-demand.ts';
import type { FollowUps, Processor } from '../../processors/processor.ts';

/** What is asked of a payment once it is authorised: records that are taken up, sent and settled in the same way. */
export interface FollowUpKind {
  readonly operation: 'refund' | 'capture';
  readonly table: 'refund_demands' | 'capture_demands';
  /** The column of an attempt that names the record. */
  readonly column: 'refund_demand_id' | 'capture_demand_id';
  /** The state in which its payment must be when it is sent: what is disputed goes back through the bank, and once. */
  readonly sentWhile: PaymentDemandState;
  /** Why one has failed that the processor can never take. */
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
