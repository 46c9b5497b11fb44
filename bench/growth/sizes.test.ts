import { expect, it } from 'vitest';
import { parseSizes } from './sizes.ts';

it('sorts sizes and drops repeated ones', () => {
  expect(parseSizes('1_000_000, 10000,10000')).toEqual([10_000, 1_000_000]);
});

it.each(['', '1e3.5', '-5', '10000,many', '0'])('refuses "%s"', (text) => {
  expect(parseSizes(text)).toContain('--payments must be whole numbers');
});
