import type { SettlementEntry } from '@florin/contract/ledger.ts';
import type { Money, NotSent, Unknown } from './message.ts';

/** A part of the file of a day. */
export interface SettlementInput {
  /** In UTC: `2026-01-31`. */
  readonly day: string;
  /** From 1 on. */
  readonly part: number;
}

/** What the processor has collected, or given back to a payer. */
export interface SettledLine extends Money {
  /** From 1 on, over all parts of the file. */
  readonly line: number;
  readonly entry: SettlementEntry;
  /** The attempt of a payment that was captured at once, our id of a capture or refund, or the processor's name of a dispute. */
  readonly reference: string;
  /** The attempt whose authorisation it is of. */
  readonly attempt_id: string;
}

/** Names a part among those of all days. */
export const partName = ({ day, part }: SettlementInput): string => `${day}/${part}`;

export interface SettlementPart {
  readonly result: 'part';
  readonly lines: readonly SettledLine[];
  readonly is_last: boolean;
  /** How many lines all parts have, and in decimal digits the sum of their amounts, whatever their currencies. */
  readonly trailer: { readonly count: number; readonly sum: string };
}

/** `not_ready`: the day is not over at the processor, or its file is not made yet. */
export type SettlementResult =
  | SettlementPart
  | { readonly result: 'not_ready' }
  | NotSent
  | Unknown;
