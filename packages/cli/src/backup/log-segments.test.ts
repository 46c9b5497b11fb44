import { expect, it } from 'vitest';
import { chainFrom, gapsBetween, segmentAfter } from './log-segments.ts';

const name = (log: string, segment: string) =>
  `00000001${log.padStart(8, '0')}${segment.padStart(8, '0')}`;

it.each([
  ['0', '1', 1, '0', '2'],
  ['0', 'FF', 1, '1', '0'],
  ['2', '0', -1, '1', 'FF'],
  ['FF', 'FF', 1, '100', '0'],
])('the segment %s/%s plus %i is %s/%s', (log, segment, distance, nextLog, nextSegment) => {
  expect(segmentAfter(name(log, segment), distance)).toBe(name(nextLog, nextSegment));
});

const A = name('0', 'FE');
const B = name('0', 'FF');
const C = name('1', '0');
const D = name('1', '1');

it('a chain ends before the first absent segment', () => {
  expect(chainFrom(A, [D, B, A])).toEqual([A, B]);
  expect(chainFrom(C, [A, B])).toEqual([]);
});

it('each gap is named by its first segment', () => {
  expect(gapsBetween(A, D, [A, D])).toEqual([B]);
  expect(gapsBetween(A, D, [B, C])).toEqual([A, D]);
  expect(gapsBetween(A, D, [A, B, C, D])).toEqual([]);
});
