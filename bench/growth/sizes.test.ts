import { expect, it } from 'vitest';
import { parseSizes } from './sizes.ts';

it('sorts sizes and drops repeated ones', () => {
  expect(parseSizes('1_000_000, 10000,10000', '--payments')).toEqual([10_000, 1_000_000]);
});

it.each([
  ['', ''],
  ['1e3', '1e3'],
  ['10000,many', 'many'],
  ['0', '0'],
  ['1000000000', '1000000000'],
])('refuses "%s"', (text, part) => {
  expect(() => parseSizes(text, '--payments')).toThrow(
    `Each number of --payments must be a whole number from 1 to 100,000,000; it is "${part}".`,
  );
});
