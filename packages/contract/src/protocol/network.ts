/**
 * The wire of the simulated card network: JSON over HTTP. Only the simulator and its processor
 * adapter speak it. Amounts are minor units; `reference` is the caller's own id of an authorisation or a
 * refund and makes every call idempotent: the first answer for a reference is the answer for ever.
 */
export const networkPaths = {
  /** POST AuthorisationRequest; GET `/v1/authorisations/<reference>` inquires, 404 where it is not known. */
  authorisations: '/v1/authorisations',
  /** POST `/v1/authorisations/<reference>/reverse`: undoes it, and refuses it should it still arrive. */
  reverse: (reference: string) => `/v1/authorisations/${reference}/reverse`,
  /** POST RefundRequest: gives money of a captured authorisation back. */
  refundsOf: (authorisation: string) => `/v1/authorisations/${authorisation}/refunds`,
  /** GET `/v1/refunds/<reference>` inquires, 404 where it is not known. */
  refunds: '/v1/refunds',
  /** POST AuthenticationRequest: the directory server's answer. */
  authentications: '/v1/authentications',
  /** GET: counts of the network's own books, for tests. */
  books: '/v1/books',
  health: '/health',
} as const;

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
  readonly authentication?: {
    readonly eci: string;
    readonly cavv?: string;
    readonly transaction_id?: string;
  };
}

export interface AuthorisationAnswer {
  readonly reference: string;
  readonly result: 'approved' | 'declined' | 'reversed';
  /** Two-digit response code in the manner of ISO 8583 field 39, or a letter code of the network. */
  readonly response_code: string;
  readonly authorisation_code?: string;
  readonly network_transaction_id?: string;
  /** Y address and postal code match, N neither, U not checked. */
  readonly avs: 'Y' | 'N' | 'U';
  /** M match, N mismatch, P not processed. */
  readonly cvc: 'M' | 'N' | 'P';
}

export interface RefundRequest {
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
}

export interface RefundAnswer {
  readonly reference: string;
  readonly result: 'approved' | 'declined';
  /** As for authorisations. */
  readonly response_code: string;
  readonly network_transaction_id?: string;
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
}

/** The directory server's answer, with the field names and letters of EMV 3-D Secure. */
export interface AuthenticationAnswer {
  readonly enrolled: boolean;
  /** Y authenticated, N refused, C challenge, R rejected, U unavailable; absent when not enrolled. */
  readonly trans_status?: 'Y' | 'N' | 'C' | 'R' | 'U';
  readonly message_version: string;
  readonly eci: string;
  readonly cavv?: string;
  readonly ds_trans_id?: string;
  readonly acs_trans_id?: string;
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
}
