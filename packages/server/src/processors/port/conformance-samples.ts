import type { AuthenticateResult } from './directory.ts';
import type { WireAnswer } from './message.ts';
import type {
  AuthoriseResult,
  FollowUpResult,
  InquireFollowUpResult,
  InquireResult,
  KeyReading,
  ReverseResult,
} from './processor.ts';

/** Recorded responses of a processor with their expected results. Each listed kind needs a sample. */
export interface WireSamples {
  /** A reference as the processor makes them; absent: any text can be one. */
  readonly processor_reference?: string;
  readonly authorise: Readonly<Record<'approved' | 'declined', readonly Sample<AuthoriseResult>[]>>;
  /** Only of processors with a directory server. */
  readonly authenticate?: readonly Sample<AuthenticateResult>[];
  /** Only of processors that answer inquiries. */
  readonly inquire?: Readonly<
    Record<'approved' | 'declined' | 'not_found', readonly Sample<InquireResult>[]>
  >;
  readonly reverse: readonly Sample<ReverseResult>[];
  readonly refund: FollowUpSamples;
  readonly capture: FollowUpSamples;
  /** Answers to a wrong key, by any message. */
  readonly refused_keys?: readonly Sample<KeyReading>[];
}

export interface FollowUpSamples {
  /**
   * Answers of processors that decide later. The other samples are then answers to inquiries only.
   */
  readonly receipts?: readonly Sample<FollowUpResult>[];
  readonly approved: readonly Sample<FollowUpResult>[];
  readonly declined: readonly Sample<FollowUpResult>[];
  readonly not_found?: readonly Sample<InquireFollowUpResult>[];
}

export interface Sample<Result> {
  readonly status: number;
  readonly body: unknown;
  readonly meaning: Result;
}

/** Samples of answers to a sent refund or capture. */
export const sentSamplesOf = ({
  receipts,
  approved,
  declined,
}: FollowUpSamples): readonly Sample<FollowUpResult>[] => receipts ?? [...approved, ...declined];

export const createHttpAnswer = (status: number, body: unknown): WireAnswer => ({
  outcome: 'answered',
  status,
  body,
});

/** Responses that leave the outcome unknown: the processor may have approved the payment. */
export const unclearAnswers: Readonly<Record<string, WireAnswer>> = {
  'a lost answer': { outcome: 'lost', why: 'timeout' },
  'a server error': createHttpAnswer(500, { error: 'oops' }),
  'a bad gateway': createHttpAnswer(502, '<html>Bad Gateway</html>'),
  'a server error that claims a decline': createHttpAnswer(503, {
    result: 'declined',
    response_code: '05',
  }),
  'too many requests': createHttpAnswer(429, {}),
  'an empty answer': createHttpAnswer(200, null),
  'an answer without members': createHttpAnswer(200, {}),
  'a list': createHttpAnswer(200, []),
  'members of the wrong kind': createHttpAnswer(200, { result: 7, status: null }),
};
export const notSentAnswer: WireAnswer = { outcome: 'not_sent', why: 'connection_failed' };
