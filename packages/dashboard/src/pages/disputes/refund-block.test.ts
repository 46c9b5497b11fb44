import { expect, it } from 'vitest';
import { refundBlockOf } from './refund-block.ts';

const payment = { refundable_cents: 500, mayRefund: true, isAccountRemoved: false };
const empty = { ...payment, refundable_cents: 0 };

it.each([
  ['a lost dispute about a part', { ...payment, status: 'lost' }, undefined],
  ['a lost dispute about the whole', { ...empty, status: 'lost' }, 'refund_lost'],
  ['a won dispute', { ...payment, status: 'won' }, undefined],
  ['a won dispute after a refund', { ...empty, status: 'won' }, 'refund_nothing'],
  ['a role that may not', { ...payment, status: 'lost', mayRefund: false }, 'refund_forbidden'],
  [
    'a removed account',
    { ...payment, status: 'won', isAccountRemoved: true },
    'refund_account_removed',
  ],
])('decides whether to offer the refund of %s', (_what, dispute, text) => {
  expect(refundBlockOf(dispute)).toBe(text);
});
