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
      'The same key with the same request makes nothing twice; with another one it is 409 `idempotency_conflict`. Counted per type.',
  },
  metadata,
} as const satisfies Record<string, Field>;

export const followUpMeta = {
  outcome: {
    type: 'enum',
    values: ['unknown'],
    description: 'There while the network’s answer is missing; it is being asked for.',
  },
  since: {
    type: 'timestamp',
    column: 'outcome_since',
    description: 'Since when the outcome is unknown.',
  },
} as const satisfies Record<string, Field>;
