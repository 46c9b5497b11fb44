import type { Field, Relation } from './define-resource.ts';

/** Money and quantity of one line of an order; amounts are per unit, in minor units, before discount. */
const lineItem = {
  name: { type: 'string', create: 'optional', max: 200 },
  sku: { type: 'string', create: 'optional', max: 100 },
  unit_of_measure: { type: 'string', create: 'optional', max: 50 },
  description: { type: 'string', create: 'optional', max: 1000, default: '' },
  commodity_code: { type: 'string', create: 'optional', max: 50 },
  quantity: { type: 'integer', create: 'required', min: 1, max: 1_000_000 },
  amount_cents: { type: 'integer', create: 'required', min: 0 },
  amount_currency: { type: 'currency', create: 'required' },
  tax_cents: { type: 'integer', create: 'optional', min: 0, default: 0 },
  tax_currency: { type: 'currency', create: 'optional' },
  discount_cents: { type: 'integer', create: 'optional', min: 0, default: 0 },
  discount_currency: { type: 'currency', create: 'optional' },
} as const satisfies Record<string, Field>;

const shippingDetail = {
  shipping_cents: { type: 'integer', create: 'optional', min: 0 },
  shipping_currency: { type: 'currency', create: 'optional' },
} as const satisfies Record<string, Field>;

const taxDetail = {
  tax_cents: { type: 'integer', create: 'optional', min: 0 },
  tax_currency: { type: 'currency', create: 'optional' },
} as const satisfies Record<string, Field>;

/** What is bought and for how much: of a payment, or of each payment of a subscription. */
export const purchaseFields = {
  amount_cents: { type: 'integer', create: 'required', update: true, min: 10 },
  amount_currency: { type: 'currency', create: 'required', update: true },
  fee_cents: { type: 'integer', default: 0, opaque: true },
  description: { type: 'string', create: 'optional', update: true, max: 1000 },
  idempotency_key: { type: 'string', create: 'optional', max: 255 },
  email_receipt: {
    type: 'boolean',
    create: 'optional',
    update: true,
    default: true,
    opaque: true,
  },
  purchase_reference: { type: 'string', create: 'optional', update: true, max: 255 },
  purchase_kind: {
    type: 'enum',
    values: ['order', 'invoice'],
    create: 'optional',
    update: true,
  },
  discount_cents: { type: 'integer', create: 'optional', update: true, min: 0, opaque: true },
  line_items: { type: 'objects', members: lineItem, create: 'optional', update: true, max: 100 },
  shipping_detail: { type: 'object', members: shippingDetail, create: 'optional', update: true },
  tax_detail: { type: 'object', members: taxDetail, create: 'optional', update: true },
  payer_timezone: { type: 'timezone', create: 'optional', opaque: true },
} as const satisfies Record<string, Field>;

/** What an authentication of the cardholder came to, and what the bank said of the card's details. */
export const authenticationFields = {
  threeds_version: { type: 'string', create: 'optional', max: 20, opaque: true },
  threeds_status: { type: 'string', create: 'optional', max: 20, opaque: true },
  threeds_cryptogram: { type: 'string', create: 'optional', max: 100, sensitive: true },
  eci: { type: 'string', create: 'optional', max: 2, opaque: true },
  directory_transaction_eid: { type: 'string', create: 'optional', max: 36, opaque: true },
  acs_transaction_eid: { type: 'string', create: 'optional', max: 36, opaque: true },
  cvc2_check: {
    type: 'enum',
    values: ['match', 'mismatch', 'unprocessed', 'missing', 'unavailable', 'unresponsive'],
    default: 'unprocessed',
    opaque: true,
  },
  address_line1_verification: {
    type: 'enum',
    values: ['match', 'mismatch', 'retry', 'unavailable', 'unverified'],
    default: 'unverified',
    opaque: true,
  },
  postal_code_verification: {
    type: 'enum',
    values: ['match', 'mismatch', 'retry', 'unavailable', 'unverified'],
    default: 'unverified',
    opaque: true,
  },
} as const satisfies Record<string, Field>;

/** Who pays, for whom, with what and to where. */
export const partyRelations = {
  merchant: { to: 'merchants' },
  buyer: { to: 'customers', create: 'optional', update: true },
  payer: { to: 'customers', create: 'optional', update: true },
  receiver: { to: 'customers', create: 'optional', update: true },
  payment_method: { to: 'payment_methods', create: 'optional' },
  billing_address: { to: 'consumer_addresses', create: 'optional', update: true },
  shipping_address: { to: 'consumer_addresses', create: 'optional', update: true },
} as const satisfies Record<string, Relation>;
