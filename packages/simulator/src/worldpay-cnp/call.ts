import type { SandboxOutcome } from '@florin/contract/card/sandbox-cards.ts';
import type { CnpAccount } from './accounts.ts';
import type { CnpBooks } from './books.ts';
import type { CnpType } from './transaction-books.ts';
import type { XmlElement } from './xml-element.ts';

/** Parts of the stand-in that operations use. */
export interface CnpServices {
  readonly books: CnpBooks;
  /** Milliseconds since 1970, with the clock's offset. */
  readonly now: () => number;
}

/** One authenticated transaction, which fits the schema. */
export interface CnpCall {
  readonly account: CnpAccount;
  /** Element of the transaction, such as `sale`. */
  readonly element: XmlElement;
  /** Reason for which the issuer declines the payment: fault `decline`. */
  readonly decline?: SandboxOutcome | undefined;
}

/** A transaction that is stored, besides queries. */
export interface CnpOrder extends CnpCall {
  readonly type: CnpType;
}
