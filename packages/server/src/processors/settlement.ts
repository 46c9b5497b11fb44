import type { SettlementEntry } from '@florin/contract/ledger.ts';
import type { Money, NotSent, Unknown } from './message.ts';

/** A part of a day's settlement file. */
export interface SettlementInput {
  /** In UTC: `2026-01-31`. */
  readonly day: string;
  /** From 1 on. */
  readonly part: number;
}

/** An amount that the processor has collected, or returned to a payer. */
export interface SettledLine extends Money {
  /** From 1 on, across all parts of the file. */
  readonly line: number;
  readonly entry: SettlementEntry;
  /**
   * The attempt of an immediately captured payment, our id of a capture or refund, or the
   * processor's id of a dispute.
   */
  readonly reference: string;
  /** The attempt of the authorisation. */
  readonly attempt_id: string;
}

/** Name of a part, unique across days. */
export const partName = ({ day, part }: SettlementInput): string => `${day}/${part}`;

export interface SettlementPart {
  readonly result: 'part';
  readonly lines: readonly SettledLine[];
  readonly is_last: boolean;
  /**
   * Number of lines in all parts, and the sum of their amounts in decimal digits, across
   * currencies.
   */
  readonly trailer: { readonly count: number; readonly sum: string };
}

/** `not_ready`: the processor's day has not ended, or its file does not exist yet. */
export type SettlementResult =
  | SettlementPart
  | { readonly result: 'not_ready' }
  | NotSent
  | Unknown;
