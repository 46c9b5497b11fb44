import type { SettlementEntry } from '../ledger.ts';

/**
 * Protocol between the simulated card network and its processor adapter: JSON over HTTP, amounts in minor units.
 * `reference` is the caller's id of an operation. Calls are idempotent: the first response for a reference is final.
 */
import type { WalletKind } from './vault.ts';

export const networkPaths = {
  /** POST AuthorisationRequest. GET `/v1/authorisations/<reference>` inquires; 404 if unknown. */
  authorisations: '/v1/authorisations',
  /**
   * POST `/v1/authorisations/<reference>/reverse`: reverses it, and refuses it if it arrives later. Responds with the
   * authorisation. Declined and refunded authorisations stay as they are.
   */
  reverse: (reference: string) => `/v1/authorisations/${reference}/reverse`,
  /** POST FollowUpRequest: refunds a captured authorisation. */
  refundsOf: (authorisation: string) => `/v1/authorisations/${authorisation}/refunds`,
  /** GET `/v1/refunds/<reference>` inquires; 404 if unknown. */
  refunds: '/v1/refunds',
  /** POST FollowUpRequest: captures all or part of a hold, once. The rest is released. */
  capturesOf: (authorisation: string) => `/v1/authorisations/${authorisation}/captures`,
  /** GET `/v1/captures/<reference>` inquires; 404 if unknown. */
  captures: '/v1/captures',
  /** POST DisputeRequest: the payer disputes a captured authorisation. In the sandbox, any caller can ask for it. */
  disputeOf: (authorisation: string) => `/v1/authorisations/${authorisation}/dispute`,
  /** POST: performs the scheduled follow-up of a simulation now, for senders whose time runs faster. */
  laterOf: (authorisation: string) => `/v1/authorisations/${authorisation}/later`,
  /** GET DisputeList: disputes that changed after a position. */
  disputesAfter: (position: number) => `/v1/disputes/after/${position}`,
  /** POST `{ evidence }` or `{ accept: true }`; responds with the dispute. */
  disputeResponse: (reference: string) => `/v1/disputes/${reference}/response`,
  /** GET SettlementFilePart of a day in UTC (`2026-01-31`), from part 1 on; 404 until the day is over. */
  settlement: (day: string, part: number) => `/v1/settlements/${day}/${part}`,
  /** POST AuthenticationRequest: the directory server's response. */
  authentications: '/v1/authentications',
  /** POST CardRangeRequest: the directory server's data for a card range. */
  cardRanges: '/v1/card_ranges',
  /** GET: counts of the network's ledger, for tests. */
  books: '/v1/books',
  /** GET NetworkIdentity. */
  identity: '/v1/identity',
  /** Path prefix that addresses one network. Another network responds with 421 and does nothing. */
  only: (identity: string) => `/networks/${identity}`,
  health: '/health',
} as const;

/**
 * Identifies a network by its stored ledger: a network with another ledger is another network, whatever its address.
 */
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
  /**
   * Charge of a saved card without its cardholder: the network's id of an earlier approval with the cardholder present.
   */
  readonly initiated_by_merchant?: { readonly original_transaction_id: string };
  /** Sandbox only: the behaviour to simulate. Unknown values change nothing. */
  readonly simulate?: string;
  /**
   * Sandbox only: the sender's time (ISO 8601) if it differs from the network's. Decides whether cards have expired.
   */
  readonly sent_at?: string;
  readonly authentication?: {
    readonly eci: string;
    readonly cavv?: string;
    readonly transaction_id?: string;
  };
  /** Present for wallet cards. The cryptogram is bound to number and amount, and counts once. */
  readonly wallet?: {
    readonly kind: WalletKind;
    readonly cryptogram?: string;
    readonly eci?: string;
  };
}

export interface AuthorisationAnswer {
  readonly reference: string;
  readonly result: 'approved' | 'declined' | 'reversed';
  /** Two-digit response code like ISO 8583 field 39, or a letter code of the network. */
  readonly response_code: string;
  /** Minor units, if less than the requested amount was approved. */
  readonly approved_amount?: number;
  readonly authorisation_code?: string;
  readonly network_transaction_id?: string;
  /** Address and postal code: Y match, N mismatch, U not checked. */
  readonly avs: 'Y' | 'N' | 'U';
  /** M match, N mismatch, P not processed. */
  readonly cvc: 'M' | 'N' | 'P';
}

/** A refund or a capture of an authorisation. */
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
  /** Minor units of a partial dispute, which may be repeated. If absent, disputes the remaining amount, once. */
  readonly amount?: number;
}

/** A dispute at `position`, the sequence number of its latest change among all disputes. */
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

