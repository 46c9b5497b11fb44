import { defineResource, timestamps } from './define-resource.ts';

export const payouts = defineResource({
  type: 'payouts',
  summary: 'A payout to the merchant after the settlement of a day',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch'],
  fields: {
    status: {
      type: 'enum',
      values: ['pending', 'paid'],
      always_set: true,
      description: 'In the sandbox payouts are `paid` at once.',
    },
    amount_cents: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Minor units of the payout: everything that was available.',
    },
    amount_currency: { type: 'currency', always_set: true, opaque: true },
    settled_on: {
      type: 'date',
      always_set: true,
      description:
        'Day (UTC) of the settlement. There is one payout per day and currency, and in the sandbox one more for each "Settle now".',
    },
    paid_at: { type: 'timestamp', opaque: true, description: 'Time of the payout.' },
    ...timestamps,
  },
  relations: { merchant: { to: 'merchants' } },
});
