/**
 * The port to a payment processor. An adapter is pure: it turns what we want into a message and an
 * answer into a result, and never sends anything itself. Where a message needs the card, it names the
 * places that the vault fills, so that neither adapter nor server ever has a card number.
 */
import type { DeclineCode, FollowUpFailure } from '@florin/contract/decline-codes.ts';
import type { WalletKind } from '@florin/contract/protocol/vault.ts';
import type { Directory } from './directory.ts';
import type { Disputes } from './disputes.ts';
import type { CardRequest, Money, NotSent, Operation, Unknown } from './message.ts';
import type { SettlementInput, SettlementResult } from './settlement.ts';
import type { Simulation } from './simulation.ts';

export interface ProcessorMetadata {
  /** Key in the registry, stored with every attempt. */
  readonly name: string;
  /** How long a message may be under way in milliseconds: a `not_found` before that may still turn into an approval. */
  readonly arrival_ms_max: number;
}

/** Sandboxes have misfortunes to order. Adapters to real processors never look at it. */
interface Simulating {
  /** What goes wrong, or otherwise, in the sandbox's own words. */
  readonly simulate?: string;
}

export interface AuthoriseInput extends Money, Simulating {
  /** Names the attempt at the processor; a repeat carries the same one. */
  readonly attempt_id: string;
  /** Whether the amount is to be collected at once. */
  readonly capture: boolean;
  /** The time it is for the payer, ISO 8601, where a clock of the sandbox is moved. */
  readonly sent_at?: string;
  /**
   * A charge of a saved card while its customer is away, without verification value and authentication: the network's id
   * of an earlier approval that he was there for.
   */
  readonly initiated_by_merchant?: { readonly network_transaction_id: string };
  /** What an authentication came to; null members where it gave none. */
  readonly authentication?: {
    readonly version: string | null;
    readonly status: string | null;
    readonly eci: string | null;
    readonly cryptogram: string | null;
    readonly directory_transaction_eid: string | null;
  };
  /** Absent where the card was typed. */
  readonly wallet?: {
    readonly kind: WalletKind;
    /** Whether the vault is to fill in the wallet's cryptogram and ECI. */
    readonly cryptogram: boolean;
  };
}

export interface AttemptInput {
  readonly attempt_id: string;
}

/** What is asked of an authorisation later: a refund, or a capture of a hold. */
export interface FollowUpInput extends Money, Simulating {
  /** Names the refund or capture at the processor, which moves money once however often it is sent. */
  readonly demand_id: string;
  /** The authorisation that was approved. */
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

/** Less was approved than was asked for. It is the processor's until it is reversed. */
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
/** The processor does not reverse it. An inquiry tells whether the authorisation stands, or was declined and never did. */
export interface ReversalRefused {
  readonly result: 'refused';
  readonly why: string;
}

/** `reversed`: nothing is charged, and nothing can be any more by this attempt. */
export type ReverseResult = { readonly result: 'reversed' } | ReversalRefused | NotSent | Unknown;

export interface FollowUpApproved {
  readonly result: 'approved';
  readonly network_transaction_id: string | null;
}

export interface FollowUpDeclined {
  readonly result: 'declined';
  readonly code: FollowUpFailure;
}

/** The processor cannot take this message, and would not take it again. An earlier one under the same id may still have been taken. */
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

/** One kind of follow-up. Neither message needs the card. */
export interface FollowUps {
  /** Safe to repeat under the same id, also while it is under way. */
  readonly send: Operation<FollowUpInput, FollowUpResult>;
  /** What became of it. */
  readonly inquire: Operation<FollowUpInquiry, InquireFollowUpResult>;
}

/** A processor is reached through the network's directory server as well. */
export interface Processor extends Directory {
  readonly metadata: ProcessorMetadata;
  readonly authorise: Operation<AuthoriseInput, AuthoriseResult, CardRequest>;
  /** What became of an attempt. Needs no card, so the server sends it itself. */
  readonly inquire: Operation<AttemptInput, InquireResult>;
  /** Undoes an attempt, also one that has not arrived yet. Safe to repeat; sent like an inquiry. */
  readonly reverse: Operation<AttemptInput, ReverseResult>;
  /** Give money of an authorisation that was captured back. */
  readonly refund: FollowUps;
  readonly disputes: Disputes;
  /** What was settled on a day. Needs no card; an answer is asked for by its `partName`. */
  readonly settlement: Operation<SettlementInput, SettlementResult>;
  /** Collect the amount of a hold, or a part of it; once, and the rest is let go. */
  readonly capture: FollowUps;
  /** Of a sandbox alone. */
  readonly simulation?: Simulation;
}
