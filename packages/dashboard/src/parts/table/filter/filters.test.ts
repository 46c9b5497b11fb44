import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { isAmount } from '../../value/currency-of.ts';
import { defaultColumns } from '../default-columns.ts';
import {
  currencyFieldOf,
  type Filter,
  operatorsOf,
  readFilters,
  withAmount,
  withoutFilter,
  writeFilter,
} from './filters.ts';
import { queryableFields } from './queryable.ts';

describe('filters in an address', () => {
  it.each<[Filter, Record<string, string>]>([
    [{ name: 'status', operator: 'eq', values: ['failed'] }, { 'filter[status]': 'failed' }],
    [
      { name: 'status', operator: 'in', values: ['failed', 'a,b'] },
      { 'filter[status][in]': 'failed,a\\,b' },
    ],
    [{ name: 'status', operator: 'eq', values: ['a', 'b'] }, { 'filter[status]': 'a,b' }],
    [{ name: 'status', operator: 'ne', values: ['a', 'b'] }, { 'filter[status][ne]': 'a,b' }],
    [
      { name: 'name', operator: 'like', values: ['Ltd, \\o/'] },
      { 'filter[name][like]': 'Ltd\\, \\\\o/' },
    ],
    [{ name: 'paid_at', operator: 'empty', values: [] }, { 'filter[paid_at][null]': 'true' }],
    [{ name: 'paid_at', operator: 'not_empty', values: [] }, { 'filter[paid_at][null]': 'false' }],
    [
      { name: 'amount_cents', operator: 'gte', values: ['5'] },
      { 'filter[amount_cents][gte]': '5' },
    ],
  ])('are the parameters of the interface: %o', (filter, parameters) => {
    expect(writeFilter(filter)).toEqual(parameters);
    expect(readFilters(parameters)).toEqual([filter]);
  });

  it('of several values with one chosen are written as equality', () => {
    const filter: Filter = { name: 'status', operator: 'in', values: ['failed'] };
    expect(writeFilter(filter)).toEqual({ 'filter[status]': 'failed' });
  });

  it('leave unknown parameters alone', () => {
    expect(readFilters({ 'filter[payer.email]': 'a', 'filter[x][y]': 'b', sort: 'c' })).toEqual([]);
  });
});

describe('filters by an amount', () => {
  const { fields } = resources.payment_demands;
  const least: Filter = { name: 'amount_cents', operator: 'gte', values: ['2499'] };

  it('carry their currency', () => {
    expect(withAmount(least, 'USD', { search: {}, fields })).toEqual({
      'filter[amount_currency]': 'USD',
      'filter[amount_cents][gte]': '2499',
    });
  });

  it('replace a filter in another currency, and are combined with one in the same', () => {
    const search = { 'filter[amount_currency]': 'USD', 'filter[amount_cents][lte]': '5000' };
    expect(withAmount(least, 'USD', { search, fields })).not.toHaveProperty([
      'filter[amount_cents][lte]',
    ]);
    expect(withAmount(least, 'JPY', { search, fields })).toEqual({
      'filter[amount_currency]': 'JPY',
      'filter[amount_cents][gte]': '2499',
      'filter[amount_cents][lte]': '',
    });
  });

  it('are removed with their currency, or alone', () => {
    const search = { 'filter[amount_currency]': 'USD', 'filter[amount_cents][gte]': '2499' };
    const [currency, amount] = readFilters(search) as [Filter, Filter];
    expect(withoutFilter(currency, search, fields)).toEqual({
      'filter[amount_currency]': '',
      'filter[amount_cents][gte]': '',
    });
    expect(withoutFilter(amount, search, fields)).toEqual({ 'filter[amount_cents][gte]': '' });
  });

  it.each(Object.values(resources))('have a currency field in lists of $type', (resource) => {
    const amounts = queryableFields(resource).filter(([name]) => isAmount(name));
    const withoutCurrency = amounts.filter(([name]) => !currencyFieldOf(name, resource.fields));
    expect(withoutCurrency).toEqual([]);
  });
});

describe.each(Object.values(resources))('lists of $type', (resource) => {
  it('have columns for existing attributes only', () => {
    const columns = defaultColumns(resource);
    expect(columns.length).toBeGreaterThan(0);
    for (const name of columns) expect(resource.fields).toHaveProperty(name);
  });

  it('can be filtered by every field that the interface filters by', () => {
    for (const [, field] of queryableFields(resource)) expect(operatorsOf(field)).not.toEqual([]);
  });
});
