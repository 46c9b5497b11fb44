import type { SettlementEntry } from '@florin/contract/ledger.ts';
import type { Money, NotSentResult, UnknownResult } from './message.ts';

/** Selects a part of a day's settlement file. */
export interface SettlementInput {
  /** Day in UTC: `2026-01-31`. */
  readonly day: string;
  /** Number of the part, from 1. */
  readonly part: number;
}

/** An amount that the processor collected from, or returned to, a payer. */
export interface SettledLine extends Money {
  /** Number of the line, from 1, across all parts of the file. */
  readonly line: number;
  readonly entry: SettlementEntry;
  /**
   * Attempt of an immediately captured payment, our id of a capture or refund, or the processor's id of a
   * dispute.
   */
  readonly reference: string;
  /** Attempt of the original authorisation. */
  readonly attempt_id: string;
}

/** Unique name of a part across days. */
export const partName = ({ day, part }: SettlementInput): string => `${day}/${part}`;

export interface SettlementPart {
  readonly result: 'part';
  readonly lines: readonly SettledLine[];
  readonly is_last: boolean;
  /** Totals of all parts: number of lines, and the sum of amounts across currencies in decimal digits. */
  readonly trailer: { readonly count: number; readonly sum: string };
}

/** `not_ready`: the processor's day has not ended, or its file does not exist yet. */
export type SettlementResult =
  | SettlementPart
  | { readonly result: 'not_ready' }
  | NotSentResult
  | UnknownResult;
