import { accountAlerts } from './account-alerts.ts';
import { accounts } from './accounts.ts';
import { apiRequests } from './api-requests.ts';
import { balances } from './balances.ts';
import { beneficialOwners } from './beneficial-owners.ts';
import { captureDemands } from './capture-demands.ts';
import { consumerAddresses } from './consumer-addresses.ts';
import { corporateOfficials } from './corporate-officials.ts';
import { customerMerges } from './customer-merges.ts';
import { customers } from './customers.ts';
import type { Resource } from './define-resource.ts';
import { disputeFiles } from './dispute-files.ts';
import { disputes } from './disputes.ts';
import { documents } from './documents.ts';
import { emails, letters } from './emails.ts';
import { events } from './events.ts';
import { financialInstitutions } from './financial-institutions.ts';
import { integrations } from './integrations.ts';
import { ledgerTransfers } from './ledger-transfers.ts';
import { legalAddresses } from './legal-addresses.ts';
import { memberships } from './memberships.ts';
import { merchantIntegrations } from './merchant-integrations.ts';
import { merchantPunitiveActions } from './merchant-punitive-actions.ts';
import { merchantTokens } from './merchant-tokens.ts';
import { merchants } from './merchants.ts';
import { paymentAttempts } from './payment-attempts.ts';
import { paymentDemands } from './payment-demands.ts';
import { paymentLinks } from './payment-links.ts';
import { paymentMethods } from './payment-methods.ts';
import { paymentSubscriptions } from './payment-subscriptions.ts';
import { payouts } from './payouts.ts';
import { permissions } from './permissions.ts';
import { personalIdentifications } from './personal-identifications.ts';
import { processorDetails } from './processor-details.ts';
import { redFlags } from './red-flags.ts';
import { refundDemands } from './refund-demands.ts';
import { riskListEntries } from './risk-list-entries.ts';
import { sandboxClocks } from './sandbox-clocks.ts';
import { settlementExceptions } from './settlement-exceptions.ts';
import { subscriptionChanges } from './subscription-changes.ts';
import { subscriptionPeriods } from './subscription-periods.ts';
import { velocityLimits } from './velocity-limits.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { webhookDeliveryAttempts } from './webhook-delivery-attempts.ts';
import { webhookReplays } from './webhook-replays.ts';
import { webhookSubscriptions } from './webhook-subscriptions.ts';

/**
 * Every resource type by its wire name.
 * - payment demand: one payment; an intent until it is confirmed
 * - payment attempt: one message to a processor about a payment, capture or refund
 * - payment method: a card in the vault, represented by tokens, BIN and last four digits
 * - event: a fact about a record; a delivery sends one event to one webhook subscription
 * - merchant token: an API key, secret (for servers) or publishable (for browsers)
 * - account: a person with a login; a membership grants the person permissions of a merchant
 */
export const resources = {
  account_alerts: accountAlerts,
  accounts,
  api_requests: apiRequests,
  balances,
  beneficial_owners: beneficialOwners,
  capture_demands: captureDemands,
  consumer_addresses: consumerAddresses,
  corporate_officials: corporateOfficials,
  customer_merges: customerMerges,
  customers,
  disputes,
  dispute_files: disputeFiles,
  documents,
  emails,
  events,
  financial_institutions: financialInstitutions,
  integrations,
  ledger_transfers: ledgerTransfers,
  legal_addresses: legalAddresses,
  letters,
  memberships,
  merchant_integrations: merchantIntegrations,
  merchant_punitive_actions: merchantPunitiveActions,
  merchant_tokens: merchantTokens,
  merchants,
  payment_attempts: paymentAttempts,
  payment_demands: paymentDemands,
  payment_links: paymentLinks,
  payment_methods: paymentMethods,
  payment_subscriptions: paymentSubscriptions,
  payouts,
  permissions,
  personal_identifications: personalIdentifications,
  processor_details: processorDetails,
  red_flags: redFlags,
  refund_demands: refundDemands,
  risk_list_entries: riskListEntries,
  velocity_limits: velocityLimits,
  sandbox_clocks: sandboxClocks,
  settlement_exceptions: settlementExceptions,
  subscription_changes: subscriptionChanges,
  subscription_periods: subscriptionPeriods,
  webhook_deliveries: webhookDeliveries,
  webhook_delivery_attempts: webhookDeliveryAttempts,
  webhook_replays: webhookReplays,
  webhook_subscriptions: webhookSubscriptions,
} as const satisfies Record<string, Resource>;

export type ResourceType = keyof typeof resources;
