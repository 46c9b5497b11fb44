import { describe, expect, it } from 'vitest';
import { filtersOfTab, tabParameters } from './payment-tabs.ts';

const HIDDEN = { 'filter[status][ne]': 'incomplete,ready' };

describe('a tab', () => {
  it.each([
    ['all but incomplete ones', {}, HIDDEN],
    ['all, under an unknown name', { tab: 'mugs' }, HIDDEN],
    ['those that a link names by state', { 'filter[status]': 'ready' }, {}],
    ['incomplete ones', { tab: 'incomplete' }, { 'filter[status]': 'incomplete,ready' }],
    ['those with a refund', { tab: 'refunded' }, { 'filter[refund_demands.status]': 'succeeded' }],
    ['lost disputes too', { tab: 'disputed' }, { 'filter[status]': 'disputed,reversed' }],
  ])('shows %s', (_which, search, parameters) => {
    expect(tabParameters(search)).toEqual(parameters);
  });

  it('keeps the filters of the list, and a filter of states only while it is shown', () => {
    const dollars = { 'filter[amount_currency]': 'USD' };
    const search = { ...dollars, 'filter[status]': 'canceled', sort: 'id', date: 'today' };
    expect(filtersOfTab('all', search)).toEqual({ ...dollars, 'filter[status]': 'canceled' });
    expect(filtersOfTab('failed', search)).toEqual({ ...dollars, 'filter[status]': 'failed' });
    expect(filtersOfTab('all', { ...search, tab: 'refunded' })).toEqual({ ...dollars, ...HIDDEN });
  });
});
