import type { Resource } from '@florin/contract/resources/define-resource.ts';
import type { Behaviour, Behaviours } from '../jsonapi/behaviour.ts';
import type { ComputedByTable } from '../jsonapi/document/computed-columns.ts';
import type { Model, Models } from '../jsonapi/model.ts';
import type { Services } from '../services.ts';
import { accountAlertBehaviour } from './alerts/behaviour.ts';
import { captureDemandBehaviour } from './captures/behaviour.ts';
import { sandboxClockBehaviour } from './clocks/behaviour.ts';
import { customerMergeBehaviour } from './customer-merges/behaviour.ts';
import { consumerAddressBehaviour } from './customers/addresses.ts';
import { customerBehaviour } from './customers/behaviour.ts';
import { disputeBehaviour } from './disputes/behaviour.ts';
import { disputeFileBehaviour } from './disputes/files/behaviour.ts';
import { createEmailTexts } from './emails/texts-on-read.ts';
import { merchantBehaviour } from './merchants/behaviour.ts';
import { merchantTokenBehaviour } from './merchants/tokens.ts';
import { legalAddressBehaviour } from './onboarding/addresses.ts';
import { personalIdentificationBehaviour } from './onboarding/identifications.ts';
import { beneficialOwnerBehaviour } from './onboarding/owners.ts';
import { paymentLinkBehaviour } from './payment-links/behaviour.ts';
import { paymentMethodBehaviour } from './payment-methods/behaviour.ts';
import { paymentDemandBehaviour } from './payments/behaviour.ts';
import { membershipBehaviour } from './people/memberships/behaviour.ts';
import { plainBehaviour } from './records/plain.ts';
import { withRecordLimit } from './records/record-limit.ts';
import { refundDemandBehaviour } from './refunds/behaviour.ts';
import { riskListEntryBehaviour } from './risk/list-entries.ts';
import { velocityLimitBehaviour } from './risk/velocity-limits.ts';
import { settlementExceptionBehaviour } from './settlement/resolve.ts';
import { subscriptionChangeBehaviour } from './subscription-changes/behaviour.ts';
import { paymentSubscriptionBehaviour } from './subscriptions/behaviour.ts';
import { createChargeConfirmer } from './subscriptions/billing/confirm-charge.ts';
import { onTimelines } from './timelines/on-timelines.ts';
import { webhookSubscriptionBehaviour } from './webhooks/behaviour.ts';
import { webhookDeliveryBehaviour } from './webhooks/deliveries.ts';
import { webhookReplayBehaviour } from './webhooks/replays/behaviour.ts';

/** Types with rules of their own. Other types are stored as clients send them. */
const special: Readonly<Record<string, (services: Services, model: Model) => Behaviour>> = {
  account_alerts: accountAlertBehaviour,
  beneficial_owners: beneficialOwnerBehaviour,
  capture_demands: captureDemandBehaviour,
  consumer_addresses: consumerAddressBehaviour,
  customer_merges: customerMergeBehaviour,
  customers: customerBehaviour,
  dispute_files: disputeFileBehaviour,
  disputes: disputeBehaviour,
  legal_addresses: legalAddressBehaviour,
  memberships: membershipBehaviour,
  merchant_tokens: merchantTokenBehaviour,
  merchants: merchantBehaviour,
  payment_demands: (services) => paymentDemandBehaviour(services, createChargeConfirmer(services)),
  payment_links: paymentLinkBehaviour,
  payment_methods: paymentMethodBehaviour,
  payment_subscriptions: paymentSubscriptionBehaviour,
  personal_identifications: personalIdentificationBehaviour,
  refund_demands: refundDemandBehaviour,
  risk_list_entries: riskListEntryBehaviour,
  sandbox_clocks: sandboxClockBehaviour,
  settlement_exceptions: settlementExceptionBehaviour,
  subscription_changes: subscriptionChangeBehaviour,
  velocity_limits: velocityLimitBehaviour,
  webhook_deliveries: webhookDeliveryBehaviour,
  webhook_replays: webhookReplayBehaviour,
  webhook_subscriptions: webhookSubscriptionBehaviour,
};

/** Behaviours of all writable types. */
export const createBehaviours = (services: Services): Behaviours =>
  onTimelines(services, behavioursAt);

function behavioursAt(services: Services): Behaviours {
  const writable = services.models.all.filter(({ resource }) => isWritable(resource));
  return Object.fromEntries(
    writable.map((model) => {
      const behaviour = (special[model.type] ?? plainBehaviour)(services, model);
      return [model.type, withRecordLimit(services, model, behaviour)];
    }),
  );
}

/** Columns that are computed when records are read. */
export const computedColumnsOf = (services: Pick<Services, 'logger'>): ComputedByTable => ({
  letters: createEmailTexts(services),
});

/** Whether rows of a table store only values that a client sent in a create. */
export const isStoredAsSent = ({ all }: Models, table: string): boolean =>
  all.some(
    ({ table: of, type, resource }) =>
      of === table && resource.operations.includes('create') && !Object.hasOwn(special, type),
  );

const isWritable = ({ operations, actions }: Resource): boolean =>
  operations.includes('create') || operations.includes('update') || actions !== undefined;
