import { expect, it } from 'vitest';
import type { RecordOf } from '../../../api/types.ts';
import { planRefunds } from './plan.ts';

const payment = (attributes: object): RecordOf<'payment_demands'> =>
  ({
    type: 'payment_demands',
    id: JSON.stringify(attributes),
    attributes: { status: 'succeeded', amount_currency: 'USD', ...attributes },
  }) as unknown as RecordOf<'payment_demands'>;

it('a plan has what is left of each payment, sums per currency, and reasons for the others', () => {
  const { refunds, refused, sums } = planRefunds([
    payment({ amount_refundable_cents: 1000, amount_captured_cents: 1000 }),
    payment({ amount_refundable_cents: 400, amount_captured_cents: 900 }),
    payment({ amount_refundable_cents: 70, amount_currency: 'JPY' }),
    payment({ amount_captured_cents: 900, amount_refunded_cents: 900 }),
    payment({ amount_captured_cents: 900, amount_refunded_cents: 100 }),
    ...['failed', 'ready', 'pending', 'authorised', 'disputed', 'reversed'].map((status) =>
      payment({ status }),
    ),
  ]);
  expect(refunds.map(({ cents }) => cents)).toEqual([1000, 400, 70]);
  expect(sums).toEqual([
    { currency: 'USD', cents: '1400' },
    { currency: 'JPY', cents: '70' },
  ]);
  expect(refused.map(({ refusal }) => refusal)).toEqual([
    ...['refunded', 'reserved', 'not_charged', 'not_charged'],
    ...['processing', 'not_captured', 'disputed', 'disputed'],
  ]);
});
