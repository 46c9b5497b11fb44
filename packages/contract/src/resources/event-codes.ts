import { patternsOf, webhookCodes } from '../events.ts';
import { captureDemands } from './capture-demands.ts';
import { consumerAddresses } from './consumer-addresses.ts';
import { customers } from './customers.ts';
import { disputes } from './disputes.ts';
import { paymentDemands } from './payment-demands.ts';
import { paymentMethods } from './payment-methods.ts';
import { paymentSubscriptions } from './payment-subscriptions.ts';
import { refundDemands } from './refund-demands.ts';
import { settlementExceptions } from './settlement-exceptions.ts';

/** Event codes that a webhook subscription may list, of all types with events. */
export const eventCodes: readonly string[] = webhookCodes({
  payment_demands: paymentDemands,
  capture_demands: captureDemands,
  refund_demands: refundDemands,
  disputes,
  payment_subscriptions: paymentSubscriptions,
  customers,
  consumer_addresses: consumerAddresses,
  payment_methods: paymentMethods,
  settlement_exceptions: settlementExceptions,
});

/** Accepted members of a webhook subscription's `events`: codes and wildcards. */
export const eventPatterns: readonly string[] = [...eventCodes, ...patternsOf(eventCodes)];
