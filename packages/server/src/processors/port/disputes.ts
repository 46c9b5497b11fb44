import type { DisputeReason } from '@florin/contract/protocol/network.ts';
import type {
  DisputeFilePurpose,
  DisputeFileType,
} from '@florin/contract/resources/dispute-files.ts';
import type {
  Money,
  NotSentResult,
  ProcessorOperation,
  UnknownResult,
  WireAnswer,
  WireRequest,
} from './message.ts';

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
  /**
   * Decided after the first chargeback was returned. `lost` is then a second chargeback, which a later report of the
   * first decision does not undo.
   */
  readonly is_second_round?: true;
  /** Deadline for evidence, ISO 8601; absent where the processor names none. */
  readonly evidence_due_at?: string;
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

/** A file of the evidence. Only its step reads the content. */
export interface EvidenceFile {
  readonly id: string;
  readonly purpose: DisputeFilePurpose;
  readonly content_type: DisputeFileType;
}

/** A merchant's answer to a dispute of an account. */
export interface DisputeAnswer {
  /** The processor's id of the dispute. */
  readonly reference: string;
  /** Texts by the name of their attribute, and files, oldest first. Absent: the merchant accepts the dispute. */
  readonly evidence?: {
    readonly texts: Readonly<Record<string, string>>;
    readonly files: readonly EvidenceFile[];
  };
}

/** State of a message of an answer. `sending`: a process may have sent it, and its outcome is not stored. */
export interface StepState {
  readonly state: 'sending' | 'done';
  /** Text of the processor that later messages need. */
  readonly reference?: string;
}

/** States of the messages of an answer by name. Messages that were never sent are absent. */
export type AnswerProgress = Readonly<Record<string, StepState>>;

export type StepResult =
  /** New states; null removes one, so that its message is sent again. */
  | {
      readonly result: 'stored';
      readonly changes: Readonly<Record<string, StepState | null>>;
    }
  /** The processor refuses the answer. `why` is a sentence for the merchant. */
  | { readonly result: 'refused'; readonly why: string }
  | NotSentResult
  | UnknownResult;

/** One message of an answer. */
export interface AnswerStep {
  readonly name: string;
  /** File whose content the message needs. */
  readonly file_id?: string;
  /** `content`: of the file, in base64. */
  mapRequest(content: string): WireRequest;
  mapAnswer(answer: WireAnswer): StepResult;
}

/** Answers disputes of an account, one message after the other. Pure. */
export interface DisputeAnswers {
  /** Says why the processor cannot take the evidence, in a sentence for the merchant. */
  findFault(evidence: NonNullable<DisputeAnswer['evidence']>): string | undefined;
  /**
   * The next message; undefined if all are done. A step that is `sending` is repeated only if a second message with
   * it changes nothing. Otherwise the next message asks for the outcome.
   */
  nextStep(answer: DisputeAnswer, progress: AnswerProgress): AnswerStep | undefined;
}
