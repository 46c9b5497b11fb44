import { stateTableOf } from '@florin/contract/machines/all.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { expect, it } from 'vitest';
import { isState } from './is-state.ts';

const statesOf = ({ fields }: (typeof resources)[keyof typeof resources]): string[] =>
  Object.entries(fields)
    .filter(([name, field]) => isState(name, field))
    .map(([name]) => name);

it.each(Object.values(resources))(
  'of $type only machine states are shown as states',
  (resource) => {
    const fieldNames = statesOf(resource);
    if (stateTableOf(resource.table ?? resource.type)) expect(fieldNames).not.toEqual([]);
    else expect(fieldNames).toEqual(resource.type === 'accounts' ? ['account_status'] : []);
  },
);

it('treats the state of an address as a name', () => {
  expect(isState('state', resources.consumer_addresses.fields.state)).toBe(false);
  expect(isState('status', resources.payment_demands.fields.status)).toBe(true);
  expect(statesOf(resources.refund_demands)).toEqual(['state', 'status']);
});
