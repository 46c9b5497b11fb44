/**
 * All features in order. A feature may import the features before it; later features react through
 * `reactions.ts`.
 */
export const featureOrder = [
  'records',
  'timelines',
  'processor-accounts',
  'merchants',
  'request-log',
  'people',
  'customers',
  'onboarding',
  'ledger',
  'settlement',
  'risk',
  'attempts',
  'payment-methods',
  'payments',
  'follow-ups',
  'captures',
  'refunds',
  'disputes',
  'processor-notifications',
  'documents',
  'emails',
  'subscriptions',
  'subscription-changes',
  'checkout',
  'customer-page',
  'payment-links',
  'webhooks',
  'clocks',
  'sandbox',
  'demo',
  'exports',
  'overview',
  'search',
  'alerts',
  'operations',
  'docs',
] as const;

export type Feature = (typeof featureOrder)[number];
