import { expect, it } from 'vitest';
import { tabParameters } from './tabs.ts';

it.each([
  ['all but incomplete ones', {}, { 'filter[status][ne]': 'incomplete,ready' }],
  ['all, under an unknown name', { tab: 'mugs' }, { 'filter[status][ne]': 'incomplete,ready' }],
  ['those that a link names by state', { 'filter[status]': 'ready' }, {}],
  ['incomplete ones', { tab: 'incomplete' }, { 'filter[status]': 'incomplete,ready' }],
  ['those with a refund', { tab: 'refunded' }, { 'filter[refund_demands.status]': 'succeeded' }],
  ['lost disputes too', { tab: 'disputed' }, { 'filter[status]': 'disputed,reversed' }],
])('a tab shows %s', (_which, search, parameters) => {
  expect(tabParameters(search)).toEqual(parameters);
});
