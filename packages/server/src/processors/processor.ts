/**
 * Port to a payment processor. An adapter is pure: it builds messages and parses responses. The
 * vault fills in the card, so that neither adapter nor server has a card number.
 */
import type { DeclineCode, FollowUpFailure } from '@florin/contract/decline-codes.ts';
import type { WalletKind } from '@florin/contract/protocol/vault.ts';
import type { Directory } from './directory.ts';
import type { Disputes } from './disputes.ts';
import type { CardRequest, Money, NotSent, ProcessorOperation, Unknown } from './message.ts';
import type { SettlementInput, SettlementResult } from './settlement.ts';
import type { Simulation } from './simulation.ts';

export interface ProcessorMetadata {
  /** Key in the registry, stored with every attempt. */
  readonly name: string;
  /**
   * Longest time in flight of a message in milliseconds: an earlier `not_found` may still become an
   * approval.
   */
  readonly arrival_ms_max: number;
}

/** Simulated faults of a sandbox. Adapters to real processors ignore them. */
interface Simulating {
  /** The fault's name in the sandbox. */
  readonly simulate?: string;
}

export interface AuthoriseInput extends Money, Simulating {
  /** Identifies the attempt at the processor; a repeated message has the same id. */
  readonly attempt_id: string;
  /** Whether the amount is captured immediately. */
  readonly capture: boolean;
  /** The payer's time on an advanced sandbox clock, ISO 8601. */
  readonly sent_at?: string;
  /**
   * Merchant-initiated charge, without verification value and authentication. Contains the
   * network's id of the payer's earlier approval with this card.
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
  /** Absent for a typed card. */
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
export interface FollowUpInput extends Money, Simulating {
  /**
   * Identifies the refund or capture at the processor, which moves money once, however often it is
   * sent.
   */
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

export interface Approved extends CardChecks {
  readonly result: 'approved';
  readonly authorisation_code: string;
  readonly network_transaction_id: string | null;
}

/**
 * Less than the requested amount was approved. The approval stands at the processor until reversed.
 */
export interface PartlyApproved {
  readonly result: 'partly_approved';
  /** Minor units. */
  readonly approved: number;
}

export interface Declined extends CardChecks {
  readonly result: 'declined';
  readonly code: DeclineCode;
}

export type AuthoriseResult = Approved | PartlyApproved | Declined | NotSent | Unknown;
export type InquireResult = AuthoriseResult | { readonly result: 'not_found' };
/**
 * The processor refuses the reversal. An inquiry tells whether the authorisation stands, or was
 * declined.
 */
export interface ReversalRefused {
  readonly result: 'refused';
  readonly why: string;
}

/** `reversed`: this attempt charges nothing, now or later. */
export type ReverseResult = { readonly result: 'reversed' } | ReversalRefused | NotSent | Unknown;

export interface FollowUpApproved {
  readonly result: 'approved';
  readonly network_transaction_id: string | null;
}

export interface FollowUpDeclined {
  readonly result: 'declined';
  readonly code: FollowUpFailure;
}

/**
 * The processor refuses this message for good. An earlier one under the same id may have been
 * accepted.
 */
export interface FollowUpRefused {
  readonly result: 'refused';
  readonly why: string;
}

export type FollowUpResult =
  | FollowUpApproved
  | FollowUpDeclined
  | FollowUpRefused
  | NotSent
  | Unknown;
export type InquireFollowUpResult = FollowUpResult | { readonly result: 'not_found' };

/** Operations of one kind of follow-up. Neither message needs the card. */
export interface FollowUps {
  /** Safe to repeat under the same id, even while in flight. */
  readonly send: ProcessorOperation<FollowUpInput, FollowUpResult>;
  /** Inquires about the outcome. */
  readonly inquire: ProcessorOperation<FollowUpInquiry, InquireFollowUpResult>;
}

/** Processors include the network's directory server. */
export interface Processor extends Directory {
  readonly metadata: ProcessorMetadata;
  readonly authorise: ProcessorOperation<AuthoriseInput, AuthoriseResult, CardRequest>;
  /** Inquires about an attempt's outcome. Needs no card, so the server sends the message itself. */
  readonly inquire: ProcessorOperation<AttemptInput, InquireResult>;
  /**
   * Reverses an attempt, even one that has not arrived yet. Safe to repeat; sent like an inquiry.
   */
  readonly reverse: ProcessorOperation<AttemptInput, ReverseResult>;
  /** Returns money of a captured authorisation. */
  readonly refund: FollowUps;
  readonly disputes: Disputes;
  /** A day's settlement. Needs no card; a response is identified by its `partName`. */
  readonly settlement: ProcessorOperation<SettlementInput, SettlementResult>;
  /** Captures a hold or a part of it, once; the rest is released. */
  readonly capture: FollowUps;
  /** Sandboxes only. */
  readonly simulation?: Simulation;
}
