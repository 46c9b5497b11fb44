import type { MessageRefusal } from '@florin/contract/protocol/vault-health.ts';

/** Reason without a sentence: a fault of the vault, or a card that a later attempt may have. */
type SilentReason =
  | 'unknown_token'
  | 'cryptogram_missing'
  | 'cvv_missing'
  | 'record_unreadable'
  | 'credential_unreadable'
  | 'body_unusable';

/**
 * Reason why a request is not sent. `why` is a fixed name. `detail` is a sentence that names the address, method and
 * position, never a value. Refusals with a sentence are counted, logged and in the audit.
 */
export class RelayRefusal extends Error {
  override name = 'RelayRefusal';
  readonly why: MessageRefusal | SilentReason;
  readonly detail: string | undefined;

  constructor(why: SilentReason);
  constructor(why: MessageRefusal, detail: string);
  constructor(why: MessageRefusal | SilentReason, detail?: string) {
    super(why);
    this.why = why;
    this.detail = detail;
  }
}

/** A refusal with a sentence. */
export type CountedRefusal = RelayRefusal & {
  readonly why: MessageRefusal;
  readonly detail: string;
};

/** Whether the message breaks a rule, as those of a server that was taken over do. */
export const isCounted = (refusal: RelayRefusal): refusal is CountedRefusal =>
  refusal.detail !== undefined;
