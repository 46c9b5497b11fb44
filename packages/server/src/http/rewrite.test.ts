import { expect, it } from 'vitest';
import { rewritePath } from './rewrite.ts';

const knownNames = {
  isType: (segment: string): boolean => segment === 'customers',
  isRelation: (type: string, name: string): boolean => type === 'customers' && name === 'addresses',
};

it.each([
  ['/v2/customers?sort=name', '/v2/customers?sort=name'],
  ['/api/v2/customers', '/v2/customers'],
  ['/api/customers/1', '/v2/customers/1'],
  ['/v2/v2/customers', '/v2/customers'],
  ['/customers', '/v2/customers'],
  ['/v2/nothing', '/v2/nothing'],
  ['/customers/1/addresses?sort=id', '/v2/customers/1/relationships/addresses?sort=id'],
  ['/api/v2/customers/1/addresses/', '/v2/customers/1/relationships/addresses/'],
  ['/v2/customers/1/relationships/addresses', '/v2/customers/1/relationships/addresses'],
  ['/v2/customers/1/nothing', '/v2/customers/1/nothing'],
  ['/shop', '/shop'],
  ['/', '/'],
])('%s is read as %s', (sent, read) => {
  expect(rewritePath(sent, knownNames)).toBe(read);
});
