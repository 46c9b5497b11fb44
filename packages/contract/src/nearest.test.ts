import { expect, it } from 'vitest';
import { findNearest, isMisspelt } from './nearest.ts';
import { eventPatterns } from './resources/event-codes.ts';

it.each([
  ['transaction.payment_demands.suceeded', 'transaction.payment_demands.succeeded'],
  ['payment_demands.succeeded', 'transaction.payment_demands.succeeded'],
  ['Transaction.Refund_Demands.Failed', 'transaction.refund_demands.failed'],
  ['consumer.customer.created', 'consumer.customers.created'],
])('nearest to %s is %s', (text, name) => {
  expect(findNearest(text, eventPatterns)[0]).toBe(name);
});

it.each([
  ['nmae', ['email', 'metadata', 'name'], 'name'],
  ['stauts', ['state', 'status', 'start'], 'status'],
])('of %s two characters are swapped', (text, names, name) => {
  expect(findNearest(text, names, 1)).toEqual([name]);
});

it.each(['', 'x', '€€€€', '0'.repeat(1_000_000)])('no name is near %.10s', (text) => {
  expect(findNearest(text, eventPatterns)).toEqual([]);
});

it('three are named', () => {
  expect(findNearest('transaction', eventPatterns)).toHaveLength(3);
});

it.each([
  ['manuel', ['automatic', 'manual'], true],
  ['PaymentDemands', ['payment_demands'], true],
  ['lovelace', ['automatic', 'manual'], false],
  ['', ['manual'], false],
])('%j is a misspelt %j: %j', (text, names, expected) => {
  expect(isMisspelt(text, names)).toBe(expected);
});
