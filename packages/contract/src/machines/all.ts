import { accountAlertMachine } from './account-alert.ts';
import { attemptMachine } from './attempt.ts';
import { authenticationMachine } from './authentication.ts';
import type { Machine } from './define-machine.ts';
import { disputeActions, disputeMachine } from './dispute.ts';
import { emailMachine } from './email.ts';
import { followUpMachine } from './follow-up.ts';
import { merchantPunitiveActionMachine } from './merchant-punitive-action.ts';
import { paymentDemandActions, paymentDemandMachine } from './payment-demand.ts';
import { paymentLinkMachine } from './payment-link.ts';
import { paymentSubscriptionActions, paymentSubscriptionMachine } from './payment-subscription.ts';
import { redFlagMachine } from './red-flag.ts';
import { sandboxClockMachine } from './sandbox-clock.ts';
import { settlementExceptionActions, settlementExceptionMachine } from './settlement-exception.ts';
import { webhookDeliveryMachine } from './webhook-delivery.ts';
import { webhookReplayMachine } from './webhook-replay.ts';
import { webhookSubscriptionMachine } from './webhook-subscription.ts';

export interface StateTable {
  readonly machine: Machine;
  /**
   * Client actions per state, including follow-ups. Default: the state's triggers that are actions.
   */
  readonly actions?: Readonly<Record<string, readonly string[]>>;
}

/** Machines by table. All but two of the tables have a resource type. */
export const stateTables = {
  account_alerts: { machine: accountAlertMachine },
  attempts: { machine: attemptMachine },
  authentications: { machine: authenticationMachine },
  capture_demands: { machine: followUpMachine },
  disputes: { machine: disputeMachine, actions: disputeActions },
  letters: { machine: emailMachine },
  merchant_punitive_actions: { machine: merchantPunitiveActionMachine },
  payment_demands: { machine: paymentDemandMachine, actions: paymentDemandActions },
  payment_links: { machine: paymentLinkMachine },
  payment_subscriptions: {
    machine: paymentSubscriptionMachine,
    actions: paymentSubscriptionActions,
  },
  red_flags: { machine: redFlagMachine },
  refund_demands: { machine: followUpMachine },
  sandbox_clocks: { machine: sandboxClockMachine },
  settlement_exceptions: {
    machine: settlementExceptionMachine,
    actions: settlementExceptionActions,
  },
  webhook_deliveries: { machine: webhookDeliveryMachine },
  webhook_replays: { machine: webhookReplayMachine },
  webhook_subscriptions: { machine: webhookSubscriptionMachine },
} as const satisfies Record<string, StateTable>;

/** Machine of a table; undefined for tables without states. */
export const stateTableOf = (table: string): StateTable | undefined =>
  (stateTables as Readonly<Record<string, StateTable>>)[table];
