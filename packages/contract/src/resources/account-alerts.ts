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
      description: '`pending` until somebody has seen it.',
    },
    code: {
      type: 'string',
      opaque: true,
      description:
        'What it is about, in one word: `webhook_subscription_paused`, or `webhook_backlog_stopped` of one that keeps no more; `red_flag_raised`, `merchant_quarantined`.',
    },
    message: {
      type: 'string',
      opaque: true,
      description: 'What people should know, in a sentence.',
    },
    acknowledged_at: { type: 'timestamp', description: 'When it was seen; null until then.' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    red_flag: { to: 'red_flags' },
    webhook_subscription: { to: 'webhook_subscriptions' },
  },
});
