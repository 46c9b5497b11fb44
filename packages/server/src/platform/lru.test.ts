import { describe, expect, it } from 'vitest';
import { lru } from './lru.ts';

describe('a bounded map', () => {
  it('forgets what was not used for longest', () => {
    const map = lru<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.find('a');
    map.set('c', 3);
    expect([map.find('a'), map.find('b'), map.find('c')]).toEqual([1, undefined, 3]);
  });

  it('forgets nothing when an entry is set anew', () => {
    const map = lru<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    expect([map.find('a'), map.find('b')]).toEqual([1, 3]);
  });

  it('makes an entry once', () => {
    const map = lru<number>(2);
    expect([map.get('a', () => 1), map.get('a', () => 2)]).toEqual([1, 1]);
    map.delete('a');
    expect(map.get('a', () => 2)).toBe(2);
  });
});
