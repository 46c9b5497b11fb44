import { AMOUNT_MAX } from '../risk/amounts.ts';
import type { Field, Relation } from './define-resource.ts';

/** One line item of an order. Amounts are per unit, in minor units, before discount. */
const lineItem = {
  id: { type: 'uuid', description: 'Created by Florin. An update may send it back.' },
  name: { type: 'string', create: 'optional', max: 200, description: 'Name of the item.' },
  sku: {
    type: 'string',
    create: 'optional',
    max: 100,
    description: 'Article number of the merchant.',
  },
  unit_of_measure: {
    type: 'string',
    create: 'optional',
    max: 50,
    description: 'Unit of `quantity`, such as `piece` or `kg`.',
  },
  description: { type: 'string', create: 'optional', max: 1000, default: '' },
  commodity_code: {
    type: 'string',
    create: 'optional',
    max: 50,
    description: 'Code of a goods classification, such as UNSPSC.',
  },
  quantity: {
    type: 'integer',
    create: 'required',
    min: 1,
    max: 1_000_000,
    description: 'Number of units.',
  },
  amount_cents: {
    type: 'integer',
    create: 'required',
    min: 0,
    max: AMOUNT_MAX,
    description: 'Price of one, in minor units, before discount.',
  },
  amount_currency: {
    type: 'currency',
    create: 'required',
    description: 'Currency of the purchase.',
  },
  tax_cents: {
    type: 'integer',
    create: 'optional',
    min: 0,
    max: AMOUNT_MAX,
    default: 0,
    description: 'Tax of one, in minor units.',
  },
  tax_currency: { type: 'currency', create: 'optional', description: 'Currency of the purchase.' },
  discount_cents: {
    type: 'integer',
    create: 'optional',
    min: 0,
    max: AMOUNT_MAX,
    default: 0,
    description: 'Discount per unit, in minor units.',
  },
  discount_currency: {
    type: 'currency',
    create: 'optional',
    description: 'Currency of the purchase.',
  },
} as const satisfies Record<string, Field>;

const shippingDetail = {
  shipping_cents: {
    type: 'integer',
    create: 'optional',
    min: 0,
    max: AMOUNT_MAX,
    description: 'Minor units.',
  },
  shipping_currency: {
    type: 'currency',
    create: 'optional',
    description: 'Currency of the purchase.',
  },
} as const satisfies Record<string, Field>;

const taxDetail = {
  tax_cents: {
    type: 'integer',
    create: 'optional',
    min: 0,
    max: AMOUNT_MAX,
    description: 'Minor units.',
  },
  tax_currency: { type: 'currency', create: 'optional', description: 'Currency of the purchase.' },
} as const satisfies Record<string, Field>;

/** Fields of a purchase: of one payment, or of each payment of a subscription. */
export const purchaseFields = {
  amount_cents: {
    type: 'integer',
    create: 'required',
    update: true,
    min: 10,
    max: AMOUNT_MAX,
    description:
      'Amount to charge in minor units of the currency (cents of USD, yen of JPY). Line items are not added up.',
  },
  amount_currency: {
    type: 'currency',
    create: 'required',
    update: true,
    description: 'One of the merchant’s `accepted_currencies`.',
  },
  fee_cents: {
    type: 'integer',
    default: 0,
    opaque: true,
    description:
      'Fee of the payment in minor units; 0 until it succeeds. By default 4 % of the captured amount, rounded half up, plus 5 minor units, at most the captured amount. Refunds and lost disputes do not return it.',
  },
  description: {
    type: 'string',
    create: 'optional',
    update: true,
    max: 1000,
    description: 'Description of the purchase in the merchant’s words.',
  },
  idempotency_key: {
    type: 'string',
    create: 'optional',
    max: 255,
    description:
      'Makes a repeat safe: the same key with the same request is done once, for as long as the record exists. Unique per type.',
  },
  email_receipt: {
    type: 'boolean',
    create: 'optional',
    update: true,
    default: true,
    opaque: true,
    description: 'Whether the payer gets a receipt by email for each successful payment.',
  },
  purchase_reference: {
    type: 'string',
    create: 'optional',
    update: true,
    max: 255,
    description: 'The merchant’s reference of the purchase. Required to confirm a payment.',
  },
  purchase_kind: {
    type: 'enum',
    values: ['order', 'invoice'],
    create: 'optional',
    update: true,
    description: 'Kind of the `purchase_reference`. Required to confirm a payment.',
  },
  discount_cents: {
    type: 'integer',
    create: 'optional',
    update: true,
    min: 0,
    max: AMOUNT_MAX,
    opaque: true,
    description: 'Discount in minor units, for information only.',
  },
  line_items: {
    type: 'objects',
    members: lineItem,
    create: 'optional',
    update: true,
    max: 100,
    description: 'Line items in the currency of the purchase. An update replaces the whole list.',
  },
  shipping_detail: {
    type: 'object',
    members: shippingDetail,
    create: 'optional',
    update: true,
    description: 'Shipping cost in the currency of the purchase. For information only.',
  },
  tax_detail: {
    type: 'object',
    members: taxDetail,
    create: 'optional',
    update: true,
    description: 'Tax included, in the currency of the purchase. For information only.',
  },
  payer_timezone: {
    type: 'timezone',
    create: 'optional',
    opaque: true,
    description: 'Time zone of the payer. Default: the time zone of the merchant.',
  },
} as const satisfies Record<string, Field>;

