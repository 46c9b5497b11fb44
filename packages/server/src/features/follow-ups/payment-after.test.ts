import { expect, it } from 'vitest';
import { afterCapture } from './payment-after.ts';

const now = Date.parse('2026-01-01T00:00:00Z') * 1000;
const hold_expires_at = '2026-01-08T00:00:00.000000Z';
const payment = { status: 'authorised', hold_expires_at, due_at: null };
const captureRow = (status: string, final = 't') => ({ status, final, amount_cents: '2500' });

it('a hold whose capture failed expires at its original time', () => {
  const { set } = afterCapture(payment, captureRow('failed'), now);
  expect(set).toEqual({ due_at: hold_expires_at });
});

it('a hold whose capture succeeded no longer expires', () => {
  const { set } = afterCapture(payment, captureRow('succeeded'), now);
  expect(set).toMatchObject({ hold_expires_at: null, due_at: null });
});

it('a hold of which a part was captured keeps its time, and counts the part', () => {
  const { trigger, set } = afterCapture(payment, captureRow('succeeded', 'f'), now);
  expect([trigger, set]).toEqual([
    'keep',
    {
      due_at: hold_expires_at,
      amount_captured_cents: '2500',
      amount_refundable_cents: '2500',
      fee_cents: '0',
    },
  ]);
});
