import type { SandboxOutcome } from '@florin/contract/card/sandbox-cards.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { JsonMembers } from '../stand-in/members.ts';
import type { AdyenAccount } from './accounts.ts';
import type { AdyenBooks } from './books.ts';

/** Parts of the stand-in that operations use. */
export interface AdyenServices {
  readonly books: AdyenBooks;
  /** Milliseconds since 1970, with the clock's offset. */
  readonly now: () => number;
  readonly notifier: Notifier;
}

/** One authenticated request of a merchant account. */
export interface AdyenCall {
  readonly account: AdyenAccount;
  /** Psp reference in the path, or empty. */
  readonly paymentPsp: string;
  readonly body: JsonMembers;
  /** Base address of the stand-in, for links. */
  readonly base: string;
  /** Reason for which the issuer declines the payment: fault `decline`. */
  readonly decline?: SandboxOutcome | undefined;
}
