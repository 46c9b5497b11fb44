import type { SettlementEntry } from '../ledger.ts';

/**
 * The wire of the simulated card network: JSON over HTTP. Only the simulator and its processor
 * adapter speak it. Amounts are minor units; `reference` is the caller's own id of an authorisation, a capture or a
 * refund and makes every call idempotent: the first answer for a reference is the answer for ever.
 */
import type { WalletKind } from './vault.ts';

export const networkPaths = {
  /** POST AuthorisationRequest; GET `/v1/authorisations/<reference>` inquires, 404 where it is not known. */
  authorisations: '/v1/authorisations',
  /**
   * POST `/v1/authorisations/<reference>/reverse`: undoes it, and refuses it should it still arrive. Answered with the
   * authorisation as it is then: one that was declined, or refunded, stays as it is.
   */
  reverse: (reference: string) => `/v1/authorisations/${reference}/reverse`,
  /** POST FollowUpRequest: gives money of a captured authorisation back. */
  refundsOf: (authorisation: string) => `/v1/authorisations/${authorisation}/refunds`,
  /** GET `/v1/refunds/<reference>` inquires, 404 where it is not known. */
  refunds: '/v1/refunds',
  /** POST FollowUpRequest: collects the amount of a hold or a part of it, once; the rest is let go. */
  capturesOf: (authorisation: string) => `/v1/authorisations/${authorisation}/captures`,
  /** GET `/v1/captures/<reference>` inquires, 404 where it is not known. */
  captures: '/v1/captures',
  /** POST DisputeRequest: the payer disputes a captured authorisation; in the sandbox, whoever asks for it. */
  disputeOf: (authorisation: string) => `/v1/authorisations/${authorisation}/dispute`,
  /** POST: what it asked to happen later happens now; for senders whose time goes faster. */
  laterOf: (authorisation: string) => `/v1/authorisations/${authorisation}/later`,
  /** GET DisputeList: the disputes that changed after a position. */
  disputesAfter: (position: number) => `/v1/disputes/after/${position}`,
  /** POST `{ evidence }` or `{ accept: true }`; answered with the dispute. */
  disputeResponse: (reference: string) => `/v1/disputes/${reference}/response`,
  /** GET SettlementFilePart: what was settled on a day in UTC (`2026-01-31`), from part 1 on; 404 until the day is over. */
  settlement: (day: string, part: number) => `/v1/settlements/${day}/${part}`,
  /** POST AuthenticationRequest: the directory server's answer. */
  authentications: '/v1/authentications',
  /** POST CardRangeRequest: what the directory server knows of a range of cards. */
  cardRanges: '/v1/card_ranges',
  /** GET: counts of the network's own books, for tests. */
  books: '/v1/books',
  /** GET NetworkIdentity. */
  identity: '/v1/identity',
  /** Before a path: meant for this network alone. Any other answers 421 and does nothing. */
  only: (identity: string) => `/networks/${identity}`,
  health: '/health',
} as const;

/** Names a network by its books: a network with other books is another one, wherever it answers. */
export interface NetworkIdentity {
  readonly identity: string;
}

export interface AuthorisationRequest {
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly card: {
    readonly number: string;
    readonly cvv?: string;
    readonly expiry_month: string;
    readonly expiry_year: string;
  };
  readonly capture: boolean;
  /** A charge of a saved card while its cardholder is away: the network's id of an earlier approval that he was there for. */
  readonly initiated_by_merchant?: { readonly original_transaction_id: string };
  /** The sandbox's own addition: what goes wrong, or otherwise. What the network does not know changes nothing. */
  readonly simulate?: string;
  /** The sandbox's own addition: the sender's time, ISO 8601, where that is not the network's. Cards expire by it. */
  readonly sent_at?: string;
  readonly authentication?: {
    readonly eci: string;
    readonly cavv?: string;
    readonly transaction_id?: string;
  };
  /** Present where a wallet gave the card. The cryptogram is bound to number and amount, and counts once. */
  readonly wallet?: {
    readonly kind: WalletKind;
    readonly cryptogram?: string;
    readonly eci?: string;
  };
}

export interface AuthorisationAnswer {
  readonly reference: string;
  readonly result: 'approved' | 'declined' | 'reversed';
  /** Two-digit response code in the manner of ISO 8583 field 39, or a letter code of the network. */
  readonly response_code: string;
  /** Minor units, where less was approved than was asked for. */
  readonly approved_amount?: number;
  readonly authorisation_code?: string;
  readonly network_transaction_id?: string;
  /** Y address and postal code match, N neither, U not checked. */
  readonly avs: 'Y' | 'N' | 'U';
  /** M match, N mismatch, P not processed. */
  readonly cvc: 'M' | 'N' | 'P';
}

/** What is asked of an authorisation later: a refund or a capture. */
export interface FollowUpRequest {
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  /** As for authorisations. */
  readonly simulate?: string;
}

export interface FollowUpAnswer {
  readonly reference: string;
  readonly result: 'approved' | 'declined';
  /** As for authorisations. */
  readonly response_code: string;
  readonly network_transaction_id?: string;
}

export const disputeReasons = [
  'fraudulent',
  'product_not_received',
  'duplicate',
  'unrecognized',
  'general',
] as const;
export type DisputeReason = (typeof disputeReasons)[number];

export interface DisputeRequest {
  readonly reason: DisputeReason;
  /** Minor units of a part, which is a dispute of its own each time; all that is left where there is none, once. */
  readonly amount?: number;
}

