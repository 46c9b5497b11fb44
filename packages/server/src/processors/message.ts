import type { CardFields, RelayAnswer } from '@florin/contract/protocol/vault.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly timeout_ms: number;
}

/** A message that the vault fills in and sends. */
export interface CardRequest extends WireRequest {
  readonly method: 'POST';
  readonly body: unknown;
  readonly card_fields: CardFields;
}

type WithoutId<Answer> = Answer extends unknown ? Omit<Answer, 'id'> : never;
/** What became of a message, whoever sent it. */
export type WireAnswer = WithoutId<RelayAnswer>;

export interface Operation<Input, Result, Request extends WireRequest = WireRequest> {
  mapRequest(input: Input): Request;
  /**
   * Never throws: what it cannot read is `unknown`, and never a decline. So is what is about another message than the one
   * that went by the id `asked`: connections carry many messages, and a network may answer one of them twice.
   */
  mapAnswer(answer: WireAnswer, asked?: string): Result;
}

/** Amounts are minor units of `currency` (ISO 4217). */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** Nothing left this machine, so nothing can have been charged; the only result after which one may send again. */
export interface NotSent {
  readonly result: 'not_sent';
  readonly why: string;
}

/** It may or may not have been charged; only an inquiry or a reversal settles it. */
export interface Unknown {
  readonly result: 'unknown';
  readonly why: string;
}

/** The result of a message that got no answer. */
export const unanswered = (
  answer: Exclude<WireAnswer, { outcome: 'answered' }>,
): NotSent | Unknown => ({
  result: answer.outcome === 'not_sent' ? 'not_sent' : 'unknown',
  why: answer.why,
});
