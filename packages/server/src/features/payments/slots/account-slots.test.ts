import { expect, it } from 'vitest';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import { microsOf, seconds } from '../../../platform/time/clock.ts';
import { createAccountSlots } from './account-slots.ts';

it('an account has as many slots as its limit, of which messages in flight use a part', () => {
  const inFlight = createLimiter({});
  inFlight.take('a');
  const slots = createAccountSlots(inFlight, 2);
  expect([slots.take('a'), slots.take('a')]).toEqual([true, false]);
  expect([slots.take('b'), slots.take('b'), slots.take('b')]).toEqual([true, true, false]);
  inFlight.release('a');
  expect(createAccountSlots(inFlight, 2).take('a')).toBe(true);
});

it('claims of other loops see reserved slots until they are released', () => {
  const inFlight = createLimiter({});
  const [payments, renewals] = [createAccountSlots(inFlight, 1), createAccountSlots(inFlight, 1)];
  expect([renewals.take('a'), payments.take('a')]).toEqual([true, false]);
  renewals.release();
  renewals.release();
  expect([payments.take('a'), renewals.take('a')]).toEqual([true, false]);
});

it('payments without a slot are due again one after the other', () => {
  const slots = createAccountSlots(createLimiter({}), 0);
  const waits = [1, 2, 3].map(() => microsOf(slots.nextTurn(seconds(1))) - seconds(1));
  expect(waits).toEqual([250_000, 251_000, 252_000]);
});
