import type { Field } from '../resources/define-resource.ts';
import { AMOUNT_MAX } from './amounts.ts';

/** Maximum number of currencies that a merchant may accept or limit. */
export const CURRENCIES_MAX = 200;

/** Limits that a merchant sets. Must be within the platform's limits. */
export const amountLimits = {
  type: 'objects',
  members: {
    amount_currency: { type: 'currency', create: 'required', description: 'Whose payments.' },
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
  max: CURRENCIES_MAX,
  opaque: true,
  description:
    'Amounts of a payment that are taken, where that is less than the service takes: 10 minor units (100 where the currency has three digits) to twelve digits. A limit beyond that changes nothing, and none makes a currency accepted: `accepted_currencies` does. It counts for new amounts a few seconds later.',
} as const satisfies Field;
