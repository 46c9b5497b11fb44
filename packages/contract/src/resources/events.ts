import { defineResource } from './define-resource.ts';
import { eventCodes } from './event-codes.ts';
import { webhookSubscriptions } from './webhook-subscriptions.ts';

/**
 * Types with events: those with codes, and webhook subscriptions, which have test events of their
 * own.
 */
const types = [...new Set([...eventCodes.map(groupAndType), webhookSubscriptions.events.scope])];
const slugs = [...new Set([...eventCodes.map(lastPart), ...webhookSubscriptions.events.slugs])];

function groupAndType(code: string): string {
  return code.slice(0, code.lastIndexOf('.'));
}

function lastPart(code: string): string {
  return code.slice(code.lastIndexOf('.') + 1);
}

export const events = defineResource({
  type: 'events',
  summary: 'A change of a record, with a snapshot of the record',
  owner: 'mode',
  group: 'developer',
  operations: ['list', 'fetch'],
  fields: {
    mode: {
      type: 'enum',
      values: ['live', 'sandbox'],
      always_set: true,
      description: 'Mode of the record.',
    },
    resource_type: {
      type: 'string',
      values: types,
      always_set: true,
      description:
        'Type of the record with its group, such as `transaction.payment_demands`. With `slug` it forms the code in webhook subscriptions.',
    },
    resource_id: {
      type: 'uuid',
      always_set: true,
      description: 'Id of the record.',
    },
    slug: {
      type: 'string',
      values: slugs,
      always_set: true,
      description: 'Kind of the change, such as `succeeded`.',
    },
    sequence: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Number of the event among the events of its record: 1, 2, 3, without gaps.',
    },
    data: {
      type: 'object',
      opaque: true,
      snapshot_of: 'resource_type',
      description:
        'The record at that time: `id`, `type` and `attributes`. Null for a key that may not read its type.',
    },
    created_at: {
      type: 'timestamp',
      description:
        'Time of the change, by the sandbox’s clock if it was moved. Kept for 400 days, or as the operator chooses.',
    },
    recorded_at: {
      type: 'timestamp',
      always_set: true,
      description:
        'Time of storage by the database’s clock. Use it to follow the log, and read the last minute again: transactions become visible out of order.',
    },
  },
  relations: { merchant: { to: 'merchants' } },
});
