/**
 * The port to a directory server, which knows the banks that authenticate cardholders (EMV 3-D Secure). Pure
 * like the port to a processor: messages go out and answers come in elsewhere.
 */
import type { BrowserDescription } from '@florin/contract/protocol/network.ts';
import type { CardRequest, Money, Operation } from './message.ts';

export interface CardRangeInput {
  /** First six digits of the card. */
  readonly bin: string;
  /** In minor units. */
  readonly amount: number;
}

export interface CardRange {
  /** The bank's page that wants to look at the browser before it is asked; absent where it has none. */
  readonly method_url?: string;
}

export interface AuthenticateInput extends Money {
  /** Names the authentication at the directory server (threeDSServerTransID). */
  readonly attempt_id: string;
  /** Absent where there is no browser that a challenge could be shown in. */
  readonly browser?: {
    readonly description: BrowserDescription;
    /** Whether the bank's method page was done (Y), was not (N), or there is none (U). */
    readonly method_completion: 'Y' | 'N' | 'U';
    readonly notification_url: string;
    /** Unguessable: who knows it may say what a challenge came to. */
    readonly results_url: string;
  };
}

/**
 * What the bank said, with the public names and letters of EMV 3-D Secure. `not_authenticated`: it could or
 * would not tell; the payment may go on without its guarantee. `unavailable`: nobody answered in a way that
 * counts.
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
  /** transStatus, or `not_enrolled` where there was no bank to ask. */
  readonly status: string;
  readonly eci: string;
  readonly cryptogram?: string;
  readonly directory_transaction_eid?: string;
  readonly acs_transaction_eid?: string;
  /** The bank's challenge page. */
  readonly acs_url?: string;
}

/** What a challenge came to. `cancel` is why it ended early: `cardholder`, `timeout` or `error`. */
export interface ChallengeOutcome extends Omit<AuthenticateResult, 'result' | 'acs_url'> {
  readonly attempt_id: string;
  readonly result: 'authenticated' | 'rejected' | 'unavailable';
  readonly cancel?: 'cardholder' | 'timeout' | 'error';
}

export interface Directory {
  /** What is known of a range of cards; nothing where that cannot be found out. Needs no card. */
  readonly cardRange: Operation<CardRangeInput, CardRange>;
  readonly authenticate: Operation<AuthenticateInput, AuthenticateResult, CardRequest>;
  /** Reads what the directory server sends about a challenge; undefined for what is no such message. */
  readOutcome(body: unknown): ChallengeOutcome | undefined;
  /** What the directory server gets for a message that was read. */
  receiptOf(outcome: ChallengeOutcome): object;
}

/** The issuer could not be asked. No brand or version is known, so these are what most networks use. */
export const notAsked: AuthenticateResult = {
  result: 'unavailable',
  version: '2.2.0',
  status: 'U',
  eci: '07',
};
