import { JWE_CHARS_MAX, walletKinds } from '../protocol/vault.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const paymentMethodKinds = [
  'checking',
  'savings',
  'visa',
  'mastercard',
  'amex',
  'discover',
  'diners',
  'elo',
  'hiper',
  'hipercard',
  'jcb',
  'maestro',
  'mir',
  'unionpay',
  'unknown',
] as const;

export const paymentMethods = defineResource({
  type: 'payment_methods',
  summary: 'A card of a customer, stored by the vault',
  owner: 'mode',
  group: 'consumer',
  ended: 'discarded_at',
  operations: ['list', 'fetch', 'create'],
  actions: {
    discard: {
      summary: 'Discard the card',
      description:
        'Nothing new can be paid with the card. You cannot undo this. Pending payments finish normally. The vault destroys the card after five minutes, when no payment method, pending payment or subscription uses it. A discarded card does not change.',
    },
  },
  events: { scope: 'consumer.payment_methods', slugs: ['created', 'updated'] },
  fields: {
    card_pan_token: {
      type: 'string',
      create: 'optional',
      always_set: true,
      max: 64,
      sensitive: true,
      description:
        'Stands for the card number: from the browser SDK, or in the sandbox a test token such as `pan_test_visa`. Never a number. A create needs this attribute with `expiry_month` and `expiry_year`, or `network_token_jwe`.',
    },
    network_token_jwe: {
      type: 'string',
      create: 'optional',
      max: JWE_CHARS_MAX,
      sensitive: true,
      write_only: true,
      description:
        'Instead of `card_pan_token`: your own network token with its expiry, as compact JWE for a key of `GET /v2/encryption_keys`. Valid for five minutes.',
    },
    card_cvv_token: {
      type: 'string',
      create: 'optional',
      max: 64,
      sensitive: true,
      description:
        'Token of the security code, in the sandbox `cvv_test`, for one authorisation within 15 minutes.',
    },
    nickname: {
      type: 'string',
      create: 'optional',
      max: 100,
      description: 'The customer’s name for the card.',
    },
    description: {
      type: 'string',
      create: 'optional',
      max: 1000,
      opaque: true,
      description: 'An internal note.',
    },
    card_bin: { type: 'string', description: 'First six digits of the card number.' },
    last_four: { type: 'string', description: 'Last four digits of the card number.' },
    kind: {
      type: 'enum',
      values: paymentMethodKinds,
      always_set: true,
      description: 'The card’s network.',
    },
    external_state: {
      type: 'enum',
      values: ['pending', 'confirmed', 'failed', 'errored'],
      always_set: true,
      description:
        'Result of the cardholder’s authentication. `confirmed` can pay, `failed` was refused by the issuer. `pending` waits for the issuer; payments with the card wait up to 15 minutes. `errored`: enter the card again.',
    },
    wallet: {
      type: 'enum',
      values: walletKinds,
      description: 'Wallet of the card; null if it was typed.',
    },
    network_token: {
      type: 'boolean',
      default: false,
      always_set: true,
      opaque: true,
      description:
        'Whether the number is a network token of the merchant. Each payment by the payer then needs a new payment method, with a new cryptogram.',
    },
    expiry_month: {
      type: 'integer',
      create: 'optional',
      always_set: true,
      min: 1,
      max: 12,
      description: '1 to 12. Belongs to `card_pan_token`; `network_token_jwe` contains its own.',
    },
    expiry_year: {
      type: 'integer',
      create: 'optional',
      always_set: true,
      min: 2000,
      max: 2099,
      range_hint: 'send four digits, such as 2031',
      description: 'Four digits, beside `expiry_month`.',
    },
    discarded_at: {
      type: 'timestamp',
      description: 'Time at which it was discarded; null while it is in use.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    customer: {
      to: 'customers',
      create: 'optional',
      description:
        'Customer who owns the card; it cannot be set later. Only this customer can pay with it. A card without a customer can pay for any payer who is present.',
    },
    address: { to: 'consumer_addresses', create: 'optional' },
    payment_demands: { to: 'payment_demands', many: true, inverse: 'payment_method' },
  },
});
