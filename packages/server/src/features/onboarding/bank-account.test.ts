import { expect, it } from 'vitest';
import { accountNumberOf, routingNumberOf } from './bank-account.ts';

it.each([
  ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ['GB82 WEST 1234 5698 7654 32', 'GB82WEST12345698765432'],
  ['gb82west12345698765432', 'GB82WEST12345698765432'],
  ['GB82 WEST 1234 5698 7654 33', undefined],
  ['0001 2345-678', '00012345678'],
  ['123', undefined],
  ['twelve', undefined],
])('%s is the account %s', (text, number) => {
  expect(accountNumberOf(text)).toBe(number);
});

it.each([
  ['021000021', '021000021'],
  ['021000022', undefined],
  ['DEUTDEFF', 'DEUTDEFF'],
  ['deutdeff500', 'DEUTDEFF500'],
  ['DEUT', undefined],
])('%s leads to the bank %s', (text, number) => {
  expect(routingNumberOf(text)).toBe(number);
});
