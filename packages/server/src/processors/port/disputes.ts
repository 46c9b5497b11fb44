import type { DisputeReason } from '@florin/contract/protocol/network.ts';
import type { Money, NotSentResult, ProcessorOperation, UnknownResult } from './message.ts';

/** A processor's notification that a dispute was opened or decided. */
export interface DisputeNotification extends Money {
  /** Position in the processor's list of notifications. Each query continues after the last stored position. */
  readonly position: number;
  /** The processor's id of the dispute. */
  readonly reference: string;
  /** Authorisation attempt of the disputed payment. */
  readonly attempt_id: string;
  readonly reason: DisputeReason;
  readonly status: 'open' | 'won' | 'lost';
}

/** A dispute notification that cannot be parsed. */
export interface UnreadableNotification {
  readonly position: number;
  /** The processor's id of the dispute; derived from the position if unreadable. */
  readonly reference: string;
  readonly unreadable: true;
}

export interface DisputeResponse {
  readonly reference: string;
  /** The merchant's evidence; absent if it accepts the dispute. Empty if it sends files only. */
  readonly evidence?: string;
  /** Number of files of the evidence. The simulated network only counts them. */
  readonly files?: number;
}

export type NotificationsResult =
  | {
      readonly result: 'notifications';
      readonly notifications: readonly (DisputeNotification | UnreadableNotification)[];
    }
  | NotSentResult
  | UnknownResult;
export type ResponseResult = { readonly result: 'acknowledged' } | NotSentResult | UnknownResult;

/** Messages about disputes, all without a card. */
export interface Disputes {
  /** Lists notifications after a position, oldest first. The processor limits the number. */
  readonly list: ProcessorOperation<{ readonly after: number }, NotificationsResult>;
  /** Sends evidence or the acceptance of a dispute. Safe to repeat. */
  readonly respond: ProcessorOperation<DisputeResponse, ResponseResult>;
}
