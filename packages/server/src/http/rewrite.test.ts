import { expect, it } from 'vitest';
import { rewritePath } from './rewrite.ts';

const isType = (segment: string): boolean => segment === 'customers';

it.each([
  ['/v2/customers?sort=name', '/v2/customers?sort=name'],
  ['/api/v2/customers', '/v2/customers'],
  ['/api/customers/1', '/v2/customers/1'],
  ['/v2/v2/customers', '/v2/customers'],
  ['/customers', '/v2/customers'],
  ['/v2/nothing', '/v2/nothing'],
  ['/shop', '/shop'],
  ['/', '/'],
])('%s is read as %s', (sent, read) => {
  expect(rewritePath(sent, isType)).toBe(read);
});
