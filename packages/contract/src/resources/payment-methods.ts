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
  summary: 'A card that a customer has given, held by the vault',
  owner: 'mode',
  group: 'consumer',
  operations: ['list', 'fetch', 'create'],
  events: { scope: 'consumer.payment_methods', slugs: ['created', 'updated'] },
  fields: {
    card_pan_token: { type: 'string', create: 'required', max: 64, sensitive: true },
    card_cvv_token: { type: 'string', create: 'optional', max: 64, sensitive: true },
    nickname: { type: 'string', create: 'optional', max: 100 },
    description: { type: 'string', create: 'optional', max: 1000, opaque: true },
    card_bin: { type: 'string' },
    last_four: { type: 'string' },
    kind: { type: 'enum', values: paymentMethodKinds },
    external_state: { type: 'enum', values: ['pending', 'confirmed', 'failed', 'errored'] },
    expiry_month: { type: 'integer', create: 'required', min: 1, max: 12 },
    expiry_year: { type: 'integer', create: 'required', min: 2000, max: 2099 },
    discarded_at: { type: 'timestamp' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    customer: { to: 'customers', create: 'optional' },
    address: { to: 'consumer_addresses', create: 'optional' },
    payment_demands: { to: 'payment_demands', many: true, inverse: 'payment_method' },
  },
});
