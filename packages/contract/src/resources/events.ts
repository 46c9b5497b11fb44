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
      description: 'The mode of the record that it is about.',
    },
    resource_type: {
      type: 'string',
      values: types,
      always_set: true,
      description:
        'What it is about, with its group: `transaction.payment_demands`. Together with `slug` it is the code that webhook subscriptions list.',
    },
    resource_id: {
      type: 'uuid',
      always_set: true,
      description: 'Id of the record that it is about.',
    },
    slug: {
      type: 'string',
      values: slugs,
      always_set: true,
      description: 'What happened, in one word: `succeeded`.',
    },
    sequence: {
      type: 'integer',
      always_set: true,
      opaque: true,
      description: 'Its place among the events of its record: 1, 2, 3, without gaps.',
    },
    data: {
      type: 'object',
      opaque: true,
      snapshot_of: 'resource_type',
      description:
        'The record as it was then: `id`, `type` and `attributes`; null for a key that may not read records of its type.',
    },
    created_at: {
      type: 'timestamp',
      description: 'When it happened: by the clock of the sandbox where that was moved.',
    },
    recorded_at: {
      type: 'timestamp',
      always_set: true,
      description:
        'When it was stored, by the clock of the database: who follows the log reads it by this. Transactions become visible in another order, so that the last minute has to be read again.',
    },
  },
  relations: { merchant: { to: 'merchants' } },
});
