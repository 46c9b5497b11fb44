import type { SandboxOutcome } from '@florin/contract/card/sandbox-cards.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { CheckoutAccount } from './accounts.ts';
import type { CheckoutBooks } from './books.ts';
import type { StoredPayment } from './records.ts';

/** Parts of the stand-in that operations use. */
export interface CheckoutServices {
  readonly books: CheckoutBooks;
  /** Milliseconds since 1970, with the clock's offset. */
  readonly now: () => number;
  readonly notifier: Notifier;
}

/** One authenticated request. */
export interface CheckoutCall {
  /** The account of a new payment; for other requests the first that the key opens. */
  readonly account: CheckoutAccount;
  /** All accounts that the secret key opens. */
  readonly opened: readonly CheckoutAccount[];
  /** Variable parts of the path. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined for requests without a body. */
  readonly body: unknown;
  /** Base address of the stand-in, for links. */
  readonly base: string;
  /** Reason for which the issuer declines the payment: fault `decline`. */
  readonly decline?: SandboxOutcome | undefined;
}

/** Channels that the request's secret key opens. */
export const channelsOf = ({ opened }: CheckoutCall): string[] => opened.map(({ name }) => name);

/** Finds a payment that the request may see. */
export function findPayment(
  { books }: CheckoutServices,
  call: CheckoutCall,
  id = '',
): StoredPayment | undefined {
  const payment = books.payments.find(id);
  return payment && channelsOf(call).includes(payment.channel) ? payment : undefined;
}
