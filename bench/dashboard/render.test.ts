import { expect, it } from 'vitest';
import { medianOf, renderFigures } from './render.ts';

it.each([
  [[3, 1, 2], 2],
  [[4, 1], 4],
  [[1, Number.NaN], Number.NaN],
  [[], Number.NaN],
])('the median of %j is %d', (values, median) => {
  expect(medianOf(values)).toBe(median);
});

it('shows an action in milliseconds on both processors, and names a failed one', () => {
  const slow = [{ name: 'open', values: [Number.NaN] }];
  expect(renderFigures([{ name: 'open', values: [10, 30, 20] }], slow)).toBe(
    '| action | this processor | four times slower |\n|---|---|---|\n| open | 20 ms | failed |',
  );
});
