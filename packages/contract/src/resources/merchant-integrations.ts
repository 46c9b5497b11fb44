import { defineResource, timestamps } from './define-resource.ts';

export const merchantIntegrations = defineResource({
  type: 'merchant_integrations',
  summary: 'A service that a merchant has connected, with its key',
  owner: 'mode',
  few: 500,
  group: 'developer',
  operations: ['list', 'fetch'],
  fields: {
    name: { type: 'string', description: 'Name of the connection.' },
    admin_url: { type: 'url', description: 'Address of its settings at the service.' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    integration: { to: 'integrations' },
    merchant_token: { to: 'merchant_tokens' },
  },
});
