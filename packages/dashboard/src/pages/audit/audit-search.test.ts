import { expect, it } from 'vitest';
import { auditParameters, hasAuditFilters, noFilters } from './audit-search.ts';

const TODAY = '2027-03-10';
/** Midnight of a local day. */
const start = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

it.each([
  [{}, {}],
  [
    { action: '/v2/customers', account: 'a', record: 'r' },
    { action: '/v2/customers', account: 'a', record: 'r' },
  ],
  [{ date: 'today' }, { from: start('2027-03-10'), before: start('2027-03-11') }],
  [{ date: 'last_7' }, { from: start('2027-03-04'), before: start('2027-03-11') }],
  [{ date: 'last_month' }, { from: start('2027-02-01'), before: start('2027-03-01') }],
  [{ from: '2027-01-31' }, { from: start('2027-01-31') }],
  [{ until: '2027-01-31' }, { before: start('2027-02-01') }],
  [{ from: 'soon', date: 'someday' }, {}],
])('the address %j asks for %j', (search, expected) =>
  expect(auditParameters(search, TODAY)).toEqual(expected),
);

it('without filters nothing is filtered', () => {
  expect(hasAuditFilters({ date: 'today' })).toBe(true);
  expect(hasAuditFilters({ ...noFilters, sort: 'x' })).toBe(false);
});
