import { RISK_LIST_ENTRIES_MAX, riskListKinds, riskLists } from '../risk/lists.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const riskListEntries = defineResource({
  type: 'risk_list_entries',
  summary: 'What a merchant takes no payments from, or trusts',
  owner: 'mode',
  few: RISK_LIST_ENTRIES_MAX,
  ended: 'removed_at',
  group: 'transaction',
  operations: ['list', 'fetch', 'create'],
  actions: {
    remove: {
      summary: 'Take the entry off its list',
      description: 'It counts no more, for good. One that was removed stays as it is.',
    },
  },
  fields: {
    list: {
      type: 'enum',
      values: riskLists,
      create: 'required',
      description:
        'Payments that match an entry of `block` fail as `blocked` and are not sent. Those that match one of `allow` pass limits of velocity and scores, and are sent: the bank or the network may still decline them, as the sandbox’s network does the card `highest_risk`. `block` beats `allow`.',
    },
    kind: {
      type: 'enum',
      values: riskListKinds,
      create: 'required',
      description:
        'What is compared: the card itself, whichever record it is in; the payer’s `email` or its domain; the first six digits of the card; the country of the billing address.',
    },
    value: {
      type: 'string',
      create: 'optional',
      max: 254,
      description:
        'What must be equal; letters of either case are. Null for a `card`, which is named by `payment_method`.',
    },
    description: {
      type: 'string',
      create: 'optional',
      max: 1000,
      opaque: true,
      description: 'A note of the merchant’s own.',
    },
    removed_at: { type: 'timestamp', description: 'When it was removed; null while it counts.' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_method: {
      to: 'payment_methods',
      create: 'optional',
      description: 'One that has the card, for the kind `card` alone.',
    },
  },
});
