import { describe, expect, it } from 'vitest';
import { createBreaker, FAILURES_MAX, OPEN_MS_MAX, OPEN_MS_MIN, SILENCE_MS } from './breaker.ts';

const ORIGIN = 'https://network.example';

function openBreaker() {
  let now = 0;
  const breaker = createBreaker(() => now);
  for (let count = 0; count < FAILURES_MAX; count += 1) breaker.recordFailure(ORIGIN, 'refused');
  const advance = (ms: number): void => {
    now += ms;
  };
  return { breaker, advance };
}

it('stays closed while connections fail less often than the limit, and for other origins', () => {
  const breaker = createBreaker(() => 0);
  for (let count = 1; count < FAILURES_MAX; count += 1) breaker.recordFailure(ORIGIN, 'refused');
  expect(breaker.allows(ORIGIN)).toBe(true);
  breaker.recordFailure(ORIGIN, 'refused');
  expect([breaker.allows(ORIGIN), breaker.allows('https://other.example')]).toEqual([false, true]);
});

it('allows one probe after its time, and all messages after a connection', () => {
  const { breaker, advance } = openBreaker();
  advance(OPEN_MS_MIN);
  expect([breaker.allows(ORIGIN), breaker.allows(ORIGIN)]).toEqual([true, false]);
  breaker.recordConnected(ORIGIN);
  expect([breaker.allows(ORIGIN), breaker.allows(ORIGIN)]).toEqual([true, true]);
});

it('stays open twice as long after each failed probe, up to a limit', () => {
  const { breaker, advance } = openBreaker();
  const openTimes = Array.from({ length: 8 }, () => {
    let open_ms = 0;
    for (; !breaker.allows(ORIGIN); open_ms += OPEN_MS_MIN) advance(OPEN_MS_MIN);
    breaker.recordFailure(ORIGIN, 'refused');
    return open_ms;
  });
  expect(openTimes.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000]);
  expect(openTimes.at(-1)).toBe(OPEN_MS_MAX);
});

it('ignores failures of messages that were sent before it opened', () => {
  const { breaker, advance } = openBreaker();
  for (let count = 0; count < 100; count += 1) breaker.recordFailure(ORIGIN, 'refused');
  advance(OPEN_MS_MIN);
  expect(breaker.allows(ORIGIN)).toBe(true);
});

describe('an origin that connects and never answers', () => {
  function openBySilence() {
    let now = SILENCE_MS;
    const breaker = createBreaker(() => now);
    for (let count = 0; count < FAILURES_MAX; count += 1) {
      breaker.recordConnected(ORIGIN);
      breaker.recordFailure(ORIGIN, 'silent');
    }
    now += OPEN_MS_MIN;
    return breaker;
  }

  it('is left alone but for one probe, which may connect and still hang', () => {
    const breaker = openBySilence();
    expect(breaker.allows(ORIGIN)).toBe(true);
    breaker.recordConnected(ORIGIN);
    expect(breaker.allows(ORIGIN)).toBe(false);
    breaker.recordFailure(ORIGIN, 'silent');
    expect(breaker.allows(ORIGIN)).toBe(false);
  });

  it('gets all messages again after an answer', () => {
    const breaker = openBySilence();
    expect(breaker.allows(ORIGIN)).toBe(true);
    breaker.recordAlive(ORIGIN);
    expect([breaker.allows(ORIGIN), breaker.allows(ORIGIN)]).toEqual([true, true]);
  });

  it('is not suspected before it was silent for a while', () => {
    let now = 1_000_000;
    const breaker = createBreaker(() => now);
    const failAll = () => {
      for (let count = 0; count < FAILURES_MAX; count += 1) breaker.recordFailure(ORIGIN, 'silent');
    };
    breaker.recordAlive(ORIGIN);
    now += SILENCE_MS - 1;
    failAll();
    expect(breaker.allows(ORIGIN)).toBe(true);
    now += 1;
    failAll();
    expect(breaker.allows(ORIGIN)).toBe(false);
  });
});
