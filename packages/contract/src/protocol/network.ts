import type { SettlementEntry } from '../ledger.ts';

/**
 * Protocol between the simulated card network and its processor adapter: JSON over HTTP, amounts in minor units.
 * `reference` is the caller's id of an operation. Calls are idempotent: a reference always gets its first response.
 */
import type { WalletKind } from './vault.ts';

export const networkPaths = {
  /**
   * POST AuthorisationRequest: authorises. GET `/v1/authorisations/<reference>`: inquires, 404 if
   * unknown.
   */
  authorisations: '/v1/authorisations',
  /**
   * POST: reverses an authorisation, or refuses it in advance if it has not arrived yet. Responds
   * with the authorisation. Declined and refunded authorisations do not change.
   */
  reverse: (reference: string) => `/v1/authorisations/${reference}/reverse`,
  /** POST FollowUpRequest: refunds a captured authorisation. */
  refundsOf: (authorisation: string) => `/v1/authorisations/${authorisation}/refunds`,
  /** GET `/v1/refunds/<reference>`: inquires, 404 if unknown. */
  refunds: '/v1/refunds',
  /** POST FollowUpRequest: captures all or part of a hold. Releases the rest unless `final` is false. */
  capturesOf: (authorisation: string) => `/v1/authorisations/${authorisation}/captures`,
  /** GET `/v1/captures/<reference>`: inquires, 404 if unknown. */
  captures: '/v1/captures',
  /**
   * POST DisputeRequest: the payer disputes a captured authorisation. Any caller may send it in the
   * sandbox.
   */
  disputeOf: (authorisation: string) => `/v1/authorisations/${authorisation}/dispute`,
  /** POST: runs the scheduled effect of a simulation now, for callers with an advanced clock. */
  laterOf: (authorisation: string) => `/v1/authorisations/${authorisation}/later`,
  /** GET DisputeList: disputes with changes after a position. */
  disputesAfter: (position: number) => `/v1/disputes/after/${position}`,
  /** POST `{ evidence, files }` (number of files) or `{ accept: true }`: responds to a dispute. Returns the dispute. */
  disputeResponse: (reference: string) => `/v1/disputes/${reference}/response`,
  /**
   * GET SettlementFilePart of a UTC day (`2026-01-31`), from part 1 on. 404 until the day is over.
   */
  settlement: (day: string, part: number) => `/v1/settlements/${day}/${part}`,
  /**
   * GET HistoryList: changes of money from an instant (ISO 8601) on, after a position, the oldest first. Begin at
   * position 0.
   */
  history: (since: string, position: number) => `/v1/history/${since}/${position}`,
  /** POST AuthenticationRequest: queries the directory server about a cardholder. */
  authentications: '/v1/authentications',
  /** POST CardRangeRequest: queries the directory server about a card range. */
  cardRanges: '/v1/card_ranges',
  /** GET: counts of the network's ledger, for tests. */
  books: '/v1/books',
  /** GET NetworkIdentity. */
  identity: '/v1/identity',
  /**
   * Path prefix of one network. Another network behind this address responds 421 and does nothing.
   */
  only: (identity: string) => `/networks/${identity}`,
  health: '/health',
} as const;

/**
 * Identity of a network's ledger. A network with another ledger has another identity, even at the
 * same address.
 */
export interface NetworkIdentity {
  readonly identity: string;
}

/** Ids of the caller that belong to an authorisation. */
export interface NetworkOrder {
  readonly merchant: string;
  readonly payment: string;
}

export const historyKinds = ['authorisation', 'capture', 'refund', 'reversal'] as const;
export type HistoryKind = (typeof historyKinds)[number];

/** An approved change of money. A reversal names the authorisation as its reference. */
export interface HistoryEntry {
  readonly position: number;
  readonly kind: HistoryKind;
  readonly reference: string;
  readonly authorisation: string;
  readonly amount: number;
  readonly currency: string;
  /** Whether an authorisation was captured with its approval, or a capture ended its hold. */
  readonly final: boolean;
  readonly order?: NetworkOrder;
}

