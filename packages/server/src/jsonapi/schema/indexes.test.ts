import { expect, it } from 'vitest';
import { shopModels } from '../testing/shop.ts';
import { orderOfIndexes } from './indexes.ts';

const orders = shopModels.get('orders');
const hasOrder = (name: string, keys: readonly string[], predicate: string | null = null) => {
  const indexes = new Map([['orders', [{ name: 'i', keys, predicate }]]]);
  return orderOfIndexes(indexes)(orders, orders.fields.get(name)!);
};

it.each<[string, ReturnType<typeof hasOrder>]>([
  ['begins with the attribute', hasOrder('note', ['merchant_id', 'mode', 'note'])],
  ['leaves out the mode', hasOrder('note', ['merchant_id', 'note'])],
])('a full index that %s has its order', (_title, isOrdered) => {
  expect(isOrdered).toBe(true);
});

it.each<[string, ReturnType<typeof hasOrder>]>([
  ['leaves out null rows', hasOrder('note', ['merchant_id', 'mode', 'note'], '(note IS NOT NULL)')],
  ['has another attribute before it', hasOrder('note', ['merchant_id', 'mode', 'paid', 'note'])],
  ['has few values', hasOrder('paid', ['merchant_id', 'mode', 'paid'])],
])('an index that %s has not', (_title, isOrdered) => {
  expect(isOrdered).toBe(false);
});
