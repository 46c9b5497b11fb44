import { expect, it } from 'vitest';
import { createShares } from './shares.ts';

it('a merchant gives back what it took, and is known by it to have had all of its share', () => {
  const shares = createShares(2);
  for (const merchant of ['a', 'a', 'b']) shares.take(merchant);
  expect([...shares.taken]).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(['a', 'a', 'b'].map(shares.give)).toEqual([true, false, false]);
  expect(shares.taken.size).toBe(0);
});
