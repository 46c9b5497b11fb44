/**
 * Port to a payment processor. Adapters are pure: they build messages and parse responses. The vault fills in
 * the card, so neither the adapter nor the server has a card number.
 */
import type { CardBrand } from '@florin/contract/card/networks.ts';
import type {
  DeclineAdvice,
  DeclineCode,
  FollowUpFailure,
} from '@florin/contract/decline-codes.ts';
import type { WalletKind } from '@florin/contract/protocol/vault.ts';
import type { ChangesOperation } from './changes.ts';
import type { Directory } from './directory.ts';
import type { DisputeAnswers, Disputes } from './disputes.ts';
import type { HistoryInput, HistoryResult } from './history.ts';
import type {
  CardRequest,
  Money,
  NotSentResult,
  ProcessorOperation,
  UnknownResult,
} from './message.ts';
import type { ProcessorMetadata } from './metadata.ts';
import type { Answered } from './read-answer.ts';
import type { SettlementInput, SettlementResult } from './settlement.ts';
import type { Simulation } from './simulation.ts';

/**
 * Input of operations that a sandbox can disturb by a simulated fault. Adapters to real processors ignore the
 * fault.
 */
interface SimulationInput {
  /** Name of the simulated fault. */
  readonly simulate?: string;
}

/** Lets the processor recognise a repeated message. Random to others, and at most 64 characters. */
interface KeyedInput {
  readonly idempotency_key: string;
}

export interface AuthoriseInput extends Money, SimulationInput, KeyedInput {
  /** Identifies the attempt at the processor. A repeated message has the same id. */
  readonly attempt_id: string;
  /** The payment. Several attempts of a payment have the same. */
  readonly payment_id?: string;
  readonly merchant_id?: string;
  /** Whether the amount is captured immediately. Processors without `direct_capture` ignore this. */
  readonly capture: boolean;
  readonly network?: CardBrand;
  /** Text on the payer's statement; absent: the processor's default. */
  readonly descriptor?: string;
  readonly payer?: Payer;
  /** Whether and why the card is stored; absent for a card that is used once. */
  readonly stored_credential?: StoredCredential;
  /** The time on an advanced sandbox clock, ISO 8601. */
  readonly sent_at?: string;
  /**
   * Merchant-initiated charge without verification value and authentication. Contains the network's id of the
   * payer's earlier approval with the same card.
   */
  readonly initiated_by_merchant?: { readonly network_transaction_id: string };
  /** Present for an order by telephone or mail (MOTO), which the payer started but cannot authenticate. */
  readonly sales_channel?: 'telephone';
  /** Result of an authentication; members without a value are null. */
  readonly authentication?: {
    readonly version: string | null;
    readonly status: string | null;
    readonly eci: string | null;
    readonly cryptogram: string | null;
    readonly directory_transaction_eid: string | null;
  };
  /** Wallet of the card; absent for a typed card. */
  readonly wallet?: {
    readonly kind: WalletKind;
    /** Whether the vault fills in the wallet's cryptogram and ECI. */
    readonly cryptogram: boolean;
  };
  /** Present if the card is a network token of the merchant. Such a card has no verification value. */
  readonly network_token?: {
    /** Whether the vault fills in the token's cryptogram and ECI: always for a payment by the payer. */
    readonly cryptogram: boolean;
  };
}

/** Facts about the payer for checks of the issuer and of the processor. Absent members are unknown. */
export interface Payer {
  /** Identifies the customer at the processor; contains no personal data. */
  readonly customer_id?: string;
  readonly name?: string;
  readonly email?: string;
  readonly ip?: string;
  readonly billing_address?: BillingAddress;
}

export interface BillingAddress {
  readonly line1?: string;
  readonly line2?: string;
  readonly city?: string;
  readonly postal_code?: string;
  readonly state?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
}

