import { statesOf } from '../machines/define-machine.ts';
import { webhookDeliveryMachine } from '../machines/webhook-delivery.ts';
import { webhookReplayMachine } from '../machines/webhook-replay.ts';
import { defineResource, timestamps } from './define-resource.ts';
import { eventPatterns } from './event-codes.ts';

export const webhookReplays = defineResource({
  type: 'webhook_replays',
  summary: 'A repeated delivery of the events of a period to one subscription',
  owner: 'mode',
  group: 'developer',
  operations: ['list', 'fetch', 'create'],
  actions: {
    cancel: {
      summary: 'Cancel the replay',
      description: 'Needs the status `pending`. Queued deliveries are still sent.',
    },
  },
  fields: {
    status: {
      type: 'enum',
      values: statesOf(webhookReplayMachine),
      always_set: true,
      description:
        '`finished` once every delivery is scheduled, before all are sent. A replay waits while its subscription has 2,000 deliveries in front of it. `canceled` if the subscription is archived. Ten replays can be `pending`.',
    },
    dry_run: {
      type: 'boolean',
      create: 'optional',
      default: false,
      opaque: true,
      description: 'Whether to count the matching events without sending them.',
    },
    since: {
      type: 'timestamp',
      create: 'required',
      opaque: true,
      description: 'Start of the period. A replay covers at most 366 days.',
    },
    until: {
      type: 'timestamp',
      create: 'optional',
      opaque: true,
      always_set: true,
      description: 'End of the period. Default: now.',
    },
    events: {
      type: 'strings',
      values: eventPatterns,
      create: 'optional',
      min: 1,
      max: 100,
      opaque: true,
      description:
        'Only events with these codes that the subscription lists. Default: all that it lists.',
    },
    delivery_statuses: {
      type: 'strings',
      values: [...statesOf(webhookDeliveryMachine), 'none'],
      create: 'optional',
      min: 1,
      max: 5,
      opaque: true,
      description:
        'Only events whose delivery has one of these statuses. `none`: no delivery exists. Default: all but `pending`.',
    },
    resource_id: {
      type: 'uuid',
      create: 'optional',
      opaque: true,
      description: 'Only events of this record.',
    },
    matched_count: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Number of matching events so far.',
    },
    queued_count: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Number of deliveries scheduled so far; 0 in a dry run.',
    },
    finished_at: {
      type: 'timestamp',
      opaque: true,
      description: 'Time at which the last delivery was scheduled, or of the cancellation.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    webhook_subscription: { to: 'webhook_subscriptions', create: 'required' },
  },
});
