import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test.each([
  ['account a, live', 'account a, live'],
  ['a\nb', String.raw`a\u{a}b`],
  ['\u001b[1A', String.raw`\u{1b}[1A`],
  ['\u202etxt', String.raw`\u{202e}txt`],
])('shows %j as %s', (sentence, shown) => {
  expect(printable(sentence)).toBe(shown);
});
