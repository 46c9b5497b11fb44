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
        'amount_currency must be one of EUR, USD. To accept others, update accepted_currencies of the merchant.',
      source: { pointer: '/data/attributes/amount_currency' },
    },
  },
  customer_mismatch: {
    title: 'The record belongs to another customer',
    cause: 'A card or an address of the payment belongs to another customer than its `payer`.',
    fix: 'Use a payment method and addresses of the payer, or create them for this payer.',
    example: {
      detail:
        'payment_method belongs to another customer than the payer. Name a record of the payer.',
      source: { pointer: '/data/relationships/payment_method' },
    },
  },
  customer_merged: {
    title: 'The customer was merged',
    cause:
      'Somebody merged this customer into another one, who has its payments, cards and subscriptions now. `meta.customer` is the id of the customer who remains.',
    fix: 'Use the customer in `meta.customer`, and replace the old id in your database.',
    example: {
      detail: `This customer was merged into the customer ${UNKNOWN_ID}. Use that customer.`,
      source: { pointer: '/data/relationships/payer' },
      meta: { customer: UNKNOWN_ID },
    },
  },
  authentication_required: {
    title: 'The payment needs 3-D Secure',
    cause:
      'Your 3-D Secure policy is `required`. Either `threeds_status` is not `Y` or `A`: the bank refused, could not decide, or does not take part. Or you sent the result yourself, and the policy accepts only results that Florin verified.',
    fix: 'Show the payment form again, so that the payer enters another card. To use results of your own 3-D Secure server, set the policy to `required_or_asserted`. See [3-D Secure](/guides/3-d-secure).',
    example: {
      detail:
        'The merchant requires 3-D Secure, and only the results Y and A authenticate the payer. Show the payment form again.',
      source: { pointer: '/data/attributes/threeds_status' },
    },
  },
  card_not_used_before: {
    title: 'The payment method has no earlier payment',
    cause:
      'A merchant-initiated charge needs an earlier successful payment that this payer made with this payment method.',
    fix: 'Name the payment method of an earlier payment: another one of the same card does not count. Without one, let the payer make the first payment. Later charges with `initiator: merchant` are then possible.',
    example: {
      detail:
        'A merchant-initiated charge needs an earlier successful payment that this payer made with this payment method.',
      source: { pointer: '/data/relationships/payment_method' },
    },
  },
  no_processor: {
    title: 'No processor takes the payment',
    cause:
      'No processor account takes the payment. Live mode has none, or those there are do not take this currency, amount or card: `detail` says which. Nothing was stored.',
    fix: 'Do what `detail` says, use a sandbox key, or ask the operator for an account. Operators: see [Payment processors](/operate/processors).',
    example: {
      detail:
        'Live mode takes no payments, because no processor account is enabled. Nothing was stored; use a sandbox key (ept_sandbox_…), and see /docs/reference/live-mode.',
    },
  },
  token_unusable: {
    title: 'The token cannot be used',
    cause:
      'The card token is unknown, was used already, or has expired. Unused tokens expire after one hour. A `network_token_jwe` can also be encrypted in another way than `detail` says.',
    fix: 'Let the payer enter the card again, and use each new token once and without delay. Encrypt a network token again, with a new `jti`.',
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
      detail:
        'The token is unknown, was already used, or has expired. Create a new token with the browser SDK.',
      source: { pointer: '/data/attributes/card_pan_token' },
    },
  },
  payment_not_succeeded: {
    title: 'The payment has not succeeded',
    cause: 'Only payments with the status `succeeded` can be refunded.',
    fix: 'Wait until the payment has succeeded, for example by a webhook. Void an authorised payment instead of a refund.',
    example: {
      detail: 'The payment is failed. Only a succeeded payment can be refunded.',
      source: PAYMENT,
    },
  },
  no_refundable_authorization: {
    title: 'Nothing of the payment can be refunded',
    cause:
      'The payment has no approved authorisation whose money could be returned, or the processor account that took it is removed.',
    fix: 'Check the payment and its attempts. If the payer was charged, refund it in the processor’s dashboard, or ask the operator.',
    example: {
      detail: 'The payment has no captured authorisation to refund.',
      source: PAYMENT,
    },
  },
  dispute_account_removed: {
    title: 'The processor account of the dispute is removed',
    cause:
      'The operator removed the processor account that has the dispute, so evidence and answers cannot be sent.',
    fix: 'Answer the dispute in the processor’s dashboard. The operator then closes it with the outcome.',
    example: {
      detail:
        "The processor account Europe, which has the dispute, is removed. Answer in the processor's dashboard; the operator then closes the dispute.",
    },
  },
  already_refunded: {
    title: 'The payment is fully refunded',
    cause: 'Earlier refunds, refunds in progress and lost disputes already use the whole amount.',
    fix: 'List the refunds with `filter[payment_demand]`. A failed refund releases its amount again.',
    example: {
      detail: 'The whole payment is refunded, reserved by refunds in flight, or lost in disputes.',
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
        "amount_cents is more than the payment's refundable amount. Send at most amount_refundable_cents.",
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
      detail: 'The payment is succeeded. Only an authorised payment can be captured.',
      source: PAYMENT,
    },
  },
  over_authorised: {
    title: 'The amount is greater than the authorised amount',
    cause:
      'The bank holds less than the requested amount for this payment, or earlier captures have used a part of the hold.',
    fix: 'Capture at most `meta.capturable_cents`. Create another payment for the rest.',
    example: {
      detail:
        'amount_cents is more than the bank holds for this payment. Send at most amount_capturable_cents.',
      source: AMOUNT,
      meta: { capturable_cents: 2000, authorised_cents: 2000 },
    },
  },
  several_captures_unsupported: {
    title: 'The processor takes one capture',
    cause:
      'The processor account that holds the amount takes one capture of an authorisation, so the first capture is the last. Nothing was stored.',
    fix: 'Leave `final` out and capture once. To charge the rest later, create another payment. Operators: see [Payment processors](/operate/processors).',
    example: {
      detail:
        'The processor account of this payment takes one capture of an authorisation. Leave final out, or send true.',
      source: { pointer: '/data/attributes/final' },
    },
  },
  refund_key_reused: {
    title: 'The key belongs to another refund',
    cause:
      'An earlier refund has the same `idempotency_key`, but another payment, amount, reason or note.',
    fix: 'Use a new key for each refund. Use the old key only to repeat exactly the same refund.',
    example: {
      detail:
        'An earlier refund with this idempotency key has another payment, amount, reason or note. Use a new key.',
      source: { pointer: '/data/attributes/idempotency_key' },
    },
  },
  already_archived: {
    title: 'The subscription is archived already',
    cause: 'The webhook subscription was archived before. Archiving cannot be undone.',
    fix: 'Nothing is left to do. Create a new subscription to receive webhooks again.',
    example: {
      detail: 'The webhook subscription is already archived.',
      source: { pointer: '/data/attributes/status' },
    },
  },
  already_listed: {
    title: 'The value is on the list already',
    cause:
      'The block list or allow list already has an entry with this value. `meta.risk_list_entry` is its id.',
    fix: 'Use the entry that exists. Remove it first to add it again with another description.',
    example: {
      detail: 'An entry of this list already has this value. Remove that entry first.',
      source: { pointer: '/data/attributes/value' },
      meta: { risk_list_entry: UNKNOWN_ID },
    },
  },
  clock_exists: {
    title: 'There is a clock already',
    cause: 'A merchant or customer has at most one sandbox clock. `meta.sandbox_clock` is its id.',
    fix: 'Advance the clock that exists, or remove it first.',
    example: {
      detail: 'This customer already has a clock. Advance that clock.',
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
        'Another webhook subscription sends the same events to this URL. Update or archive that subscription.',
      source: { pointer: '/data/attributes/url' },
      meta: { webhook_subscription: UNKNOWN_ID },
    },
  },
} as const satisfies Record<string, ErrorHelp>;
