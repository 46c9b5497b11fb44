import type {
  AnswerCodec,
  CardFields,
  Credentials,
  RelayAnswer,
  RelayCodec,
  RelayMethod,
} from '@florin/contract/protocol/vault.ts';

/** Formats of a message and of its response; absent: JSON. Only the vault writes and reads other formats. */
export interface Codecs {
  readonly codec?: RelayCodec;
  readonly answer_codec?: AnswerCodec;
}

export interface WireRequest extends Codecs {
  readonly method: RelayMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly timeout_ms: number;
  /** Headers that the vault fills with secrets of the account. The server then sends nothing itself. */
  readonly credentials?: Credentials;
  /** Whether the body has a file, so that the message is sent alone. Only for messages without a card. */
  readonly has_file?: boolean;
  /** Names of the response's headers that the adapter reads, in lower case. */
  readonly answer_headers?: readonly string[];
  /** Whether the response is a file of at most `LARGE_ANSWER_BYTES_MAX` bytes. The vault masks card numbers in it. */
  readonly large_answer?: boolean;
}

/** A message with placeholders for card fields, which the vault fills in before it sends the message. */
export interface CardRequest extends WireRequest {
  readonly method: 'POST';
  readonly body: unknown;
  readonly card_fields: CardFields;
}

type AnswerWithoutId<Answer> = Answer extends unknown ? Omit<Answer, 'id'> : never;
/** Result of sending a message, by the vault or directly. */
export type WireAnswer = AnswerWithoutId<RelayAnswer>;

export interface ProcessorOperation<Input, Result, Request extends WireRequest = WireRequest> {
  mapRequest(input: Input): Request;
  /**
   * Never throws. Unreadable responses are `unknown`, never a decline. So are responses to a message other
   * than `expected`: a network may send two responses to one message.
   */
  mapAnswer(answer: WireAnswer, expected?: string): Result;
}

/** An amount in minor units of `currency` (ISO 4217). */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

/** The message was not sent, so nothing was charged. Only this result allows sending it again. */
export interface NotSentResult {
  readonly result: 'not_sent';
  readonly why: string;
}

/** The processor may have received the message. Only an inquiry or a reversal finds the outcome. */
export interface UnknownResult {
  readonly result: 'unknown';
  readonly why: string;
}

/** Result of a message without a response. */
export const resultWithoutResponse = (
  answer: Exclude<WireAnswer, { outcome: 'answered' }>,
): NotSentResult | UnknownResult => ({
  result: answer.outcome === 'not_sent' ? 'not_sent' : 'unknown',
  why: answer.why,
});
