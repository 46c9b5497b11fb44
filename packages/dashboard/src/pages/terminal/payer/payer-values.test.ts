import { expect, it } from 'vitest';
import { missingFields, NEW, noPayer } from './payer-values.ts';

it.each([
  ['USA', ['state']],
  ['AUS', ['state']],
  ['DEU', []],
])('an address in %s without a state lacks %j', (country, missing) => {
  const address = { line_1: '1 Main Street', zip: '1000', city: 'Sydney', country };
  expect(missingFields({ ...noPayer, customer: 'a', address: NEW, ...address })).toEqual(missing);
});
