import { statesOf } from '../machines/define-machine.ts';
import { followUpMachine } from '../machines/follow-up.ts';
import { AMOUNT_MAX } from '../risk/amounts.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { followUpFields, followUpMeta } from './follow-up.ts';

export const captureDemands = defineResource({
  type: 'capture_demands',
  summary: 'The capture of an amount that is held on a card',
  owner: 'mode',
  group: 'transaction',
  operations: ['list', 'fetch', 'create'],
  events: {
    scope: 'transaction.capture_demands',
    slugs: ['created', 'updated', 'succeeded', 'failed'],
  },
  fields: {
    status: {
      type: 'enum',
      values: statesOf(followUpMachine),
      always_set: true,
      description:
        '`pending` is accepted, `processing` was sent; after `failed` the hold is as it was before.',
    },
    amount_cents: {
      type: 'integer',
      create: 'optional',
      min: 1,
      max: AMOUNT_MAX,
      description:
        'Minor units of the payment’s currency; all that is held where it is not set. A payment is captured once: what is left of the hold is let go.',
    },
    ...followUpFields,
    failure_reason: {
      type: 'string',
      opaque: true,
      description:
        'Why it failed: `capture_declined` by the payer’s bank or the network, `processor_unreachable` where it never got there. Null where it has not failed.',
    },
    succeeded_at: { type: 'timestamp', description: 'When it was collected; null until then.' },
    ...timestamps,
  },
  meta: followUpMeta,
  relations: {
    merchant: { to: 'merchants' },
    payment_demand: { to: 'payment_demands', create: 'required' },
  },
});
