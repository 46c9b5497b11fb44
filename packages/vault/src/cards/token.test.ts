import { expect, test } from 'vitest';
import { createToken } from './token.ts';

const SAMPLE_SIZE = 2_000;

test('a token is its purpose and 26 characters of the alphabet', () => {
  expect(createToken('pan')).toMatch(/^pan_[0-9a-z]{26}$/);
  expect(createToken('cvv')).toMatch(/^cvv_[0-9a-z]{26}$/);
  expect(createToken('cryptogram')).toMatch(/^cpt_[0-9a-z]{26}$/);
});

test('no token repeats, and every character is about equally likely', () => {
  const tokens = Array.from({ length: SAMPLE_SIZE }, () => createToken('pan'));
  expect(new Set(tokens).size).toBe(SAMPLE_SIZE);
  const counts = new Map<string, number>();
  for (const char of tokens.map((token) => token.slice(4)).join('')) {
    counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  const expected = (SAMPLE_SIZE * 26) / 36;
  expect(counts.size).toBe(36);
  // Six standard deviations of about 37 each. A biased distribution of 256 values over 36 characters differs
  // by far more.
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * 38);
});
