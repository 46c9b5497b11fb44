import { accountAlertMachine } from '../machines/account-alert.ts';
import { statesOf } from '../machines/define-machine.ts';
import { defineResource, timestamps } from './define-resource.ts';

export const accountAlerts = defineResource({
  type: 'account_alerts',
  summary: 'Something that the people of a merchant should know',
  owner: 'mode',
  few: true,
  group: 'user',
  operations: ['list', 'fetch'],
  fields: {
    status: { type: 'enum', values: statesOf(accountAlertMachine) },
    acknowledged_at: { type: 'timestamp' },
    ...timestamps,
  },
  relations: {
    merchant: { to: 'merchants' },
    red_flag: { to: 'red_flags' },
  },
});