/** Use of a stored card, as card networks classify it. */
export interface StoredCredential {
  /** `first`: the payer agrees that the card is stored. `later`: the card was stored before. */
  readonly use: 'first' | 'later';
  /** `checkout`: the payer pays again. The others are charges without the payer. */
  readonly reason: 'checkout' | 'recurring' | 'unscheduled';
}

/** An earlier authorisation. */
export interface AttemptInput {
  readonly attempt_id: string;
  /** The processor's reference; absent until a response or notification names it. */
  readonly processor_reference?: string;
}

/** A reversal. Each repeated reversal has a new key, so that the processor does not only repeat its answer. */
export interface ReverseInput extends AttemptInput, KeyedInput {}

/** A refund, or a capture of a hold. */
export interface FollowUpInput extends Money, SimulationInput, KeyedInput {
  /** Identifies the refund or capture at the processor, which executes it once even if the message is repeated. */
  readonly demand_id: string;
  /** The approved authorisation. */
  readonly attempt_id: string;
  /** The processor's reference of the authorisation, if the processor has references. */
  readonly processor_reference?: string;
  /** The processor's reference of the capture that a refund returns; absent if the authorisation captured. */
  readonly capture_reference?: string;
  /** Captures only. False keeps the rest of the hold for further captures; absent: true. */
  readonly final?: false;
  /**
   * Captures only. Whether the message tells `final` for later inquiries; messages of earlier releases do not. A repeated
   * message has the body of the first.
   */
  readonly tells_final?: boolean;
}

export type FollowUpInquiry = Pick<FollowUpInput, 'demand_id'> &
  Partial<Pick<FollowUpInput, 'attempt_id' | 'processor_reference'>>;

export interface CardChecks {
  readonly cvc2_check: 'match' | 'mismatch' | 'unprocessed';
  readonly address_line1_verification: 'match' | 'mismatch' | 'unverified';
  readonly postal_code_verification: 'match' | 'mismatch' | 'unverified';
}

/** Facts that the processor adds to an outcome. */
export interface ProcessorFacts {
  /** The processor's own reference. Captures, refunds and reversals need it. */
  readonly processor_reference?: string;
  /** Raw codes of the processor for operators, by its names; short texts without card data. */
  readonly codes?: Readonly<Record<string, string>>;
}

/** The processor decides later, and a notification or inquiry tells the outcome. */
export interface PendingResult extends ProcessorFacts {
  readonly result: 'pending';
}

export interface ApprovedResult extends CardChecks, ProcessorFacts {
  readonly result: 'approved';
  /** Null if the processor sent none. */
  readonly authorisation_code: string | null;
  readonly network_transaction_id: string | null;
  /** False: the approval is a hold, and a capture must follow although the input asked for one. */
  readonly captured?: false;
  /** The approved amount; absent where the answer does not tell it. */
  readonly money?: Money;
}

/** The processor approved less than the requested amount. This approval stays valid until it is reversed. */
export interface PartialApproval extends ProcessorFacts {
  readonly result: 'partly_approved';
  /** Approved amount in minor units. */
  readonly approvedAmount: number;
}

export interface DeclinedResult extends CardChecks, ProcessorFacts {
  readonly result: 'declined';
  readonly code: DeclineCode;
  readonly advice?: DeclineAdvice;
}

export type AuthoriseResult =
  | ApprovedResult
  | PartialApproval
  | DeclinedResult
  | PendingResult
  | NotSentResult
  | UnknownResult;
export type InquireResult = AuthoriseResult | { readonly result: 'not_found' };
/** The processor refuses the reversal. An inquiry finds out whether the authorisation is approved or declined. */
export interface ReversalRefusedResult {
  readonly result: 'refused';
  readonly why: string;
}

/** Reference of an accepted reversal that has none. No notification can name it. */
export const UNNAMED_REVERSAL = 'unnamed';

/** The reversal is not finished. */
export interface ReversalPendingResult extends PendingResult {
  /** The processor's reference of the reversal, once it has accepted it: it may give the money back from then on. */
  readonly accepted_as?: string;
}

