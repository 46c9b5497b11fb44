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
        '`pending` is accepted, `processing` was sent. After `failed` the hold remains as before. A payment has one capture in progress at a time.',
    },
    amount_cents: {
      type: 'integer',
      create: 'optional',
      min: 1,
      max: AMOUNT_MAX,
      description:
        'Minor units in the payment’s currency; all that is left of the hold by default.',
    },
    final: {
      type: 'boolean',
      create: 'optional',
      always_set: true,
      opaque: true,
      description:
        'Whether this is the last capture; `true` by default. After `true` the rest of the hold is released. After `false` the payment is `authorised` again until a final capture, a void, or `hold_expires_at`. A capture of all that is left is always final. Accounts of some processors take one capture only: 422 `several_captures_unsupported`.',
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
