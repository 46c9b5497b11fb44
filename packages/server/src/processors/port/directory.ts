/**
 * Port to a directory server, which routes authentications to issuers (EMV 3-D Secure). Adapters are pure:
 * other code sends their messages and receives the responses.
 */
import type { BrowserDescription } from '@florin/contract/protocol/network.ts';
import type { CardRequest, Money, ProcessorOperation } from './message.ts';

export interface CardRangeInput {
  /** First six digits of the card. */
  readonly bin: string;
  /** Amount in minor units. */
  readonly amount: number;
}

export interface CardRange {
  /** Issuer's page that fingerprints the browser before the authentication; absent if the issuer has none. */
  readonly method_url?: string;
}

export interface AuthenticateInput extends Money {
  /** Identifies the authentication at the directory server (threeDSServerTransID). */
  readonly attempt_id: string;
  /** The payer's browser; absent if no challenge can be shown. */
  readonly browser?: {
    readonly description: BrowserDescription;
    /** Issuer's method page: completed (Y), failed (N), or does not exist (U). */
    readonly method_completion: 'Y' | 'N' | 'U';
    readonly notification_url: string;
    /** URL for results. */
    readonly results_url: string;
    /** Key of this authentication, for signatures of its results. */
    readonly results_key: string;
  };
}

/**
 * The issuer's result, with the names and letters of EMV 3-D Secure. `not_authenticated`: the issuer could
 * not or did not authenticate; the payment may continue without liability shift. `unavailable`: no valid
 * response.
 */
export interface AuthenticateResult {
  readonly result:
    | 'authenticated'
    | 'rejected'
    | 'challenge'
    | 'not_enrolled'
    | 'not_authenticated'
    | 'unavailable';
  readonly version: string;
  /** transStatus, or `not_enrolled` if the issuer does not participate. */
  readonly status: string;
  readonly eci: string;
  readonly cryptogram?: string;
  readonly directory_transaction_eid?: string;
  readonly acs_transaction_eid?: string;
  /** URL of the issuer's challenge page. */
  readonly acs_url?: string;
}

/** Outcome of a challenge. `cancel` is the reason for an early end: `cardholder`, `timeout` or `error`. */
export interface ChallengeOutcome extends Omit<AuthenticateResult, 'result' | 'acs_url'> {
  readonly attempt_id: string;
  readonly result: 'authenticated' | 'rejected' | 'unavailable';
  readonly cancel?: 'cardholder' | 'timeout' | 'error';
}

/** A message to the address for results, as it arrived. */
export interface ResultMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Directory {
  /** Facts about a card range; empty if unavailable. Sent without a card number. */
  readonly cardRange: ProcessorOperation<CardRangeInput, CardRange>;
  readonly authenticate: ProcessorOperation<AuthenticateInput, AuthenticateResult, CardRequest>;
  /**
   * Time of an authentic result's delivery in Unix milliseconds. Undefined if the signature is missing or
   * was not made with one of these keys.
   */
  sentAt(message: ResultMessage, keys: readonly string[]): number | undefined;
  /** Parses the directory server's message about a challenge; undefined for any other body. */
  readOutcome(body: unknown): ChallengeOutcome | undefined;
  /** Response to the directory server for a parsed message. */
  receiptOf(outcome: ChallengeOutcome): object;
}

/** Result in a mode without a directory server: the payment may continue without liability shift. */
export const noDirectoryResult: AuthenticateResult = {
  result: 'not_authenticated',
  version: '2.2.0',
  status: 'U',
  eci: '07',
};

/** Result for an unreachable issuer. Brand and version are unknown, so these are common values. */
export const issuerUnavailableResult: AuthenticateResult = {
  result: 'unavailable',
  version: '2.2.0',
  status: 'U',
  eci: '07',
};
