import { expect, it } from 'vitest';
import { allowanceOf, createPaymentsInFlight, freeForRequest } from './in-flight.ts';

const MAXIMA = { total: 10, merchant: 6 };
const CLAIM_MAX = 256;

function inFlightOf(messages: Readonly<Record<string, number>>) {
  const inFlight = createPaymentsInFlight(MAXIMA, () => {});
  for (const [merchant, count] of Object.entries(messages))
    for (let at = 0; at < count; at++) inFlight.messages.take(merchant);
  return inFlight;
}

it.each([
  [{}, 3],
  [{ a: 2 }, 1],
  [{ a: 3 }, 0],
  [{ a: 5 }, -2],
  [{ b: 4 }, 1],
  [{ b: 5 }, 0],
  [{ a: 2, b: 3 }, 0],
])('with %j in flight, a request of a may use %i slots', (messages, expected) => {
  expect(freeForRequest(inFlightOf(messages), MAXIMA, 'a')).toBe(expected);
});

it('a request uses no slot while half of the relays are open', () => {
  const inFlight = inFlightOf({});
  for (let at = 0; at < 128; at++) inFlight.relays.take();
  expect(freeForRequest(inFlight, MAXIMA, 'a')).toBe(0);
  inFlight.relays.release();
  expect(freeForRequest(inFlight, MAXIMA, 'a')).toBe(3);
});

it.each([{}, { a: 2 }, { a: 5 }, { a: 6 }, { a: 3, b: 2 }, { a: 5, b: 5 }])(
  'with %j in flight, a claim and requests beside it stay below all limits',
  (messages) => {
    const inFlight = inFlightOf(messages);
    const { limit, per_merchant, in_flight } = allowanceOf(inFlight.messages, MAXIMA, CLAIM_MAX);
    const claimed = Math.min(limit, Math.max(0, per_merchant - (in_flight.get('a') ?? 0)));
    while (freeForRequest(inFlight, MAXIMA, 'a') > 0) inFlight.messages.take('a');
    for (let at = 0; at < claimed; at++) inFlight.messages.take('a');
    expect(inFlight.messages.free()).toBeGreaterThanOrEqual(0);
    expect(inFlight.messages.used.get('a') ?? 0).toBeLessThanOrEqual(MAXIMA.merchant);
  },
);

it('claims in turn fill all slots', () => {
  const inFlight = inFlightOf({});
  const claim = (): number => {
    const { limit, per_merchant, in_flight } = allowanceOf(inFlight.messages, MAXIMA, CLAIM_MAX);
    const count = Math.min(limit, per_merchant - (in_flight.get('a') ?? 0));
    for (let at = 0; at < count; at++) inFlight.messages.take('a');
    return count;
  };
  expect([claim(), claim(), claim()]).toEqual([3, 3, 0]);
});

it('requests use no slot of a limit of one, which claims fill', () => {
  const maxima = { total: 1, merchant: 1 };
  const inFlight = createPaymentsInFlight(maxima, () => {});
  expect(freeForRequest(inFlight, maxima, 'a')).toBe(0);
  expect(allowanceOf(inFlight.messages, maxima, CLAIM_MAX)).toMatchObject({
    limit: 1,
    per_merchant: 1,
  });
});
