/**
 * Port to a payment processor. Adapters are pure: they build messages and parse responses. The vault fills in
 * the card, so neither the adapter nor the server has a card number.
 */
import type { DeclineCode, FollowUpFailure } from '@florin/contract/decline-codes.ts';
import type { WalletKind } from '@florin/contract/protocol/vault.ts';
import type { Directory } from './directory.ts';
import type { Disputes } from './disputes.ts';
import type {
  CardRequest,
  Money,
  NotSentResult,
  ProcessorOperation,
  UnknownResult,
} from './message.ts';
import type { SettlementInput, SettlementResult } from './settlement.ts';
import type { Simulation } from './simulation.ts';

export interface ProcessorMetadata {
  /** Key in the registry, stored with every attempt. */
  readonly name: string;
  /**
   * Longest time that a message can take to arrive, in milliseconds. Before that, a `not_found` may still
   * turn into an approval.
   */
  readonly arrival_ms_max: number;
}

/**
 * Input of operations that a sandbox can disturb by a simulated fault. Adapters to real processors ignore the
 * fault.
 */
interface SimulationInput {
  /** Name of the simulated fault. */
  readonly simulate?: string;
}

export interface AuthoriseInput extends Money, SimulationInput {
  /** Identifies the attempt at the processor. A repeated message has the same id. */
  readonly attempt_id: string;
  /** Whether the amount is captured immediately. */
  readonly capture: boolean;
  /** The time on an advanced sandbox clock, ISO 8601. */
  readonly sent_at?: string;
  /**
   * Merchant-initiated charge without verification value and authentication. Contains the network's id of the
   * payer's earlier approval with the same card.
   */
  readonly initiated_by_merchant?: { readonly network_transaction_id: string };
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
}

export interface AttemptInput {
  readonly attempt_id: string;
}

/** A refund, or a capture of a hold. */
export interface FollowUpInput extends Money, SimulationInput {
  /** Identifies the refund or capture at the processor, which executes it once even if the message is repeated. */
  readonly demand_id: string;
  /** The approved authorisation. */
  readonly attempt_id: string;
}

export type FollowUpInquiry = Pick<FollowUpInput, 'demand_id'>;

export interface CardChecks {
  readonly cvc2_check: 'match' | 'mismatch' | 'unprocessed';
  readonly address_line1_verification: 'match' | 'mismatch' | 'unverified';
  readonly postal_code_verification: 'match' | 'mismatch' | 'unverified';
}

export interface ApprovedResult extends CardChecks {
  readonly result: 'approved';
  readonly authorisation_code: string;
  readonly network_transaction_id: string | null;
}

/** The processor approved less than the requested amount. This approval stays valid until it is reversed. */
export interface PartialApproval {
  readonly result: 'partly_approved';
  /** Approved amount in minor units. */
  readonly approvedAmount: number;
}

export interface DeclinedResult extends CardChecks {
  readonly result: 'declined';
  readonly code: DeclineCode;
}

export type AuthoriseResult =
  | ApprovedResult
  | PartialApproval
  | DeclinedResult
  | NotSentResult
  | UnknownResult;
export type InquireResult = AuthoriseResult | { readonly result: 'not_found' };
/** The processor refuses the reversal. An inquiry finds out whether the authorisation is approved or declined. */
export interface ReversalRefusedResult {
  readonly result: 'refused';
  readonly why: string;
}

/** `reversed`: the attempt charges nothing, now or later. */
export type ReverseResult =
  | { readonly result: 'reversed' }
  | ReversalRefusedResult
  | NotSentResult
  | UnknownResult;

export interface FollowUpApprovedResult {
  readonly result: 'approved';
  readonly network_transaction_id: string | null;
}

export interface FollowUpDeclinedResult {
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
  | FollowUpRefusedResult
  | NotSentResult
  | UnknownResult;
export type InquireFollowUpResult = FollowUpResult | { readonly result: 'not_found' };

/** Operations of one kind of follow-up. Their messages need no card. */
export interface FollowUps {
  /** Safe to repeat with the same id, even while an earlier message is in flight. */
  readonly send: ProcessorOperation<FollowUpInput, FollowUpResult>;
  /** Finds the outcome. */
  readonly inquire: ProcessorOperation<FollowUpInquiry, InquireFollowUpResult>;
}

/** A payment processor. The interface includes the network's directory server. */
export interface Processor extends Directory {
  readonly metadata: ProcessorMetadata;
  readonly authorise: ProcessorOperation<AuthoriseInput, AuthoriseResult, CardRequest>;
  /** Finds an attempt's outcome. Needs no card, so the server sends the message without the vault. */
  readonly inquire: ProcessorOperation<AttemptInput, InquireResult>;
  /**
   * Reverses an attempt, even before the attempt arrives at the processor. Safe to repeat. Sent without the
   * vault.
   */
  readonly reverse: ProcessorOperation<AttemptInput, ReverseResult>;
  /** Refunds captured money. */
  readonly refund: FollowUps;
  readonly disputes: Disputes;
  /** Reads a part of a day's settlement file. Needs no card. A response is identified by its `partName`. */
  readonly settlement: ProcessorOperation<SettlementInput, SettlementResult>;
  /** Captures a hold once, completely or in part. The processor releases the rest. */
  readonly capture: FollowUps;
  /** Simulated events; only sandboxes have them. */
  readonly simulation?: Simulation;
}
