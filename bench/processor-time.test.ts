import { expect, it } from 'vitest';
import { parseStat } from './processor-time.ts';

it('reads the time of a process and of its ended children, although its name has blanks and brackets', () => {
  const stat =
    '4242 (node) (x) S 1 4242 4242 0 -1 4194560 1000 2000 3 4 150 50 300 100 20 0 11 0 12345';
  const { own_ms, ended_ms } = parseStat(stat);
  expect(ended_ms / own_ms).toBe(2);
  expect(own_ms).toBeGreaterThan(0);
});
