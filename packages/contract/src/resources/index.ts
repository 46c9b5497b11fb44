import { consumerAddresses } from './consumer-addresses.ts';
import { customers } from './customers.ts';
import type { Resource } from './define-resource.ts';
import { events } from './events.ts';
import { merchantTokens } from './merchant-tokens.ts';
import { merchants } from './merchants.ts';
import { paymentDemands } from './payment-demands.ts';
import { paymentMethods } from './payment-methods.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhookSubscriptions } from './webhook-subscriptions.ts';

/**
 * Every resource type by its wire name.
 *
 * - payment demand: one payment; an intent until it is confirmed
 * - payment method: a card in the vault, known here by tokens, BIN and last four
 * - event: a fact about a resource; a delivery carries one to one subscription
 * - merchant token: an API key, secret (server) or browser (publishable)
 */
export const resources = {
  consumer_addresses: consumerAddresses,
  customers,
  events,
  merchant_tokens: merchantTokens,
  merchants,
  payment_demands: paymentDemands,
  payment_methods: paymentMethods,
  webhook_deliveries: webhookDeliveries,
  webhook_subscriptions: webhookSubscriptions,
} as const satisfies Record<string, Resource>;

export type ResourceType = keyof typeof resources;
