import { expect, it } from 'vitest';
import type { RecordOf } from '../../../../api/types.ts';
import { inquiryOf } from './inquiry.ts';

const attempt = (status: string, inquiries_count: number, refund: string | null = null) =>
  ({
    attributes: { status, inquiries_count, updated_at: '2027-01-31T12:00:00.000000Z' },
    relationships: {
      payment_demand: { data: { type: 'payment_demands', id: 'payment' } },
      capture_demand: { data: null },
      refund_demand: { data: refund && { type: 'refund_demands', id: refund } },
    },
  }) as unknown as RecordOf<'payment_attempts'>;

it.each([
  ['payment', attempt('unknown', 2), 2],
  ['refund', attempt('unknown', 3, 'refund'), 3],
  ['payment', attempt('unknown', 3, 'refund'), undefined],
  ['payment', attempt('approved', 2), undefined],
  ['payment', attempt('unknown', 0), undefined],
] as const)(
  'the %s of an attempt has inquiries only if its outcome is not known',
  (about, it, count) => {
    expect(inquiryOf([it], about)?.count).toBe(count);
  },
);

it('the time is that of the last inquiry', () => {
  expect(inquiryOf([attempt('unknown', 1)], 'payment')?.last_at).toBe(
    '2027-01-31T12:00:00.000000Z',
  );
});