/** A dispute as it is at `position`, the place of its last change among those of all. */
export interface NetworkDispute {
  readonly position: number;
  readonly reference: string;
  readonly authorisation: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: DisputeReason;
  readonly status: 'open' | 'won' | 'lost';
}

export interface DisputeList {
  readonly disputes: readonly NetworkDispute[];
}

/** What was collected, or given back to a payer. */
export interface SettlementLine {
  /** From 1 on, over all parts of the file. */
  readonly line: number;
  readonly entry: SettlementEntry;
  /** Of the capture or refund, of the authorisation where that was captured at once, or the network's of the dispute. */
  readonly reference: string;
  readonly authorisation: string;
  readonly amount: number;
  readonly currency: string;
}

/**
 * A settlement file comes in parts; its trailer has the number of all lines and, in decimal digits as it may be larger than
 * a number can be, the sum of their amounts, whatever their currencies.
 */
export interface SettlementFilePart {
  readonly day: string;
  readonly part: number;
  readonly is_last: boolean;
  readonly lines: readonly SettlementLine[];
  readonly trailer: { readonly count: number; readonly sum: string };
}

/** The amount is the sandbox's own addition: some amounts ask for a behaviour. */
export interface CardRangeRequest {
  /** First six digits. */
  readonly bin: string;
  readonly amount: number;
}

export interface CardRangeAnswer {
  readonly enrolled: boolean;
  /** The bank's page that wants to look at the browser before it is asked. */
  readonly method_url?: string;
}

/** What the bank wants to know of a browser that can show its page, with the names of EMV 3-D Secure in our spelling. */
export interface BrowserDescription {
  readonly accept_header: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly language: string;
  /** 1, 4, 8, 15, 16, 24, 32 or 48 bits. */
  readonly color_depth: number;
  readonly screen_height: number;
  readonly screen_width: number;
  /** Minutes that UTC is ahead of the browser. */
  readonly tz: number;
}

export interface AuthenticationRequest {
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly card: {
    readonly number: string;
    readonly expiry_month: string;
    readonly expiry_year: string;
  };
  /** Absent where there is no browser that a challenge could be shown in. */
  readonly browser?: {
    readonly description: BrowserDescription;
    /** threeDSCompInd: whether the bank's method page was done (Y), was not (N), or there is none (U). */
    readonly method_completion: 'Y' | 'N' | 'U';
    /** Where the bank's challenge page sends the browser when it is over. */
    readonly notification_url: string;
    /** Where the directory server sends a `ChallengeResult`. */
    readonly results_url: string;
  };
}

/** transStatus: Y authenticated, A attempted, N refused, C challenge, R rejected, U unavailable, I for information. */
export type TransStatus = 'Y' | 'A' | 'N' | 'C' | 'R' | 'U' | 'I';

/** The directory server's answer (ARes), with the letters of EMV 3-D Secure. */
export interface AuthenticationAnswer {
  readonly enrolled: boolean;
  /** Absent when not enrolled. */
  readonly trans_status?: TransStatus;
  readonly message_version: string;
  readonly eci: string;
  readonly cavv?: string;
  readonly ds_trans_id?: string;
  readonly acs_trans_id?: string;
  /** The bank's challenge page; with status C, where there is a browser. */
  readonly acs_url?: string;
}

/** What a challenge came to (RReq), from the directory server to `results_url`; answered with `ResultReceipt`. */
export interface ChallengeResult {
  readonly reference: string;
  readonly ds_trans_id: string;
  readonly acs_trans_id: string;
  readonly message_version: string;
  readonly trans_status: 'Y' | 'A' | 'N' | 'U' | 'R';
  readonly eci: string;
  readonly cavv?: string;
  /** challengeCancel: 01 by the cardholder, 04 timed out, 05 never opened, 06 an error; absent where it ran its course. */
  readonly challenge_cancel?: '01' | '04' | '05' | '06';
}

/** RRes. `resultsStatus` 01: received, whether or not it still changed anything. */
export interface ResultReceipt {
  readonly reference: string;
  readonly results_status: '01';
}

/**
 * The sandbox's wallet sheet: POST `WalletSheetRequest` as JSON, on the origin of the bank's pages and under its
 * host alone. Answers `WalletSheetAnswer`, or 400 with an `error` in words.
 */
export const walletSheetPaths = {
  apple_pay: '/wallets/apple_pay',
  google_pay: '/wallets/google_pay',
} as const;

/** Who pays with what, and for whom the token is. What names the recipient is what the vault publishes (`WalletKeys`). */
export interface WalletSheetRequest {
  /** Name of a sandbox card, such as `pan_test_visa`. */
  readonly card: string;
  /** Whether the device proves who pays. Apple's always does, so `pan_only` is Google's alone. */
  readonly kind: 'cryptogram' | 'pan_only';
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** Apple: SPKI in base64. Google: uncompressed point in base64. */
  readonly public_key: string;
  /** Apple's alone. */
  readonly merchant_identifier?: string;
  /** Google's alone. */
  readonly recipient_id?: string;
  /** Google's alone, for a gateway: the Florin merchant's id. */
  readonly gateway_merchant_id?: string;
}

export interface WalletSheetAnswer {
  /** JSON text: the `token` of the vault's `wallet` source. */
  readonly token: string;
}

export interface Books {
  readonly authorisations: number;
  readonly approved: number;
  readonly declined: number;
  readonly reversed: number;
  /** References that were sent more than once; each was answered, none was approved twice. */
  readonly repeats: number;
  /** Refunds that were approved, and their sum; it is never above what was captured. */
  readonly refunds: number;
  readonly refunded: number;
  /** Holds that were captured, and the sum. */
  readonly captures: number;
  readonly captured: number;
}
