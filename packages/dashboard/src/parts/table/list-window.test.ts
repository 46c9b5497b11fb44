import { expect, it } from 'vitest';
import { wantedFor, windowOf } from './list-window.ts';

const loadedRows = { rows: 250, hasPrevious: true, hasNext: true, lastPosition: 0 };

it.each([
  ['of the first pages', { start: 0, hasPrevious: false }, { offset: 0, count: 250, shift: 0 }],
  ['after pages that were let go', { start: 100 }, { offset: 100, count: 350, shift: 0 }],
  [
    'before pages that were let go',
    { start: 100, lastPosition: 900 },
    { offset: 100, count: 900, shift: 0 },
  ],
  [
    'at the end',
    { start: 100, hasNext: false, lastPosition: 900 },
    { offset: 100, count: 350, shift: 0 },
  ],
  [
    'where rows have come first',
    { start: -3, hasPrevious: false },
    { offset: 0, count: 250, shift: 3 },
  ],
  ['where more may come first', { start: -3 }, { offset: 0, count: 250, shift: 3 }],
  [
    'where first rows have gone',
    { start: 7, hasPrevious: false },
    { offset: 0, count: 250, shift: -7 },
  ],
])('a window %s keeps its rows in place', (_which, part, expected) => {
  expect(windowOf({ ...loadedRows, ...part })).toEqual(expected);
});

it.each([
  ['in the middle', { first: 200, last: 230 }, undefined],
  ['near the end', { first: 300, last: 336 }, 'next'],
  ['near the beginning', { first: 110, last: 140 }, 'previous'],
  ['little beyond the end', { first: 390, last: 420 }, 'next'],
  ['far beyond the end', { first: 500, last: 530 }, 'elsewhere'],
  ['far before the beginning', { first: 0, last: 30 }, 'elsewhere'],
] as const)('reads the right page for rows %s of the window', (_where, visibleRows, wanted) => {
  const far = 50;
  expect(wantedFor(visibleRows, { ...loadedRows, offset: 100, far })).toBe(wanted);
  const none = { hasNext: false, hasPrevious: false };
  expect(wantedFor(visibleRows, { ...loadedRows, ...none, offset: 100, far })).toBeUndefined();
});
