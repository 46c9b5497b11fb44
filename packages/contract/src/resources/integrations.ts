import { defineResource, timestamps } from './define-resource.ts';

export const integrations = defineResource({
  type: 'integrations',
  summary: 'A service of a third party that merchants can connect',
  owner: 'platform',
  few: true,
  group: 'developer',
  operations: ['list', 'fetch'],
  fields: {
    name: { type: 'string' },
    url: { type: 'url' },
    ...timestamps,
  },
  relations: {
    merchant_integrations: { to: 'merchant_integrations', many: true, inverse: 'integration' },
  },
});
