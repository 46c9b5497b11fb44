import { defineResource } from './define-resource.ts';

export const events = defineResource({
  type: 'events',
  summary: 'What happened to a resource, with a snapshot of it',
  owner: 'mode',
  group: 'developer',
  operations: ['list', 'fetch'],
  fields: {
    mode: { type: 'enum', values: ['live', 'sandbox'] },
    resource_type: { type: 'string' },
    resource_id: { type: 'uuid' },
    slug: { type: 'string' },
    data: { type: 'object', opaque: true },
    created_at: { type: 'timestamp' },
  },
  relations: { merchant: { to: 'merchants' } },
});
