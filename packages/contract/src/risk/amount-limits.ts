import type { Field } from '../resources/define-resource.ts';
import { AMOUNT_MAX } from './amounts.ts';

/** Maximum number of currencies that a merchant may accept or limit. */
export const CURRENCIES_MAX = 200;

/** Limits that a merchant sets. Must be within the platform's limits. */
export const amountLimits = {
  type: 'objects',
  members: {
    amount_currency: {
      type: 'currency',
      create: 'required',
      description: 'The customer who pays.',
    },
    min_cents: {
      type: 'integer',
      create: 'optional',
      min: 1,
      max: AMOUNT_MAX,
      description: 'The smallest amount, in minor units.',
    },
    max_cents: {
      type: 'integer',
      create: 'optional',
      min: 1,
      max: AMOUNT_MAX,
      description: 'The largest amount, in minor units.',
    },
  },
  update: true,
  per_mode: true,
  max: CURRENCIES_MAX,
  opaque: true,
  description:
    'Limits for the amount of a payment. They narrow the limits of the service: 10 minor units (100 with three decimals) to twelve digits. A limit does not make a currency accepted. A change applies to new amounts within seconds.',
} as const satisfies Field;