/** Results of the issuer's checks, the same in a payment and in each of its attempts. */
export const checkFields = {
  cvc2_check: {
    type: 'enum',
    values: ['match', 'mismatch', 'unprocessed', 'missing', 'unavailable', 'unresponsive'],
    opaque: true,
    description: 'Result of the issuer’s check of the security code.',
  },
  address_line1_verification: {
    type: 'enum',
    values: ['match', 'mismatch', 'retry', 'unavailable', 'unverified'],
    opaque: true,
    description: 'Result of the issuer’s check of the billing address’s first line.',
  },
  postal_code_verification: {
    type: 'enum',
    values: ['match', 'mismatch', 'retry', 'unavailable', 'unverified'],
    opaque: true,
    description: 'Result of the issuer’s check of the postal code.',
  },
} as const satisfies Record<string, Field>;

/** Origins of results of 3-D Secure. */
const threedsSources = ['verified', 'asserted'] as const;

/** Fields with the result of a cardholder authentication and of the issuer's checks. */
export const authenticationFields = {
  threeds_version: {
    type: 'string',
    create: 'optional',
    max: 8,
    pattern: /^\d{1,2}(\.\d{1,2}){1,2}$/,
    opaque: true,
    description: 'Version of 3-D Secure, such as `2.2.0`. The card form sets this.',
  },
  threeds_status: {
    type: 'string',
    create: 'optional',
    max: 12,
    pattern: /^([A-Z]|not_enrolled)$/,
    opaque: true,
    description:
      'Result of 3-D Secure: `Y` authenticated, `A` attempted, `N` refused. Only the card form sets `wallet`: a wallet authenticated the cardholder.',
  },
  threeds_source: {
    type: 'enum',
    values: threedsSources,
    opaque: true,
    description:
      'Origin of the 3-D Secure result: `verified` by Florin or a wallet, or `asserted` by the client that sent it. Null without a result, and in older records.',
  },
  threeds_cryptogram: {
    type: 'string',
    create: 'optional',
    max: 100,
    pattern: /^[\w+/=-]+$/,
    sensitive: true,
    description: 'Cryptographic proof of the authentication.',
  },
  eci: {
    type: 'string',
    create: 'optional',
    max: 2,
    pattern: /^\d{2}$/,
    opaque: true,
    description: 'Electronic commerce indicator, two digits: `05` authenticated (`02` Mastercard).',
  },
  directory_transaction_eid: {
    type: 'string',
    create: 'optional',
    max: 36,
    pattern: /^[\w.-]+$/,
    opaque: true,
    description: 'Id of the authentication at the network’s directory server, a UUID.',
  },
  acs_transaction_eid: {
    type: 'string',
    create: 'optional',
    max: 36,
    pattern: /^[\w.-]+$/,
    opaque: true,
    description: 'Id of the authentication at the issuer’s server, a UUID.',
  },
  cvc2_check: { ...checkFields.cvc2_check, default: 'unprocessed' },
  address_line1_verification: {
    ...checkFields.address_line1_verification,
    default: 'unverified',
  },
  postal_code_verification: { ...checkFields.postal_code_verification, default: 'unverified' },
} as const satisfies Record<string, Field>;

/** Relations of a purchase: merchant, customer, card and addresses. */
export const partyRelations = {
  merchant: { to: 'merchants' },
  buyer: {
    to: 'customers',
    create: 'optional',
    update: true,
    description: 'The customer who orders. Default in an approved payment: the payer.',
  },
  payer: {
    to: 'customers',
    create: 'optional',
    update: true,
    description: 'The customer who pays. Required to confirm.',
  },
  receiver: {
    to: 'customers',
    create: 'optional',
    update: true,
    description: 'The customer who receives the goods. Default in an approved payment: the payer.',
  },
  payment_method: {
    to: 'payment_methods',
    create: 'optional',
    update: true,
    description: 'The card. Required to confirm. The card form sets this, or choose a saved card.',
  },
  billing_address: {
    to: 'consumer_addresses',
    create: 'optional',
    update: true,
    description: 'The billing address of the card. Required to confirm.',
  },
  shipping_address: {
    to: 'consumer_addresses',
    create: 'optional',
    update: true,
    description:
      'The delivery address of the goods. Default in an approved payment: the billing address.',
  },
} as const satisfies Record<string, Relation>;
