import { expect, it } from 'vitest';
import type { CurrentScope } from '../../api/scope.ts';
import { attentionItems, hasFigures, hasHome } from './parts.ts';

const PAYMENTS = 'transaction.payment_demands.read';
const REFUNDS = 'transaction.refund_demands.read';

it.each([
  ['payments', [PAYMENTS], { figures: false, attention: 0, home: false }],
  ['balances', ['transaction.balances.read'], { figures: false, attention: 0, home: false }],
  ['payments and refunds', [PAYMENTS, REFUNDS], { figures: true, attention: 0, home: true }],
  ['disputes', ['transaction.disputes.read'], { figures: false, attention: 1, home: true }],
])('a member who reads %s alone gets the allowed parts', (_what, permissions, expected) => {
  const scope = { permissions, is_visit: false } as unknown as CurrentScope;
  expect({
    figures: hasFigures(scope),
    attention: attentionItems(scope).length,
    home: hasHome(scope),
  }).toEqual(expected);
});
