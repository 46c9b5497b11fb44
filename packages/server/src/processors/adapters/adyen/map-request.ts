import { withoutUndefined } from '../../port/build-body.ts';
import type { MapRequest } from '../../port/define-adapter.ts';
import type { CardRequest, Money } from '../../port/message.ts';
import type { AccountSettings } from '../../port/metadata.ts';
import { toProcessorUnits } from '../../port/minor-units.ts';
import type { AuthoriseInput, FollowUpInput } from '../../port/processor.ts';
import { adyenAddressOf } from './billing-address.ts';
import { adyenLogin, adyenUrlOf } from './egress.ts';
import { adyenExponents } from './metadata.ts';
import { cardPartOf } from './payment-method.ts';
import { TRANSIENT_HEADER } from './read-answer.ts';

/** Timeouts in milliseconds. Payments stay below the lease of an attempt. */
const AUTHORISE_MS = 15_000;
const FOLLOW_UP_MS = 10_000;
/** Adyen refuses payments without an address for returning payers, although nobody returns. */
const RETURN_URL = 'https://example.com/';

function post(account: AccountSettings, path: string, body: object, idempotency_key?: string) {
  return {
    method: 'POST' as const,
    url: adyenUrlOf(account, path),
    headers: {
      'content-type': 'application/json',
      ...(idempotency_key !== undefined && { 'idempotency-key': idempotency_key }),
    },
    credentials: { account_id: account.id, ...adyenLogin },
    answer_headers: [TRANSIENT_HEADER],
    body: { merchantAccount: account.settings.merchant_account, ...body },
    timeout_ms: FOLLOW_UP_MS,
  };
}

/** Amounts that Adyen cannot express are no candidates of a route, so they never arrive here. */
function amountOf(money: Money): object {
  const value = toProcessorUnits(money, adyenExponents);
  if (value === undefined) throw new RangeError(`${money.currency} has no such amount`);
  return { value, currency: money.currency };
}

function authorise(account: AccountSettings, input: AuthoriseInput): CardRequest {
  const { paymentMethod, mpiData, additionalData, card_fields } = cardPartOf(input);
  const initiation = initiationOf(input);
  const isAtCheckout = initiation.shopperInteraction === 'Ecommerce';
  const body = withoutUndefined({
    amount: amountOf(input),
    reference: input.attempt_id,
    merchantOrderReference: input.payment_id,
    returnUrl: account.settings.return_url ?? RETURN_URL,
    paymentMethod,
    mpiData,
    ...initiation,
    // Adyen never authenticates: a challenge of its own could not be shown.
    authenticationData: isAtCheckout && !mpiData ? { attemptAuthentication: 'never' } : undefined,
    ...payerOf(input),
    shopperStatement: statementOf(input.descriptor),
    // Adyen sends no notification about captures of its own.
    additionalData: { manualCapture: 'true', ...additionalData },
  });
  const request = post(account, '/payments', body, input.idempotency_key);
  return { ...request, card_fields, timeout_ms: AUTHORISE_MS };
}

/** Reasons for storing a card, as `recurringProcessingModel`. */
const models = {
  checkout: 'CardOnFile',
  recurring: 'Subscription',
  unscheduled: 'UnscheduledCardOnFile',
} as const;

/** Initiator of the payment, and the use for which the card is stored. */
function initiationOf({ stored_credential, initiated_by_merchant, sales_channel }: AuthoriseInput) {
  const isLater = initiated_by_merchant !== undefined || stored_credential?.use === 'later';
  const reason = stored_credential?.reason ?? (initiated_by_merchant && 'unscheduled');
  return {
    shopperInteraction: interactionOf(isLater, sales_channel),
    recurringProcessingModel: reason && models[reason],
  };
}

/** The cardholder says the card by telephone (`Moto`), even if it is a stored one. */
function interactionOf(isLater: boolean, channel: AuthoriseInput['sales_channel']): string {
  if (channel) return 'Moto';
  return isLater ? 'ContAuth' : 'Ecommerce';
}

const payerOf = ({ payer = {} }: AuthoriseInput): object => ({
  shopperReference: payer.customer_id,
  shopperEmail: payer.email,
  shopperIP: payer.ip,
  billingAddress: payer.billing_address && adyenAddressOf(payer.billing_address),
});

const STATEMENT_CHARS_MAX = 22;

/** Text on statements, without characters that Adyen does not take. */
const statementOf = (descriptor = ''): string | undefined =>
  descriptor.replace(/[^\w .,'?+*/-]/g, '').slice(0, STATEMENT_CHARS_MAX) || undefined;

const pathOf = (payment: string | undefined, kind: string): string =>
  `/payments/${encodeURIComponent(String(payment))}/${kind}`;

const followUp = (account: AccountSettings, kind: string, input: FollowUpInput) =>
  post(
    account,
    pathOf(input.processor_reference, kind),
    { amount: amountOf(input), reference: input.demand_id },
    input.idempotency_key,
  );

/** Messages to Adyen's Checkout API. */
export const adyenRequests: MapRequest = {
  authorise,
  // A reversal cancels, or refunds if a capture was faster. By our reference Adyen can only cancel.
  reverse: (account, { attempt_id, processor_reference, idempotency_key }) =>
    processor_reference === undefined
      ? post(
          account,
          '/cancels',
          { paymentReference: attempt_id, reference: attempt_id },
          idempotency_key,
        )
      : post(
          account,
          pathOf(processor_reference, 'reversals'),
          { reference: attempt_id },
          idempotency_key,
        ),
  capture: (account, input) => followUp(account, 'captures', input),
  refund: (account, input) => followUp(account, 'refunds', input),
  // The list of payment methods needs key, merchant account and the role for payments.
  check: (account) => post(account, '/paymentMethods', {}),
};
