import { accountAlertMachine } from '../machines/account-alert.ts';
import { statesOf } from '../machines/define-machine.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const accountAlerts = defineResource({
  type: 'account_alerts',
  summary: 'A message to the members of a merchant',
  owner: 'mode',
  few: 500,
  group: 'user',
  operations: ['list', 'fetch'],
  actions: {
    acknowledge: {
      summary: 'Acknowledge the alert',
      description: 'An acknowledged alert does not change.',
    },
  },
  fields: {
    status: {
      type: 'enum',
      values: statesOf(accountAlertMachine),
      always_set: true,
      description: '`pending` until somebody acknowledges the alert.',
    },
    code: {
      type: 'string',
      opaque: true,
      description:
        'Kind of the alert: `webhook_subscription_paused`, `webhook_backlog_stopped` (a paused subscription discards its oldest deliveries), `card_testing` (somebody may be testing stolen cards), `payment_confirmed_without_checks` (the operator confirmed a payment to which `refused_mismatches` could not be applied), `red_flag_raised` or `merchant_quarantined`.',
    },
    message: {
      type: 'string',
      opaque: true,
      description: 'Message of the alert in English.',
    },
    message_code: {
      type: 'string',
      opaque: true,
      description:
        'Code of the message, for programs that show it in other languages; null for alerts of earlier versions.',
    },
    message_parameters: {
      type: 'object',
      opaque: true,
      description:
        'Parameters of the message: `host`, `payment`, `reason`, `since`, `token`, `until`, `violation`, as the message needs them.',
    },
    acknowledged_at: {
      type: 'timestamp',
      description: 'Time of the acknowledgement; null until then.',
    },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    red_flag: { to: 'red_flags' },
    webhook_subscription: { to: 'webhook_subscriptions' },
  },
});
