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
        '`pending` is accepted, `processing` was sent. After `failed` the hold remains as before.',
    },
    amount_cents: {
      type: 'integer',
      create: 'optional',
      min: 1,
      max: AMOUNT_MAX,
      description:
        'Minor units in the payment’s currency; the whole hold by default. A payment is captured once, and the rest of the hold is released.',
    },
    ...followUpFields,
    failure_reason: {
      type: 'string',
      opaque: true,
      description:
        'Reason of a failure: `capture_declined` by the bank or the network, or `processor_unreachable`. Null otherwise.',
    },
    succeeded_at: { type: 'timestamp', description: 'Time of the capture; null until then.' },
    ...timestamps,
  },
  meta: followUpMeta,
  relations: {
    merchant: { to: 'merchants' },
    payment_demand: { to: 'payment_demands', create: 'required' },
  },
});
