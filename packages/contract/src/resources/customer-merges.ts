import { defineResource, timestamps } from './define-resource.ts';
import { followUpFields } from './follow-up.ts';

/** Records of each type that a merge counts before it moves them. */
export const MERGE_COUNTED_MAX = 10_000;

/** Attributes of customers that a merge compares. */
export const mergedAttributes = [
  'email',
  'name',
  'phone_number',
  'description',
  'locale',
  'metadata',
] as const;

const countOf = (records: string) =>
  ({
    type: 'integer',
    default: 0,
    opaque: true,
    always_set: true,
    description: `Number of ${records} that were moved so far. In a dry run: number to move, at most 10,000.`,
  }) as const;

export const customerMerges = defineResource({
  type: 'customer_merges',
  summary: 'A merge of two customers who are the same person',
  owner: 'mode',
  group: 'consumer',
  operations: ['list', 'fetch', 'create'],
  fields: {
    dry_run: {
      type: 'boolean',
      create: 'optional',
      default: false,
      description: 'Whether to count and compare only, without a merge.',
    },
    reason: {
      type: 'string',
      create: 'optional',
      max: 500,
      opaque: true,
      description: 'An internal note. The customer never sees it.',
    },
    idempotency_key: followUpFields.idempotency_key,
    payment_demands_count: countOf('payments'),
    payment_subscriptions_count: countOf('subscriptions'),
    payment_methods_count: countOf('cards'),
    consumer_addresses_count: countOf('addresses'),
    payment_links_count: countOf('payment links'),
    duplicate_cards_count: {
      type: 'integer',
      default: 0,
      opaque: true,
      always_set: true,
      description:
        'Number of cards of the source that the target has too. Both records of a card remain.',
    },
    differences: {
      type: 'strings',
      values: mergedAttributes,
      default: [],
      opaque: true,
      always_set: true,
      description:
        'Attributes that the source has with another value than the target. The target keeps its own values.',
    },
    completed_at: {
      type: 'timestamp',
      description:
        'Time at which the last record was moved; null in a dry run, and while records are moved.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    source: {
      to: 'customers',
      create: 'required',
      description: 'The customer to merge. Nothing new can be created for this customer.',
    },
    target: {
      to: 'customers',
      create: 'required',
      description: 'The customer who remains, and gets the records of the source.',
    },
  },
});
