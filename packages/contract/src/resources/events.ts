import { defineResource } from './define-resource.ts';

export const events = defineResource({
  type: 'events',
  summary: 'What happened to a resource, with a snapshot of it',
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
    created_at: { type: 'timestamp' },
  },
  relations: { merchant: { to: 'merchants' } },
});
