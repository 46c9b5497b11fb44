import { expect, it } from 'vitest';
import { visualRuns } from './visual-runs.ts';

const shown = (text: string, direction: 'rtl' | 'ltr'): string =>
  visualRuns(text, direction)
    .map((run) => `${run.direction} ${run.text}`)
    .join(' | ');

it.each([
  ['Hello', 'rtl', 'ltr Hello'],
  ['12', 'rtl', 'ltr 12'],
  ['أب 12 جد', 'rtl', 'rtl  جد | ltr 12 | rtl أب '],
  ['12 Main Street', 'rtl', 'ltr 12 Main Street'],
  ['Rose (أب) 7', 'ltr', 'ltr Rose ( | rtl أب | ltr )  | ltr 7'],
  ['(أب)', 'rtl', 'rtl )أب('],
  ['\u200f12 €', 'rtl', 'rtl  € | ltr 12 | rtl '],
] as const)('%j is drawn in the order of %s: %s', (text, direction, expected) => {
  expect(shown(text, direction)).toBe(expected);
});
