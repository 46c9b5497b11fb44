import type { Money, NotSentResult, UnknownResult } from './message.ts';

/** Selects a page of a processor's changes of money. */
export interface HistoryInput {
  /** ISO 8601. */
  readonly since: string;
  /** Position of the last entry of the page before; 0 at first. */
  readonly after: number;
}

/** An approved change of money at a processor. */
export interface PastChange extends Money {
  readonly position: number;
  readonly kind: 'authorisation' | 'capture' | 'refund' | 'reversal';
  /** Our id: of the attempt, or of the capture or refund. */
  readonly reference: string;
  readonly attempt_id: string;
  /** Whether an authorisation was captured with its approval, or a capture ended its hold. */
  readonly final: boolean;
  /** Our ids of an authorisation's merchant and payment. */
  readonly order?: { readonly merchant_id: string; readonly payment_id: string };
}

/** An empty page is the end. */
export type HistoryResult =
  | { readonly result: 'page'; readonly changes: readonly PastChange[] }
  | NotSentResult
  | UnknownResult;
