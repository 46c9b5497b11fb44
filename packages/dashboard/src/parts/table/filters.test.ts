import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { defaultColumns } from './default-columns.ts';
import { type Filter, operatorsOf, readFilters, writeFilter } from './filters.ts';
import { queryableFields } from './queryable.ts';

describe('filters in an address', () => {
  it.each<[Filter, Record<string, string>]>([
    [{ name: 'status', operator: 'eq', value: 'failed' }, { 'filter[status]': 'failed' }],
    [
      { name: 'name', operator: 'like', value: 'Ltd, \\o/' },
      { 'filter[name][like]': 'Ltd\\, \\\\o/' },
    ],
    [{ name: 'paid_at', operator: 'empty', value: '' }, { 'filter[paid_at][null]': 'true' }],
    [{ name: 'paid_at', operator: 'not_empty', value: '' }, { 'filter[paid_at][null]': 'false' }],
    [{ name: 'amount_cents', operator: 'gte', value: '5' }, { 'filter[amount_cents][gte]': '5' }],
  ])('are the parameters of the interface: %o', (filter, parameters) => {
    expect(writeFilter(filter)).toEqual(parameters);
    expect(readFilters(parameters)).toEqual([filter]);
  });

  it('leave alone what they do not understand', () => {
    expect(readFilters({ 'filter[payer.email]': 'a', 'filter[x][y]': 'b', sort: 'c' })).toEqual([]);
  });
});

describe.each(Object.values(resources))('lists of $type', (resource) => {
  it('have columns, of attributes that there are', () => {
    const columns = defaultColumns(resource);
    expect(columns.length).toBeGreaterThan(0);
    for (const name of columns) expect(resource.fields).toHaveProperty(name);
  });

  it('can be filtered by some comparison of each field that the interface filters by', () => {
    for (const [, field] of queryableFields(resource)) expect(operatorsOf(field)).not.toEqual([]);
  });
});
