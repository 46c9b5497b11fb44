import { defineResource, timestamps } from './define-resource.ts';

export const merchants = defineResource({
  type: 'merchants',
  summary: 'The legal entity of a merchant business',
  owner: 'merchant',
  group: 'user',
  operations: ['list', 'fetch', 'update'],
  fields: {
    business_name: { type: 'string', update: true, max: 200 },
    business_description: { type: 'string', update: true, max: 1000 },
    business_email: { type: 'email', update: true, max: 254 },
    business_support_email: { type: 'email', update: true, max: 254 },
    business_support_url: { type: 'url', update: true, max: 2000 },
    business_terms_url: { type: 'url', update: true, max: 2000 },
    business_privacy_policy_url: { type: 'url', update: true, max: 2000 },
    business_website: { type: 'url', update: true, max: 2000 },
    business_timezone: { type: 'timezone', update: true, default: 'UTC' },
    business_zip_code: { type: 'string', update: true, max: 20 },
    phone_number: { type: 'phone', update: true },
    category_code: { type: 'string', max: 4 },
    entity_type: { type: 'string', max: 50 },
    prior_bankruptcies: { type: 'boolean' },
    active_at: { type: 'timestamp' },
    ...timestamps,
  },
  relations: {
    customers: { to: 'customers', many: true, inverse: 'merchant' },
    payment_demands: { to: 'payment_demands', many: true, inverse: 'merchant' },
    payment_methods: { to: 'payment_methods', many: true, inverse: 'merchant' },
  },
});
