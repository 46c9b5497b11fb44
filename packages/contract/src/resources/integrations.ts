import { defineResource, timestamps } from './define-resource.ts';

export const integrations = defineResource({
  type: 'integrations',
  summary: 'A third-party service that merchants can connect',
  owner: 'platform',
  few: 500,
  group: 'developer',
  operations: ['list', 'fetch'],
  fields: {
    name: { type: 'string', description: 'Name of the service.' },
    url: { type: 'url', description: 'Documentation of the service.' },
    ...timestamps,
  },
  relations: {
    merchant_integrations: { to: 'merchant_integrations', many: true, inverse: 'integration' },
  },
});
