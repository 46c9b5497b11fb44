import type { SignatureRequest } from '@florin/contract/protocol/processor-accounts.ts';
import type { DisputeNotification } from './disputes.ts';
import type { AccountSettings } from './metadata.ts';
import type { AuthoriseResult, FollowUpResult } from './processor.ts';

/** A message of a processor, as it arrived. */
export interface RawNotification {
  /** By name in lower case. Repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body. */
  readonly body: Uint8Array;
}

/** A signature to verify: names of secrets, of which one must match, and the check. */
export interface SignatureCheck extends Pick<SignatureRequest, 'secrets' | 'check'> {
  /** The check counts only if the account has one of the secrets. Never set for all checks of a message. */
  readonly only_if_stored?: true;
}

interface FactBase {
  /** Identifies the fact at the processor. A repeated fact has the same key, and the later `at` counts. */
  readonly key: string;
  /** Time of the processor, ISO 8601. */
  readonly at: string;
}

/**
 * One fact of a notification. `attempt_id` and `demand_id` are ours. A fact without one is matched by the processor's
 * reference.
 */
export type NotificationFact = FactBase &
  (
    | {
        readonly kind: 'authorisation';
        readonly attempt_id: string;
        readonly result: AuthoriseResult;
      }
    /** A void or a reversal. `reversed: false`: the processor refused it, and nothing changed. */
    | {
        readonly kind: 'reversal';
        readonly attempt_id?: string;
        readonly processor_reference?: string;
        /** The processor's reference of the void or reversal itself. */
        readonly reversal_reference?: string;
        readonly reversed: boolean;
      }
    | {
        readonly kind: 'capture' | 'refund';
        readonly demand_id?: string;
        /** Reference of the capture or refund. */
        readonly processor_reference: string;
        /** Reference of its authorisation. Finds the payment if the receipt with the other reference was lost. */
        readonly authorisation_reference?: string;
        readonly result: FollowUpResult;
      }
    /** A capture or refund that failed after its approval. */
    | {
        readonly kind: 'capture_failed' | 'refund_failed';
        readonly demand_id?: string;
        readonly processor_reference: string;
        readonly authorisation_reference?: string;
        readonly reason: string;
      }
    | {
        readonly kind: 'dispute';
        /** The processor's reference of the disputed authorisation. */
        readonly processor_reference: string;
        readonly dispute: Omit<DisputeNotification, 'position' | 'attempt_id'>;
      }
    /** A settlement report that can be read. */
    | { readonly kind: 'report'; readonly name: string; readonly url: string }
    /** Known to be of no interest, or of a kind that this version does not know. */
    | { readonly kind: 'ignored'; readonly why: string }
  );

/** Reads a processor's notifications. Pure. */
export interface Notifications {
  /** Secrets of the account that signatures need. */
  readonly secrets: readonly string[];
  /** Text of the answer to a stored notification; absent: none. */
  readonly acknowledgement?: string;
  /**
   * Signatures to verify, all of which must match. Undefined if the message has none, or is not readable: it is
   * then refused.
   */
  signaturesOf(notification: RawNotification): readonly SignatureCheck[] | undefined;
  /** Never throws. A verified message that cannot be read gives one `ignored` fact. */
  readFacts(notification: RawNotification, account: AccountSettings): readonly NotificationFact[];
}

/** Notifications of one account. */
export interface AccountNotifications
  extends Pick<Notifications, 'acknowledgement' | 'signaturesOf'> {
  readFacts(notification: RawNotification): readonly NotificationFact[];
}
