import { expect, it } from 'vitest';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import { microsOf, seconds } from '../../../platform/time/clock.ts';
import { createAccountSlots, createTurns } from './account-slots.ts';

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

it('payments without a slot are due again one after the other, in all claims of a loop', () => {
  const turns = createTurns();
  const waitFor = (account: string, now = 0): number => {
    const slots = createAccountSlots(createLimiter({}), 0, turns);
    return microsOf(slots.nextTurn(account, seconds(1) + now)) - seconds(1);
  };
  const waits = Array.from({ length: 70 }, () => waitFor('a'));
  expect(Map.groupBy(waits, (wait) => wait).size).toBe(3);
  expect([waits[0], waits[1], waits.at(-1)]).toEqual([250_000, 500_000, 750_000]);
  expect([waitFor('b'), waitFor('a', 2_000_000)]).toEqual([250_000, 2_250_000]);
});
