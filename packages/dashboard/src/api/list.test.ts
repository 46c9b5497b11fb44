import { expect, it } from 'vitest';
import { isSameList } from './list.ts';

const key = (parameters: object) => ['v2', 'm', 'sandbox', 'payment_demands', 'list', parameters];

it.each([
  ['another search', { q: 'ada', sort: '-id' }, { q: 'adam', sort: '-id' }, true],
  ['a first search', { sort: '-id' }, { sort: '-id', q: 'ada' }, true],
  ['other found ids', { 'filter[id]': 'a' }, { 'filter[id]': 'b,c' }, true],
  ['another order', { q: 'ada', sort: '-id' }, { q: 'ada', sort: 'id' }, false],
  ['another filter', { q: 'ada' }, { q: 'ada', 'filter[status]': 'failed' }, false],
])('%s is of the same list: %j, %j, %s', (_what, one, other, expected) => {
  expect(isSameList(key(one), key(other))).toBe(expected);
});
