import { expect, it } from 'vitest';
import { paymentStateOf } from './payment-state.ts';

const captured = { status: 'succeeded', amount_captured_cents: 5000 } as const;

it.each([
  ['succeeded', { ...captured, amount_cents: 5000 }, { name: 'succeeded' }],
  [
    'captured in part, with the amount',
    { ...captured, amount_cents: 6400 },
    { name: 'partly_captured', cents: 5000 },
  ],
  [
    'partly refunded, with the amount',
    { ...captured, amount_refunded_cents: 1400 },
    { name: 'partly_refunded', cents: 1400 },
  ],
  ['refunded', { ...captured, amount_refunded_cents: 5000 }, { name: 'refunded' }],
  [
    'to capture, with the rest of the hold',
    { status: 'authorised', amount_capturable_cents: 4900 },
    { name: 'to_capture', cents: 4900 },
  ],
  ['processing before it is sent', { status: 'pending' }, { name: 'processing' }],
  [
    'disputed, whatever was refunded',
    { ...captured, status: 'disputed', amount_refunded_cents: 100 },
    { name: 'disputed' },
  ],
  ['lost by a dispute', { status: 'reversed' }, { name: 'dispute_lost' }],
  ['cancelled', { status: 'canceled', cancellation_reason: 'requested' }, { name: 'canceled' }],
  [
    'cancelled by time',
    { status: 'canceled', cancellation_reason: 'hold_expired' },
    { name: 'hold_expired' },
  ],
] as const)('a payment is %s', (_name, facts, state) => {
  expect(paymentStateOf(facts)).toEqual(state);
});
