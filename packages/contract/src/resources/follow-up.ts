import type { Field } from './define-resource.ts';
import { metadata } from './metadata.ts';

/** Fields that refunds and captures share. */
export const followUpFields = {
  amount_currency: {
    type: 'currency',
    create: 'optional',
    description: 'The currency of the payment. Another currency is refused.',
  },
  idempotency_key: {
    type: 'string',
    create: 'optional',
    max: 255,
    description:
      'Makes a repeat safe: the same key with the same request is done once. With another request the answer is 409 `idempotency_conflict`. Unique per type.',
  },
  metadata,
} as const satisfies Record<string, Field>;

export const followUpMeta = {
  outcome: {
    type: 'enum',
    values: ['unknown'],
    description: '`unknown` while the network’s response is missing. Florin asks for it.',
  },
  since: {
    type: 'timestamp',
    column: 'outcome_since',
    description: 'Time since which the outcome is unknown.',
  },
} as const satisfies Record<string, Field>;
