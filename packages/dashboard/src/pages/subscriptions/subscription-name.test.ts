import { expect, it } from 'vitest';
import { subscriptionName } from './subscription-name.ts';

const item = (name: string | null) =>
  ({ name, sku: null, description: null, quantity: 1, amount_cents: 1900 }) as never;

it.each([
  ['its items', { line_items: [item('Tea'), item('Cups')], slug: 'tea_of_the_month' }, 'Tea, Cups'],
  ['its description', { line_items: [item(null)], description: 'Tea', slug: 'tea' }, 'Tea'],
  ['its readable slug', { line_items: [], slug: 'tea_of_the_month' }, 'Tea of the month'],
  ['nothing', { slug: null }, undefined],
])('a subscription is named by %s', (_what, attributes, name) => {
  expect(subscriptionName(attributes)).toBe(name);
});
