import { withoutUndefined } from '../../port/build-body.ts';
import type { MapRequest } from '../../port/define-adapter.ts';
import type { CardRequest, WireRequest } from '../../port/message.ts';
import type { AccountSettings } from '../../port/metadata.ts';
import type { AuthoriseInput } from '../../port/processor.ts';
import { cardOf, provenSourceOf } from './card.ts';
import { postTransaction } from './message.ts';
import { addressOf, billingOf, customerIdOf } from './payer.ts';
import { queryIdOf, readReference } from './reference.ts';

/** Timeouts in milliseconds. Worldpay recommends 20 seconds, above the lease of an attempt. */
const AUTHORISE_MS = 15_000;
const FOLLOW_UP_MS = 10_000;
const QUERY_MS = 5_000;
/** An id that no message has. */
const CHECK_ID = 'florin-check';

/** One message captures at once (`sale`), the other holds the amount. Elements have the order of the schema. */
function authorise(account: AccountSettings, input: AuthoriseInput): CardRequest {
  const { attempt_id, payment_id, amount, capture, payer, descriptor } = input;
  const name = capture ? 'sale' : 'authorization';
  const { elements, card_fields } = cardOf(name, input);
  const message = postTransaction(
    account,
    {
      name,
      id: attempt_id,
      customer_id: customerIdOf(payer),
      elements: withoutUndefined({
        orderId: payment_id ?? attempt_id,
        amount,
        orderSource: orderSourceOf(input),
        billToAddress: addressOf(payer),
        ...elements,
        customBilling: billingOf(descriptor),
        ...storedCredentialOf(input),
      }) as Readonly<Record<string, unknown>>,
    },
    AUTHORISE_MS,
  );
  return { ...message, card_fields };
}

const walletSources = { apple_pay: 'applepay', google_pay: 'androidpay' } as const;

function orderSourceOf(input: AuthoriseInput): string {
  const { wallet, initiated_by_merchant, stored_credential, sales_channel } = input;
  if (sales_channel) return sales_channel;
  if (wallet?.cryptogram) return walletSources[wallet.kind];
  if (initiated_by_merchant)
    return stored_credential?.reason === 'recurring' ? 'recurring' : 'ecommerce';
  return provenSourceOf(input) ?? 'ecommerce';
}

/** Use of a stored card. A later recurring charge is told by `orderSource` and the first approval's id. */
function storedCredentialOf({ stored_credential, initiated_by_merchant }: AuthoriseInput): object {
  if (initiated_by_merchant) {
    const isRecurring = stored_credential?.reason === 'recurring';
    return {
      ...(!isRecurring && { processingType: 'merchantInitiatedCOF' }),
      originalNetworkTransactionId: initiated_by_merchant.network_transaction_id,
    };
  }
  if (!stored_credential) return {};
  if (stored_credential.use === 'later') return { processingType: 'cardholderInitiatedCOF' };
  const isRecurring = stored_credential.reason === 'recurring';
  return { processingType: isRecurring ? 'initialRecurring' : 'initialCOF' };
}

/** Asks for the response to an earlier message. */
const query = (account: AccountSettings, origId: string, id = queryIdOf(origId)): WireRequest =>
  postTransaction(account, { name: 'queryTransaction', id, elements: { origId } }, QUERY_MS);

/**
 * Gives a payment back. Worldpay reverses by its own id only, so a query finds that first. The message has the
 * payment's id: Worldpay tells messages apart by type and id, and executes a repeated reversal once.
 */
function reverse(account: AccountSettings, attempt_id: string, reference?: string): WireRequest {
  if (reference === undefined) return query(account, attempt_id);
  const { kind, id: cnpTxnId } = readReference(reference);
  const name = kind === 'sale' ? 'void' : 'authReversal';
  const transaction = { name, id: attempt_id, elements: { cnpTxnId } };
  return postTransaction(account, transaction, FOLLOW_UP_MS);
}

/** Messages to cnpAPI, https://www.vantivcnp.com/schema version 12.34. */
export const cnpRequests: MapRequest = {
  authorise,
  inquire: (account, { attempt_id }) => query(account, attempt_id),
  reverse: (account, { attempt_id, processor_reference }) =>
    reverse(account, attempt_id, processor_reference),
  capture: (account, { demand_id, processor_reference, amount }) => {
    const elements = { cnpTxnId: readReference(processor_reference).id, amount };
    return postTransaction(account, { name: 'capture', id: demand_id, elements }, FOLLOW_UP_MS);
  },
  // The refund of a hold names its capture.
  refund: (account, { demand_id, processor_reference, capture_reference, amount }) => {
    const cnpTxnId = capture_reference ?? readReference(processor_reference).id;
    const transaction = { name: 'credit', id: demand_id, elements: { cnpTxnId, amount } };
    return postTransaction(account, transaction, FOLLOW_UP_MS);
  },
  inquireCapture: (account, { demand_id }) => query(account, demand_id),
  inquireRefund: (account, { demand_id }) => query(account, demand_id),
  check: (account) => query(account, CHECK_ID, CHECK_ID),
};
