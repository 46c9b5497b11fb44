import { expect, it } from 'vitest';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import { microsOf, seconds } from '../../platform/time/clock.ts';
import { createAccountRooms } from './account-rooms.ts';

it('an account has room for its limit, of which messages in flight use a part', () => {
  const inFlight = createLimiter({});
  inFlight.take('a');
  const rooms = createAccountRooms(inFlight, 2);
  expect([rooms.take('a'), rooms.take('a')]).toEqual([true, false]);
  expect([rooms.take('b'), rooms.take('b'), rooms.take('b')]).toEqual([true, true, false]);
  inFlight.release('a');
  expect(createAccountRooms(inFlight, 2).take('a')).toBe(true);
});

it('payments without room are due again one after the other, within ten seconds', () => {
  const rooms = createAccountRooms(createLimiter({}), 0);
  const waits = Array.from(
    { length: 20_000 },
    () => microsOf(rooms.nextTurn(seconds(1))) - seconds(1),
  );
  expect(waits.slice(0, 2)).toEqual([250_000, 251_000]);
  expect(waits.at(-1)).toBe(seconds(10));
});
