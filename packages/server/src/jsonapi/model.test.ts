import type { Resource } from '@florin/contract/resources/define-resource.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { compileModels } from './model.ts';
import { shopModels } from './testing/shop.ts';

const plainResource: Resource = {
  type: 'a',
  summary: '',
  owner: 'mode',
  group: 'user',
  operations: ['list'],
  fields: {},
  relations: {},
};

describe('compileModels', () => {
  it('accepts the registry of the service', () => {
    expect(compileModels(resources).all.length).toBe(Object.keys(resources).length);
  });

  it('finds the foreign key of to-one relations here and of to-many relations on the target', () => {
    const people = shopModels.get('people');
    expect(people.relations.get('friend')).toMatchObject({ many: false, column: 'friend_id' });
    expect(people.relations.get('orders')).toMatchObject({ many: true, column: 'buyer_id' });
    expect([...people.toOne.keys()]).toEqual(['merchant', 'friend']);
  });

  it('knows the type whose id is the merchant', () => {
    expect(shopModels.get('shops').tenant_column).toBe('id');
    expect(shopModels.get('orders').tenant_column).toBe('merchant_id');
  });

  it.each<[string, Record<string, Partial<Resource>>]>([
    ['the definition of a is registered under a name that is not its type', { a: { type: 'b' } }],
    ['the definition of a may not call a field id', { a: { fields: { id: { type: 'uuid' } } } }],
    [
      'the definition of a points to b by x, which is not a type',
      { a: { relations: { x: { to: 'b' } } } },
    ],
    [
      'the definition of a calls both an attribute and a relationship x',
      { a: { fields: { x: { type: 'string' } }, relations: { x: { to: 'a' } } } },
    ],
    [
      'the definition of a needs a to-one relation of a that points back, as inverse of xs',
      { a: { relations: { xs: { to: 'a', many: true, inverse: 'y' } } } },
    ],
    [
      'the definition of a calls a field x-y, not in lower snake case',
      { a: { fields: { 'x-y': { type: 'string' } } } },
    ],
    [
      'the definition of a seals x, which is not sensitive',
      { a: { fields: { x: { type: 'string', sealed: true } } } },
    ],
  ])('refuses to start: %s', (message, parts) => {
    const registry = Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [
        name,
        { ...plainResource, type: name, ...part },
      ]),
    );
    expect(() => compileModels(registry)).toThrow(message);
  });
});
