import { expect, it } from 'vitest';
import type { RecordOf } from '../../../api/types.ts';
import { runOutcomeOf } from './outcome.ts';
import type { RefundResult } from './use-refunds.ts';

const planned = (id: string, cents: number, amount_currency = 'USD') => ({
  payment: { id, attributes: { amount_currency } } as RecordOf<'payment_demands'>,
  cents,
});

it('refunds of a run are sent, refused, unsure or unsent, each with its sums', () => {
  const refunds = [
    planned('sent', 1100),
    planned('sent too', 500, 'EUR'),
    planned('sent again', 200),
    planned('refused', 300),
    planned('unsure', 400),
    planned('unsent', 700),
  ];
  const results = new Map<string, RefundResult>([
    ['sent', { isDone: true }],
    ['sent too', { isDone: true }],
    ['sent again', { isDone: true }],
    ['refused', { isDone: false, isRefused: true, error: 'refused' }],
    ['unsure', { isDone: false, isRefused: false, error: 'no response' }],
  ]);
  const usd = (cents: string) => [{ currency: 'USD', cents }];
  expect(runOutcomeOf(refunds, results)).toEqual({
    sent: { count: 3, sums: [...usd('1300'), { currency: 'EUR', cents: '500' }] },
    kept: { count: 1, sums: usd('300') },
    unsure: { count: 1, sums: usd('400') },
    unsent: { count: 1, sums: usd('700') },
  });
});
