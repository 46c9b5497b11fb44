import { expect, it } from 'vitest';
import { webhookCodes } from './events.ts';
import { eventCodes } from './resources/event-codes.ts';
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

it('every event that a resource declares can be subscribed to', () => {
  expect(eventCodes.toSorted()).toEqual(webhookCodes(resources).toSorted());
});

it('no two resources declare the same event', () => {
  const codes = webhookCodes(resources);
  expect(new Set(codes).size).toBe(codes.length);
});

it('resources without events add no code', () => {
  expect(webhookCodes({ merchants: resources.merchants })).toEqual([]);
});
