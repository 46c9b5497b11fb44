import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLru } from './lru.ts';

const uses = fc.array(
  fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), does: fc.constantFrom('get', 'set') }),
  { minLength: 40, maxLength: 60 },
);

describe('an LRU map', () => {
  it('has the last keys that were used, and evicts no other', () => {
    fc.assert(
      fc.property(uses, fc.integer({ min: 1, max: 4 }), (steps, max) => {
        const map = createLru<number>(max);
        let recent: string[] = [];
        steps.forEach(({ key, does }, at) => {
          const isKnown = recent.includes(key);
          if (does === 'set') map.set(key, at);
          else expect(map.get(key) !== undefined).toBe(isKnown);
          if (isKnown || does === 'set')
            recent = [key, ...recent.filter((recentKey) => recentKey !== key)].slice(0, max);
        });
      }),
    );
  });

  it('evicts nothing when an entry is replaced', () => {
    const map = createLru<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    expect([map.get('a'), map.get('b')]).toEqual([1, 3]);
  });

  it('creates an entry once', () => {
    const map = createLru<number>(2);
    expect([map.getOrCreate('a', () => 1), map.getOrCreate('a', () => 2)]).toEqual([1, 1]);
    map.delete('a');
    expect(map.getOrCreate('a', () => 2)).toBe(2);
  });
});
