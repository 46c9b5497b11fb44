import type { DisputeReason } from '@florin/contract/protocol/network.ts';
import type { Money, NotSent, ProcessorOperation, Unknown } from './message.ts';

/** A processor's dispute notification: opened, or decided. */
export interface DisputeNotification extends Money {
  /** Position among all notifications; each query continues after the last known one. */
  readonly position: number;
  /** The processor's id of the dispute. */
  readonly reference: string;
  /** The authorisation whose payment is disputed. */
  readonly attempt_id: string;
  readonly reason: DisputeReason;
  readonly status: 'open' | 'won' | 'lost';
}

/** A dispute notification that cannot be parsed. */
export interface UnreadableNotification {
  readonly position: number;
  /** The processor's id of the dispute; made from the position if unreadable. */
  readonly reference: string;
  readonly unreadable: true;
}

export interface DisputeResponse {
  readonly reference: string;
  /** The merchant's text; absent if it accepts the dispute. */
  readonly evidence?: string;
}

export type NotificationsResult =
  | {
      readonly result: 'news';
      readonly news: readonly (DisputeNotification | UnreadableNotification)[];
    }
  | NotSent
  | Unknown;
export type ResponseResult = { readonly result: 'acknowledged' } | NotSent | Unknown;

/** Messages about disputes. None needs the card. */
export interface Disputes {
  /** Lists notifications after a position, oldest first; the processor limits the number. */
  readonly list: ProcessorOperation<{ readonly after: number }, NotificationsResult>;
  /** Sends evidence, or acceptance. Safe to repeat. */
  readonly respond: ProcessorOperation<DisputeResponse, ResponseResult>;
}
