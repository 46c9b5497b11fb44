/**
 * Why a payment failed, with the same codes for all processors. Served as `failure_reason`.
 * `retry`: the same card may succeed later without action by the cardholder.
 */
export const declineCodes = {
  generic_decline: { message: 'The bank declined the payment.', retry: true },
  insufficient_funds: { message: 'The card has insufficient funds.', retry: true },
  lost_card: { message: 'The card was reported lost.', retry: false },
  stolen_card: { message: 'The card was reported stolen.', retry: false },
  incorrect_cvc: { message: 'The security code is incorrect.', retry: false },
  always_blocked: { message: 'The payment was blocked.', retry: false },
  highest_risk: { message: 'The payment was blocked as too risky.', retry: false },
  customer_blocked: { message: 'The merchant takes no payments from this payer.', retry: false },
  blocked: { message: 'The payment was blocked by the merchant.', retry: false },
  velocity_exceeded: {
    message: 'There were too many payments of this kind in a short time; nothing was charged.',
    retry: true,
  },
  expired_card: { message: 'The card has expired.', retry: false },
  invalid_card: { message: 'The card number is not known to the network.', retry: false },
  authentication_failed: {
    message: 'The bank refused to authenticate the cardholder.',
    retry: false,
  },
  cryptogram_missing: {
    message:
      'The network token had no unused cryptogram, so nothing was sent. Create a new payment method.',
    retry: false,
  },
  card_not_verified: { message: 'The card could not be verified.', retry: false },
  merchant_held_back: {
    message: 'The merchant could not take payments at that time; nothing was charged.',
    retry: true,
  },
  subscription_cancelled: {
    message: 'The subscription was cancelled before the payment was sent; nothing was charged.',
    retry: false,
  },
  processor_unreachable: {
    message: 'The processor did not take the payment; nothing was charged.',
    retry: true,
  },
  processor_timeout: {
    message: 'The payment was approved too late, and was given back; nothing was charged.',
    retry: true,
  },
} as const satisfies Record<string, { readonly message: string; readonly retry: boolean }>;

/** Advice of a processor about a decline. Another processor may be asked only after `try_another_processor` and `try_later`. */
export const declineAdvices = [
  /** The same card never succeeds. */
  'final',
  'try_later',
  'try_another_processor',
  /** The issuer wants 3-D Secure. */
  'authenticate',
  /** The payer must correct the card's details, or use another card. */
  'update_card',
] as const;
export type DeclineAdvice = (typeof declineAdvices)[number];

/**
 * Why a refund or a capture failed.
 *
 * - `…_declined`: the issuer or the network declined it.
 * - `processor_unreachable`: the processor never received it.
 * - `payment_disputed`: the payer disputed the payment before the refund was sent.
 */
export type FollowUpFailure =
  | 'refund_declined'
  | 'capture_declined'
  | 'processor_unreachable'
  | 'payment_disputed';

export type DeclineCode = keyof typeof declineCodes;
export const isDeclineCode = (text: string): text is DeclineCode =>
  Object.hasOwn(declineCodes, text);
