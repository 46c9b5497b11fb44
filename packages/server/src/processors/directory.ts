/**
 * Port to a directory server, which routes authentications to issuers (EMV 3-D Secure). Pure, like
 * the processor port: other code sends messages and receives responses.
 */
import type { BrowserDescription } from '@florin/contract/protocol/network.ts';
import type { CardRequest, Money, ProcessorOperation } from './message.ts';

export interface CardRangeInput {
  /** First six digits of the card. */
  readonly bin: string;
  /** In minor units. */
  readonly amount: number;
}

export interface CardRange {
  /**
   * The issuer's page that fingerprints the browser before authentication; absent if there is none.
   */
  readonly method_url?: string;
}

export interface AuthenticateInput extends Money {
  /** Identifies the authentication at the directory server (threeDSServerTransID). */
  readonly attempt_id: string;
  /** Absent if no browser could show a challenge. */
  readonly browser?: {
    readonly description: BrowserDescription;
    /** Whether the issuer's method page completed (Y), failed (N), or does not exist (U). */
    readonly method_completion: 'Y' | 'N' | 'U';
    readonly notification_url: string;
    /** Unguessable, since anyone who knows the URL may report a challenge's outcome. */
    readonly results_url: string;
  };
}

/**
 * The issuer's result, with the public names and letters of EMV 3-D Secure. `not_authenticated`:
 * the issuer could not or would not authenticate; the payment may continue without liability shift.
 * `unavailable`: no valid response.
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
  /** transStatus, or `not_enrolled` if no issuer takes part. */
  readonly status: string;
  readonly eci: string;
  readonly cryptogram?: string;
  readonly directory_transaction_eid?: string;
  readonly acs_transaction_eid?: string;
  /** The issuer's challenge page. */
  readonly acs_url?: string;
}

/** Outcome of a challenge. `cancel` is why it ended early: `cardholder`, `timeout` or `error`. */
export interface ChallengeOutcome extends Omit<AuthenticateResult, 'result' | 'acs_url'> {
  readonly attempt_id: string;
  readonly result: 'authenticated' | 'rejected' | 'unavailable';
  readonly cancel?: 'cardholder' | 'timeout' | 'error';
}

export interface Directory {
  /** Facts about a range of cards; empty if unavailable. Needs no card. */
  readonly cardRange: ProcessorOperation<CardRangeInput, CardRange>;
  readonly authenticate: ProcessorOperation<AuthenticateInput, AuthenticateResult, CardRequest>;
  /** Parses the directory server's message about a challenge; undefined for anything else. */
  readOutcome(body: unknown): ChallengeOutcome | undefined;
  /** Response to the directory server for a parsed message. */
  receiptOf(outcome: ChallengeOutcome): object;
}

/** The issuer could not be reached. Brand and version are unknown, so these are the usual ones. */
export const issuerUnavailable: AuthenticateResult = {
  result: 'unavailable',
  version: '2.2.0',
  status: 'U',
  eci: '07',
};