/** A captured, refunded or disputed amount. */
export interface SettlementLine {
  /** Counts from 1 over all parts of the file. */
  readonly line: number;
  readonly entry: SettlementEntry;
  /**
   * Reference of the capture or refund, of an authorisation with immediate capture, or the network's dispute reference.
   */
  readonly reference: string;
  readonly authorisation: string;
  readonly amount: number;
  readonly currency: string;
}

/**
 * One part of a settlement file. The trailer holds the number of all lines and the sum of their amounts over all
 * currencies, as decimal digits: it may exceed a number.
 */
export interface SettlementFilePart {
  readonly day: string;
  readonly part: number;
  readonly is_last: boolean;
  readonly lines: readonly SettlementLine[];
  readonly trailer: { readonly count: number; readonly sum: string };
}

/** The amount is sandbox only: some amounts select a behaviour. */
export interface CardRangeRequest {
  /** First six digits. */
  readonly bin: string;
  readonly amount: number;
}

export interface CardRangeAnswer {
  readonly enrolled: boolean;
  /** The issuer's page that inspects the browser before the authentication. */
  readonly method_url?: string;
}

/** Browser details for the issuer's page. EMV 3-D Secure names in our spelling. */
export interface BrowserDescription {
  readonly accept_header: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly language: string;
  /** 1, 4, 8, 15, 16, 24, 32 or 48 bits. */
  readonly color_depth: number;
  readonly screen_height: number;
  readonly screen_width: number;
  /** Offset of UTC from the browser's time, in minutes. */
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
  /** Absent without a browser that can show a challenge. */
  readonly browser?: {
    readonly description: BrowserDescription;
    /** threeDSCompInd: the issuer's method page finished (Y), did not finish (N), or does not exist (U). */
    readonly method_completion: 'Y' | 'N' | 'U';
    /** The issuer's challenge page sends the browser here at its end. */
    readonly notification_url: string;
    /** Where the directory server sends a `ChallengeResult`. */
    readonly results_url: string;
  };
}

/** transStatus: Y authenticated, A attempted, N refused, C challenge, R rejected, U unavailable, I for information. */
export type TransStatus = 'Y' | 'A' | 'N' | 'C' | 'R' | 'U' | 'I';

/** The directory server's response (ARes), with the letters of EMV 3-D Secure. */
export interface AuthenticationAnswer {
  readonly enrolled: boolean;
  /** Absent if not enrolled. */
  readonly trans_status?: TransStatus;
  readonly message_version: string;
  readonly eci: string;
  readonly cavv?: string;
  readonly ds_trans_id?: string;
  readonly acs_trans_id?: string;
  /** The issuer's challenge page; with status C, if there is a browser. */
  readonly acs_url?: string;
}

/** Result of a challenge (RReq), sent by the directory server to `results_url`; the response is a `ResultReceipt`. */
export interface ChallengeResult {
  readonly reference: string;
  readonly ds_trans_id: string;
  readonly acs_trans_id: string;
  readonly message_version: string;
  readonly trans_status: 'Y' | 'A' | 'N' | 'U' | 'R';
  readonly eci: string;
  readonly cavv?: string;
  /** challengeCancel: 01 by the cardholder, 04 timed out, 05 never opened, 06 an error; absent after a normal end. */
  readonly challenge_cancel?: '01' | '04' | '05' | '06';
}

/** RRes. `resultsStatus` 01: received, even if it changed nothing. */
export interface ResultReceipt {
  readonly reference: string;
  readonly results_status: '01';
}

/**
 * Sandbox wallet sheet: POST `WalletSheetRequest` as JSON, only on the host of the simulated bank pages. Responds with
 * `WalletSheetAnswer`, or 400 with an `error` text.
 */
export const walletSheetPaths = {
  apple_pay: '/wallets/apple_pay',
  google_pay: '/wallets/google_pay',
} as const;

/**
 * Card, amount and recipient of a wallet token. The recipient fields are those that the vault publishes (`WalletKeys`).
 */
export interface WalletSheetRequest {
  /** Name of a sandbox card, such as `pan_test_visa`. */
  readonly card: string;
  /** Whether the device authenticates the payer. Apple always does, so only Google has `pan_only`. */
  readonly kind: 'cryptogram' | 'pan_only';
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** Apple: SPKI in base64. Google: uncompressed point in base64. */
  readonly public_key: string;
  /** Apple only. */
  readonly merchant_identifier?: string;
  /** Google only. */
  readonly recipient_id?: string;
  /** Google only, with a gateway: the Florin merchant's id. */
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
  /** References sent more than once. Each got a response; none was approved twice. */
  readonly repeats: number;
  /** Approved refunds and their sum, which never exceeds the captured amount. */
  readonly refunds: number;
  readonly refunded: number;
  /** Captured holds and their sum. */
  readonly captures: number;
  readonly captured: number;
}
