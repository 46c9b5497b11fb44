import { expect, it } from 'vitest';
import type { RecordOf } from '../../../api/types.ts';
import { containing } from './use-customer-search.ts';

const customer = (name: string | null, email: string) =>
  ({ id: email, attributes: { name, email } }) as RecordOf<'customers'>;
const customers = [
  customer('Grace Hopper', 'grace@example.com'),
  customer(null, 'ADA@example.com'),
];

it.each([
  ['ada', ['ADA@example.com']],
  ['HOPP', ['grace@example.com']],
  ['example', ['grace@example.com', 'ADA@example.com']],
  ['tomas', []],
])('of an earlier answer, only customers with %s are offered', (text, ids) =>
  expect(containing(customers, text).map(({ id }) => id)).toEqual(ids),
);
