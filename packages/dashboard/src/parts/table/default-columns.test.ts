import { resources } from '@florin/contract/resources/index.ts';
import { expect, it } from 'vitest';
import { defaultColumns } from './default-columns.ts';

it.each([
  ['risk_list_entries', 'removed_at'],
  ['velocity_limits', 'removed_at'],
  ['account_alerts', 'message_code'],
  ['account_alerts', 'message_parameters'],
] as const)('lists of %s have no column %s unless somebody chooses it', (type, name) => {
  expect(resources[type].fields).toHaveProperty(name);
  expect(defaultColumns(resources[type])).not.toContain(name);
});
