import type { ResourceType } from '../../api/types.ts';

/** Types with pages of their own, by path before the id. All other types use the generic record pages. */
const ownPages: Partial<Record<ResourceType, string>> = {
  api_requests: 'developers/requests',
  events: 'developers/events',
  merchant_tokens: 'developers/keys',
  disputes: 'disputes',
  payment_demands: 'payments',
  payment_links: 'payment-links',
  payment_subscriptions: 'subscriptions',
  webhook_deliveries: 'developers/deliveries',
  webhook_subscriptions: 'developers/webhooks',
};

/** Returns the path of a record's page, for `ScopedLink`. */
export const recordPath = (type: ResourceType, id: string): string =>
  `${ownPages[type] ?? `records/${type}`}/${id}`;

/** Returns the path of the list of a type. */
export const listPath = (type: ResourceType): string => ownPages[type] ?? `records/${type}`;
