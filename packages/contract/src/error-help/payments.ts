import type { ErrorHelp } from './error-help.ts';

const PAYMENT = { pointer: '/data/relationships/payment_demand' };
const AMOUNT = { pointer: '/data/attributes/amount_cents' };
const UNKNOWN_ID = '01935f00-0000-7000-8000-000000000000';

/** Errors of payments, refunds and captures. */
export const paymentErrors = {
  currency_not_accepted: {
    title: 'The currency is not accepted',
    cause: 'The merchant does not accept payments in this currency.',
    fix: 'Use a currency that `detail` lists, or add the currency to `accepted_currencies` of the merchant.',
    example: {
      detail:
        'This merchant accepts EUR, USD. An update of its accepted_currencies (merchants) changes that.',
      source: { pointer: '/data/attributes/amount_currency' },
    },
  },
  customer_mismatch: {
    title: 'The record belongs to another customer',
    cause: 'A card or an address of the payment belongs to another customer than its `payer`.',
    fix: 'Use a payment method and addresses of the payer, or create them for this payer.',
    example: {
      detail:
        'The record of the relationship payment_method belongs to another customer than the payer: name one that the payer has.',
      source: { pointer: '/data/relationships/payment_method' },
    },
  },
  card_not_used_before: {
    title: 'The card has no earlier payment',
    cause:
      'A merchant-initiated charge needs an earlier successful payment that this payer made with this card.',
    fix: 'Let the payer make the first payment. Later charges with `initiator: merchant` are then possible.',
    example: {
      detail:
        'No payment by this card is known that this payer was there for, so none can be made without.',
      source: { pointer: '/data/relationships/payment_method' },
    },
  },
  no_processor: {
    title: 'No processor takes live payments',
    cause:
      'The request uses a live key, and the operator has not connected a payment processor. Nothing was stored.',
    fix: 'Use sandbox keys for now. Operators: connect a processor, as [Live mode](/reference/live-mode) explains.',
    example: {
      detail:
        'No processor is connected for live payments, so live mode takes none and nothing was stored. Use sandbox keys (ept_sandbox_…) until one is. /docs/reference/live-mode says what works in live mode.',
    },
  },
  token_unusable: {
    title: 'The token cannot be used',
    cause:
      'The card token is unknown, was used already, or has expired. Unused tokens expire after one hour.',
    fix: 'Let the payer enter the card again, and use each new token once and without delay.',
    example: {
      request: {
        method: 'POST',
        path: '/v2/payment_methods',
        body: {
          data: {
            type: 'payment_methods',
            attributes: {
              card_pan_token: 'pan_unknown',
              expiry_month: 12,
              expiry_year: 2034,
            },
          },
        },
      },
      detail: 'The token is not known, is used up, or has expired.',
      source: { pointer: '/data/attributes/card_pan_token' },
    },
  },
  payment_not_succeeded: {
    title: 'The payment has not succeeded',
    cause: 'Only payments with the status `succeeded` can be refunded.',
    fix: 'Wait until the payment has succeeded, for example by a webhook. Void an authorised payment instead of a refund.',
    example: {
      detail: 'This payment is failed. Only a payment whose status is succeeded can be refunded.',
      source: PAYMENT,
    },
  },
  no_refundable_authorization: {
    title: 'Nothing of the payment can be refunded',
    cause: 'The payment has no approved authorisation whose money could be returned.',
    fix: 'Check the payment and its attempts. If the payer was charged nevertheless, ask the operator.',
    example: {
      detail: 'No authorization of this payment is known whose money could be given back.',
      source: PAYMENT,
    },
  },
  already_refunded: {
    title: 'The payment is fully refunded',
    cause: 'Earlier refunds, refunds in progress and lost disputes already use the whole amount.',
    fix: 'List the refunds with `filter[payment_demand]`. A failed refund releases its amount again.',
    example: {
      detail:
        'Refunds that succeeded or are under way, and lost disputes, take up the whole payment.',
      source: PAYMENT,
    },
  },
  over_unrefunded: {
    title: 'The amount is greater than the unrefunded amount',
    cause:
      'Earlier refunds, refunds in progress and lost disputes leave less than the requested amount.',
    fix: 'Refund at most `meta.unrefunded_cents`, or leave the amount out to refund all that remains.',
    example: {
      detail:
        'Refunds that succeeded or are under way, and lost disputes, leave less of this payment.',
      source: AMOUNT,
      meta: { unrefunded_cents: 1500 },
    },
  },
  payment_not_authorised: {
    title: 'The payment is not authorised',
    cause:
      'Only payments with the status `authorised` can be captured. An authorisation hold lapses after some days.',
    fix: 'Check the status of the payment. Create it with `capture_method: manual` to capture it later.',
    example: {
      detail: 'Only a payment that is authorised can be captured; this one is succeeded.',
      source: PAYMENT,
    },
  },
  over_authorised: {
    title: 'The amount is greater than the authorised amount',
    cause: 'The bank holds less than the requested amount for this payment.',
    fix: 'Capture at most `meta.authorised_cents`. Create another payment for the rest.',
    example: {
      detail: 'The bank holds less for this payment.',
      source: AMOUNT,
      meta: { authorised_cents: 2000 },
    },
  },
  refund_key_reused: {
    title: 'The key belongs to another refund',
    cause:
      'An earlier refund has the same `idempotency_key`, but another payment, amount, reason or note.',
    fix: 'Use a new key for each refund. Use the old key only to repeat exactly the same refund.',
    example: {
      detail:
        'An earlier refund with this idempotency key has another payment, amount, reason or note.',
      source: { pointer: '/data/attributes/idempotency_key' },
    },
  },
  already_archived: {
    title: 'The subscription is archived already',
    cause: 'The webhook subscription was archived before. Archiving cannot be undone.',
    fix: 'Nothing is left to do. Create a new subscription to receive webhooks again.',
    example: {
      detail: 'The subscription was archived before.',
      source: { pointer: '/data/attributes/status' },
    },
  },
  already_listed: {
    title: 'The value is on the list already',
    cause:
      'The block list or allow list already has an entry with this value. `meta.risk_list_entry` is its id.',
    fix: 'Use the entry that exists. Remove it first to add it again with another description.',
    example: {
      detail: 'An entry of this list matches the same. Remove that one first to describe it anew.',
      source: { pointer: '/data/attributes/value' },
      meta: { risk_list_entry: UNKNOWN_ID },
    },
  },
  clock_exists: {
    title: 'There is a clock already',
    cause: 'A merchant or customer has at most one sandbox clock. `meta.sandbox_clock` is its id.',
    fix: 'Advance the clock that exists, or remove it first.',
    example: {
      detail: 'This customer has a clock already. Advance that one.',
      source: { pointer: '/data/relationships/customer' },
      meta: { sandbox_clock: UNKNOWN_ID },
    },
  },
  subscription_exists: {
    title: 'Another subscription has these events',
    cause:
      'A webhook subscription with the same URL and the same events exists. `meta.webhook_subscription` is its id.',
    fix: 'Update the subscription that exists, archive it first, or choose another URL.',
    example: {
      detail:
        'Another subscription sends the same events to this address. Update that one, or archive it first.',
      source: { pointer: '/data/attributes/url' },
      meta: { webhook_subscription: UNKNOWN_ID },
    },
  },
} as const satisfies Record<string, ErrorHelp>;