/** `reversed`: the attempt charges nothing, now or later. */
export type ReverseResult =
  | { readonly result: 'reversed' }
  | ReversalPendingResult
  | ReversalRefusedResult
  | NotSentResult
  | UnknownResult;

export interface FollowUpApprovedResult extends ProcessorFacts {
  readonly result: 'approved';
  readonly network_transaction_id: string | null;
}

export interface FollowUpDeclinedResult extends ProcessorFacts {
  readonly result: 'declined';
  readonly code: FollowUpFailure;
}

/** The processor refuses this message permanently. An earlier message with the same id
 * may have been accepted. */
export interface FollowUpRefusedResult {
  readonly result: 'refused';
  readonly why: string;
}

export type FollowUpResult =
  | FollowUpApprovedResult
  | FollowUpDeclinedResult
  | PendingResult
  | FollowUpRefusedResult
  | NotSentResult
  | UnknownResult;
export type InquireFollowUpResult = FollowUpResult | { readonly result: 'not_found' };

/** Operations of one kind of follow-up. Their messages need no card. */
export interface FollowUps {
  /** Safe to repeat with the same id, even while an earlier message is in flight. */
  readonly send: ProcessorOperation<FollowUpInput, FollowUpResult>;
  /** Finds the outcome; absent where only notifications tell it. */
  readonly inquire?: ProcessorOperation<FollowUpInquiry, InquireFollowUpResult>;
}

/** An account at a payment processor, ready to send and read messages. */
export interface Processor {
  readonly metadata: ProcessorMetadata;
  readonly authorise: ProcessorOperation<AuthoriseInput, AuthoriseResult, CardRequest>;
  /** Finds an attempt's outcome, without a card; absent unless `metadata.recovery` inquires. */
  readonly inquire?: ProcessorOperation<AttemptInput, InquireResult>;
  /** Reverses an attempt, even before the attempt arrives at the processor. Safe to repeat. Needs no card. */
  readonly reverse: ProcessorOperation<ReverseInput, ReverseResult>;
  /** Refunds captured money. */
  readonly refund: FollowUps;
  /** Captures a hold, completely or in part. The processor releases the rest, unless more captures follow. */
  readonly capture: FollowUps;
  /** Absent if disputes of the account are answered in the processor's dashboard. */
  readonly answers?: DisputeAnswers;
  /** Absent where notifications tell disputes. */
  readonly disputes?: Disputes;
  /** Reads a part of a day's settlement file. A response is identified by its `partName`. */
  readonly settlement?: ProcessorOperation<SettlementInput, SettlementResult>;
  /** Lists approved changes of money since an instant. Absent where a processor has no such list. */
  readonly history?: ProcessorOperation<HistoryInput, HistoryResult>;
  /** Lists changes of one authorisation. Absent where a processor tells only about messages with a known id. */
  readonly changes?: ChangesOperation;
  /** Simulated events; only sandboxes have them. */
  readonly simulation?: Simulation;
}

/** Whether a processor accepts an account's credentials. `refused` says why, in a sentence without secrets. */
export type CheckResult =
  | { readonly result: 'accepted' }
  | { readonly result: 'refused'; readonly why: string }
  | NotSentResult
  | UnknownResult;

/** Facts of an answer about the account's key. `code` is the processor's own code, for operators. */
export interface KeyReading {
  readonly key: 'accepted' | 'refused' | 'unclear';
  readonly code?: string;
}

/** Reads the facts from an answer with a 2xx status. Pure; never throws. */
export type KeyReader = (answer: Answered) => KeyReading;

/** The processor of a mode that needs no account. The interface includes the network's directory server. */
export interface NetworkProcessor extends Processor, Directory {
  readonly inquire: NonNullable<Processor['inquire']>;
  readonly refund: Required<FollowUps>;
  readonly capture: Required<FollowUps>;
  readonly disputes: Disputes;
  readonly settlement: NonNullable<Processor['settlement']>;
}
