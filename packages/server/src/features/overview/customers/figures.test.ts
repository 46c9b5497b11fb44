import { CUSTOMER_PAYMENTS_MAX } from '@florin/contract/customer-figures.ts';
import { expect, it } from 'vitest';
import { paymentFiguresOf } from './figures.ts';
import type { PaymentSums } from './sql.ts';

const sums = (currency: string, read: number, paid: number): PaymentSums => ({
  ...{ currency, read, paid, refunded: 0, refunded_cents: '0' },
  paid_cents: String(paid * 100),
});

it('payments without money count towards the limit, but are not shown', () => {
  const figures = paymentFiguresOf([sums('USD', CUSTOMER_PAYMENTS_MAX, 2), sums('EUR', 1, 0)]);
  expect(figures).toEqual({
    ...{ paid: 2, refunded: 0, is_minimum: true },
    amounts: [{ currency: 'USD', paid_cents: '200', refunded_cents: '0' }],
  });
  expect(paymentFiguresOf([sums('USD', CUSTOMER_PAYMENTS_MAX, 2)]).is_minimum).toBe(false);
});
