import { defineResource, timestamps } from './define-resource.ts';

export const merchantIntegrations = defineResource({
  type: 'merchant_integrations',
  summary: 'A service that a merchant has connected, and the key that it uses',
  owner: 'mode',
  few: true,
  group: 'developer',
  operations: ['list', 'fetch'],
  fields: {
    name: { type: 'string' },
    admin_url: { type: 'url' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    integration: { to: 'integrations' },
    merchant_token: { to: 'merchant_tokens' },
  },
});
