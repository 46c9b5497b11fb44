import type { EgressRule } from '@florin/contract/protocol/processor-accounts.ts';
import type { AccountProcessor } from './account-processor.ts';
import type { ChangesResult } from './changes.ts';
import type { DisputeAnswers } from './disputes.ts';
import type { CardRequest, Codecs, WireAnswer, WireRequest } from './message.ts';
import type { AccountSettings, ProcessorMetadata } from './metadata.ts';
import type { Notifications } from './notifications.ts';
import type {
  AttemptInput,
  AuthoriseInput,
  AuthoriseResult,
  CheckResult,
  FollowUpInput,
  FollowUpInquiry,
  FollowUpResult,
  InquireFollowUpResult,
  InquireResult,
  KeyReader,
  ReverseInput,
  ReverseResult,
} from './processor.ts';
import { connectReports, type Reports } from './reports/reports.ts';

/** Messages of an adapter, by operation. Each needs the account for its address and credentials. */
export interface MapRequest {
  authorise(account: AccountSettings, input: AuthoriseInput): CardRequest;
  reverse(account: AccountSettings, input: ReverseInput): WireRequest;
  capture(account: AccountSettings, input: FollowUpInput): WireRequest;
  refund(account: AccountSettings, input: FollowUpInput): WireRequest;
  /** Asks for something harmless, to learn whether the credentials are accepted. */
  check(account: AccountSettings): WireRequest;
  inquire?(account: AccountSettings, input: AttemptInput): WireRequest;
  inquireCapture?(account: AccountSettings, input: FollowUpInquiry): WireRequest;
  inquireRefund?(account: AccountSettings, input: FollowUpInquiry): WireRequest;
  /** Lists captures, refunds and releases of an authorisation with a reference of the processor. */
  changes?(account: AccountSettings, input: AttemptInput): WireRequest;
}

/** Results of an adapter, by operation. `expected` is our id of the message. */
export interface MapAnswer {
  authorise(answer: WireAnswer, expected?: string): AuthoriseResult;
  reverse(answer: WireAnswer, expected?: string): ReverseResult;
  capture(answer: WireAnswer, expected?: string): FollowUpResult;
  refund(answer: WireAnswer, expected?: string): FollowUpResult;
  check(answer: WireAnswer): CheckResult;
  inquire?(answer: WireAnswer, expected?: string): InquireResult;
  inquireCapture?(answer: WireAnswer, expected?: string): InquireFollowUpResult;
  inquireRefund?(answer: WireAnswer, expected?: string): InquireFollowUpResult;
  changes?(answer: WireAnswer, currency: string): ChangesResult;
}

/** The four parts of an adapter. */
export interface AdapterParts {
  readonly metadata: ProcessorMetadata;
  readonly mapRequest: MapRequest;
  readonly mapAnswer: MapAnswer;
  readonly notifications?: Notifications;
  /** Present if the processor refuses a wrong key with a 2xx status. */
  readonly readKey?: KeyReader;
  /** Absent: the account settles nothing. */
  readonly reports?: Reports;
  /** Answers to disputes of the account; absent or undefined: in the processor's dashboard only. */
  readonly answers?: (account: AccountSettings) => DisputeAnswers | undefined;
  /** Formats of the messages that name none. */
  readonly codecs?: Codecs;
  /** Origins of the account, that of payments first. The vault sends its secrets nowhere else. */
  readonly origins: (account: AccountSettings) => readonly string[];
  /** Messages of the account, with the places of card data. The vault refuses others. Absent: any to the origins. In production, no operator can accept such an account. */
  readonly egress?: (account: AccountSettings) => readonly EgressRule[];
}

/** An adapter to a payment processor. Pure: builds messages, and parses responses and notifications. */
export interface ProcessorAdapter
  extends Pick<AdapterParts, 'metadata' | 'notifications' | 'origins' | 'egress'> {
  connect(account: AccountSettings): AccountProcessor;
}

/** Makes an adapter of its parts. */
export const defineAdapter = (parts: AdapterParts): ProcessorAdapter => ({
  ...parts,
  connect: (account) => connectAccount(parts, account),
});

function connectAccount(
  {
    metadata,
    mapRequest,
    mapAnswer,
    codecs,
    egress,
    notifications,
    readKey,
    reports,
    answers,
  }: AdapterParts,
  account: AccountSettings,
): AccountProcessor {
  const pair = <Input, Result, Request extends WireRequest>(
    request: (account: AccountSettings, input: Input) => Request,
    answer: (answer: WireAnswer, expected?: string) => Result,
  ) => ({
    mapRequest: (input: Input) => ({ ...codecs, ...request(account, input) }),
    mapAnswer: answer,
  });
  const { inquire, inquireCapture, inquireRefund, changes } = mapRequest;
  const mapChanges = mapAnswer.changes;
  const disputeAnswers = answers?.(account);
  const { direct_capture } = metadata.capabilities;
  const holdsOnly = <Result extends InquireResult>(
    map: (answer: WireAnswer, expected?: string) => Result,
  ) =>
    direct_capture ? map : (answer: WireAnswer, expected?: string) => asHold(map(answer, expected));
  return {
    metadata: metadataOf(metadata, account),
    ...(notifications && {
      notifications: {
        ...notifications,
        readFacts: (notification) =>
          notifications
            .readFacts(notification, account)
            .map((fact) =>
              fact.kind === 'authorisation' && !direct_capture
                ? { ...fact, result: asHold(fact.result) }
                : fact,
            ),
      },
    }),
    ...(readKey && { readKey }),
    ...(reports && { reports: connectReports(reports, account) }),
    ...(disputeAnswers && { answers: disputeAnswers }),
    ...(egress && { egress: egress(account) }),
    check: {
      mapRequest: () => ({ ...codecs, ...mapRequest.check(account) }),
      mapAnswer: (answer) => mapAnswer.check(answer),
    },
    authorise: pair(mapRequest.authorise, holdsOnly(mapAnswer.authorise)),
    reverse: pair(mapRequest.reverse, mapAnswer.reverse),
    ...(inquire && mapAnswer.inquire && { inquire: pair(inquire, holdsOnly(mapAnswer.inquire)) }),
    ...(changes &&
      mapChanges && {
        changes: {
          mapRequest: (input) => ({ ...codecs, ...changes(account, input) }),
          mapAnswer: mapChanges,
        },
      }),
    capture: {
      send: pair(mapRequest.capture, mapAnswer.capture),
      ...(inquireCapture &&
        mapAnswer.inquireCapture && { inquire: pair(inquireCapture, mapAnswer.inquireCapture) }),
    },
    refund: {
      send: pair(mapRequest.refund, mapAnswer.refund),
      ...(inquireRefund &&
        mapAnswer.inquireRefund && { inquire: pair(inquireRefund, mapAnswer.inquireRefund) }),
    },
  };
}

/** Metadata of one account, whose contract decides some of them. */
const metadataOf = (metadata: ProcessorMetadata, account: AccountSettings): ProcessorMetadata => ({
  ...metadata,
  currencies: metadata.currenciesOf?.(account) ?? metadata.currencies,
  capabilities: {
    ...metadata.capabilities,
    several_captures:
      metadata.takesSeveralCaptures?.(account) ?? metadata.capabilities.several_captures,
  },
});

/** Marks an approval as a hold, for processors that cannot capture with the authorisation. */
const asHold = <Result extends InquireResult>(result: Result): Result =>
  result.result === 'approved' ? { ...result, captured: false } : result;