/** A page of the history. The next one begins after its last position; an empty page is the end. */
export interface HistoryList {
  readonly entries: readonly HistoryEntry[];
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
   * For a merchant-initiated charge: the network's id of an earlier approval that the cardholder
   * took part in.
   */
  readonly initiated_by_merchant?: { readonly original_transaction_id: string };
  /** The caller's merchant and payment, which the history repeats. */
  readonly order?: NetworkOrder;
  /** Sandbox only: the behaviour to simulate. Unknown values have no effect. */
  readonly simulate?: string;
  /**
   * Sandbox only: the sender's time (ISO 8601), if it differs from the network's. Decides whether a
   * card has expired.
   */
  readonly sent_at?: string;
  readonly authentication?: {
    readonly eci: string;
    readonly cavv?: string;
    readonly transaction_id?: string;
  };
  /**
   * Present for wallet cards. The cryptogram is bound to card number and amount, and can be used
   * once.
   */
  readonly wallet?: {
    readonly kind: WalletKind;
    readonly cryptogram?: string;
    readonly eci?: string;
  };
  /**
   * Present if the card number is a network token of the merchant. Only charges without the payer
   * may leave out the cryptogram. Each one is accepted once.
   */
  readonly network_token?: { readonly cryptogram?: string; readonly eci?: string };
}

export interface AuthorisationAnswer {
  readonly reference: string;
  readonly result: 'approved' | 'declined' | 'reversed';
  /** Response code: two digits as in ISO 8583 field 39, or a letter code of the network. */
  readonly response_code: string;
  /** Approved amount in minor units, if less than requested. */
  readonly approved_amount?: number;
  /** Amount and currency of the request. Only answers to inquiries have them. */
  readonly amount?: number;
  readonly currency?: string;
  readonly authorisation_code?: string;
  readonly network_transaction_id?: string;
  /** Check of address and postal code: Y both match, A only the address, Z only the postal code, N none, U not checked. */
  readonly avs: 'Y' | 'A' | 'Z' | 'N' | 'U';
  /** Check of the verification value: M match, N mismatch, P not processed. */
  readonly cvc: 'M' | 'N' | 'P';
}

/** A refund or capture of an authorisation. */
export interface FollowUpRequest {
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  /** Captures only. False leaves the rest of the hold for further captures; absent: true. */
  readonly final?: boolean;
  /** Same values as for authorisations. */
  readonly simulate?: string;
}

export interface FollowUpAnswer {
  readonly reference: string;
  readonly result: 'approved' | 'declined';
  /** Same codes as for authorisations. */
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
  /**
   * Minor units of a partial dispute; an authorisation may have several. If absent, disputes the
   * remaining amount once.
   */
  readonly amount?: number;
}

/**
 * A dispute. `position` is the sequence number of its latest change, among changes of all disputes.
 */
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

/** A captured, refunded or disputed amount in a settlement file. */
export interface SettlementLine {
  /** Number of the line, from 1 over all parts of the file. */
  readonly line: number;
  readonly entry: SettlementEntry;
  /**
   * Reference of the capture or refund; of the authorisation if captured immediately; or the
   * network's id of the dispute.
   */
  readonly reference: string;
  readonly authorisation: string;
  readonly amount: number;
  readonly currency: string;
}

/**
 * One part of a settlement file. The trailer has the number of all lines, and the sum of their
 * amounts over all currencies. The sum is text, since it may exceed a number.
 */
export interface SettlementFilePart {
  readonly day: string;
  readonly part: number;
  readonly is_last: boolean;
  readonly lines: readonly SettlementLine[];
  readonly trailer: { readonly count: number; readonly sum: string };
}

/** Query about a card range. In the sandbox, some values of `amount` select a behaviour. */
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

