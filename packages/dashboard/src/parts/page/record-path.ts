import type { ResourceType } from '../../api/types.ts';

/** Types whose records have a page of their own, with the path before the id. All others are shown as any record. */
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

/** Where a record is shown, for `ScopedLink`. */
export const recordPath = (type: ResourceType, id: string): string =>
  `${ownPages[type] ?? `records/${type}`}/${id}`;

/** Where the records of a type are listed. */
export const listPath = (type: ResourceType): string => ownPages[type] ?? `records/${type}`;
