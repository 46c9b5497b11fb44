import { describe, expect, it } from 'vitest';
import { seconds } from '../time/clock.ts';
import { createWindowLimit } from './window-limit.ts';

const clockAt = (start: number) => ({ at: start, now: () => clock.at });
const clock = clockAt(0);
const limitOf = (keys_max = 10) =>
  createWindowLimit({ clock, max: 2, window: seconds(60), keys_max });

describe('a limit', () => {
  it('lets each key have its number of tries in a window', () => {
    const limit = limitOf();
    expect([limit.take('a'), limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    clock.at += seconds(60);
    expect(limit.take('a')).toBe(true);
  });

  it('starts a key at zero once it was evicted', () => {
    const limit = limitOf();
    for (let tries = 0; tries < 3; tries++) limit.take('a');
    limit.forget('a');
    expect(limit.take('a')).toBe(true);
  });

  it('makes room by dropping only the key that was quiet longest', () => {
    const limit = limitOf(2);
    for (const key of ['old', 'old', 'busy', 'busy', 'old', 'new']) limit.take(key);
    expect([limit.take('old'), limit.take('busy')]).toEqual([false, true]);
  });
});