/** Facts about the browser for the issuer. Names of EMV 3-D Secure in snake case. */
export interface BrowserDescription {
  readonly accept_header: string;
  readonly ip: string;
  readonly user_agent: string;
  readonly language: string;
  /** Colour depth: 1, 4, 8, 15, 16, 24, 32 or 48 bits. */
  readonly color_depth: number;
  readonly screen_height: number;
  readonly screen_width: number;
  /** Minutes from the browser's time to UTC (`getTimezoneOffset`). */
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
  /** Absent if no browser can show a challenge. */
  readonly browser?: {
    readonly description: BrowserDescription;
    /** threeDSCompInd: the issuer's method page finished (Y), did not finish (N), or does not exist (U). */
    readonly method_completion: 'Y' | 'N' | 'U';
    /** URL to which the issuer's challenge page sends the browser at its end. */
    readonly notification_url: string;
    /** URL to which the directory server sends a `ChallengeResult`. */
    readonly results_url: string;
    /** Key with which the directory server signs this authentication's results. */
    readonly results_key: string;
  };
}

/** transStatus: Y authenticated, A attempted, N refused, C challenge, R rejected, U unavailable, I for information. */
export type TransStatus = 'Y' | 'A' | 'N' | 'C' | 'R' | 'U' | 'I';

/** The directory server's response (ARes). Status values are codes of EMV 3-D Secure. */
export interface AuthenticationAnswer {
  readonly enrolled: boolean;
  /** Absent if the card is not enrolled. */
  readonly trans_status?: TransStatus;
  readonly message_version: string;
  readonly eci: string;
  readonly cavv?: string;
  readonly ds_trans_id?: string;
  readonly acs_trans_id?: string;
  /** URL of the issuer's challenge page. Present with status C if the request had a browser. */
  readonly acs_url?: string;
}

/**
 * Result of a challenge (RReq). The directory server sends it to `results_url`, signed as
 * `threeds-results.ts` says. The response is a
 * `ResultReceipt`.
 */
export interface ChallengeResult {
  readonly reference: string;
  readonly ds_trans_id: string;
  readonly acs_trans_id: string;
  readonly message_version: string;
  readonly trans_status: 'Y' | 'A' | 'N' | 'U' | 'R';
  readonly eci: string;
  readonly cavv?: string;
  /**
   * challengeCancel: 01 by the cardholder, 04 timed out, 05 never opened, 06 error. Absent after a
   * normal end.
   */
  readonly challenge_cancel?: '01' | '04' | '05' | '06';
}

/** Receipt of a result (RRes). `resultsStatus` 01: received, even if it changed nothing. */
export interface ResultReceipt {
  readonly reference: string;
  readonly results_status: '01';
}

/**
 * Sandbox wallet sheet: POST `WalletSheetRequest` as JSON, on the host of the simulated bank pages
 * only. Responds with `WalletSheetAnswer`, or 400 with an `error` text.
 */
export const walletSheetPaths = {
  apple_pay: '/wallets/apple_pay',
  google_pay: '/wallets/google_pay',
} as const;

/**
 * Card, amount and recipient of a wallet token. The vault publishes the recipient's fields
 * (`WalletKeys`).
 */
export interface WalletSheetRequest {
  /** Name of a sandbox card, such as `pan_test_visa`. */
  readonly card: string;
  /**
   * Whether the device authenticates the payer. `pan_only` is for Google only: Apple's devices
   * always authenticate.
   */
  readonly kind: 'cryptogram' | 'pan_only';
  /** Amount in minor units. */
  readonly amount: number;
  readonly currency: string;
  /** Apple: SPKI in base64. Google: uncompressed point in base64. */
  readonly public_key: string;
  /** Only for Apple Pay. */
  readonly merchant_identifier?: string;
  /** Only for Google Pay. */
  readonly recipient_id?: string;
  /** Only for Google Pay with a gateway: the Florin merchant's id. */
  readonly gateway_merchant_id?: string;
}

export interface WalletSheetAnswer {
  /** JSON text of the wallet token, as the vault's `wallet` source accepts it. */
  readonly token: string;
}

export interface NetworkCounts {
  readonly authorisations: number;
  readonly approved: number;
  readonly declined: number;
  readonly reversed: number;
  /**
   * Number of references that were sent repeatedly. The network approves each reference once at
   * most.
   */
  readonly repeats: number;
  /** Number of approved refunds; `refunded` is their sum, never more than the captured amount. */
  readonly refunds: number;
  readonly refunded: number;
  /** Number of captured holds; `captured` is their sum. */
  readonly captures: number;
  readonly captured: number;
}
