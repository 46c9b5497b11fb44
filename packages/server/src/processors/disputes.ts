import type { DisputeReason } from '@florin/contract/protocol/network.ts';
import type { Money, NotSent, Operation, Unknown } from './message.ts';

/** What a processor tells of a dispute: that it was opened, or what came of it. */
export interface DisputeNews extends Money {
  /** Where it stands among all news; they are asked for by the last one that is known. */
  readonly position: number;
  /** The processor's name of the dispute. */
  readonly reference: string;
  /** The authorisation whose payment is disputed. */
  readonly attempt_id: string;
  readonly reason: DisputeReason;
  readonly status: 'open' | 'won' | 'lost';
}

/** News of a dispute in a form that cannot be read. */
export interface UnreadableNews {
  readonly position: number;
  /** The processor's name of the dispute; one made of the position where that cannot be read either. */
  readonly reference: string;
  readonly unreadable: true;
}

export interface DisputeResponse {
  readonly reference: string;
  /** What the merchant has to say; absent where it accepts. */
  readonly evidence?: string;
}

export type NewsResult =
  | { readonly result: 'news'; readonly news: readonly (DisputeNews | UnreadableNews)[] }
  | NotSent
  | Unknown;
export type ResponseResult = { readonly result: 'acknowledged' } | NotSent | Unknown;

/** How a processor is asked about disputes, and answered. Needs no card. */
export interface Disputes {
  /** What is new after a position, oldest first; as much as the processor gives at once. */
  readonly list: Operation<{ readonly after: number }, NewsResult>;
  /** Evidence, or acceptance. Safe to repeat. */
  readonly respond: Operation<DisputeResponse, ResponseResult>;
}
