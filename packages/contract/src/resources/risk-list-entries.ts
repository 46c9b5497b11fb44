import { RISK_LIST_ENTRIES_MAX, riskListKinds, riskLists } from '../risk/lists.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const riskListEntries = defineResource({
  type: 'risk_list_entries',
  summary: 'An entry of a merchant’s block list or allow list',
  owner: 'mode',
  few: RISK_LIST_ENTRIES_MAX,
  ended: 'removed_at',
  group: 'transaction',
  operations: ['list', 'fetch', 'create'],
  actions: {
    remove: {
      summary: 'Remove the entry',
      description:
        'The entry no longer applies. You cannot undo this. A removed entry does not change.',
    },
  },
  fields: {
    list: {
      type: 'enum',
      values: riskLists,
      create: 'required',
      description:
        'A `block` match fails the payment as `blocked` before it is sent. An `allow` match skips velocity limits and scores. The bank or the network may still decline. `block` overrides `allow`.',
    },
    kind: {
      type: 'enum',
      values: riskListKinds,
      create: 'required',
      description:
        'The compared value: the card in any record, the payer’s `email` or its domain, the first six digits of the card, or the billing country.',
    },
    value: {
      type: 'string',
      create: 'optional',
      max: 254,
      description:
        'The value to match. Case does not matter. Null for a `card`, which `payment_method` names.',
    },
    description: {
      type: 'string',
      create: 'optional',
      max: 1000,
      opaque: true,
      description: 'An internal note.',
    },
    removed_at: { type: 'timestamp', description: 'Time of removal; null while it is active.' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    payment_method: {
      to: 'payment_methods',
      create: 'optional',
      description: 'A payment method with the card. Only for the kind `card`.',
    },
  },
});
