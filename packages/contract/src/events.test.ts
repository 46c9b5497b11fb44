import { expect, it } from 'vitest';
import { isListed, webhookCodes, wildcardsFor } from './events.ts';
import { eventCodes, eventPatterns } from './resources/event-codes.ts';
import { resources } from './resources/index.ts';

it.each([
  'transaction.payment_demands.created',
  'transaction.payment_demands.updated',
  'transaction.payment_demands.succeeded',
  'transaction.payment_demands.failed',
  'consumer.customers.created',
])('a webhook may ask for %s', (code) => {
  expect(webhookCodes(resources)).toContain(code);
});

it('every declared event can be subscribed to, except tests of a webhook subscription', () => {
  const { webhook_subscriptions: _own, ...others } = resources;
  expect(eventCodes.toSorted()).toEqual(webhookCodes(others).toSorted());
});

it('wildcards match everything, a group or a type, and nothing unknown', () => {
  expect(wildcardsFor('consumer.customers.created')).toEqual([
    '*',
    'consumer.*',
    'consumer.customers.*',
  ]);
  expect(new Set(eventPatterns).size).toBe(eventPatterns.length);
  for (const code of eventCodes) {
    for (const pattern of wildcardsFor(code)) expect(eventPatterns).toContain(pattern);
  }
});

it.each([
  ['*', true],
  ['consumer.*', true],
  ['consumer.customers.*', true],
  ['consumer.customers.created', true],
  ['transaction.*', false],
  ['consumer.customers.updated', false],
  ['consumer.customer.*', false],
])('consumer.customers.created is listed by %s: %s', (pattern, listed) => {
  expect(isListed([pattern], 'consumer.customers.created')).toBe(listed);
});

it('no two resources declare the same event', () => {
  const codes = webhookCodes(resources);
  expect(new Set(codes).size).toBe(codes.length);
});

it('resources without events add no code', () => {
  expect(webhookCodes({ merchants: resources.merchants })).toEqual([]);
});
