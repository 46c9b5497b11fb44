import { expect, it } from 'vitest';
import { type CpuProfile, renderFunctions, sumSelfTimes } from './functions.ts';

const frame = (id: number, functionName: string, url: string, lineNumber: number) => ({
  id,
  callFrame: { functionName, url, lineNumber },
});

const profile: CpuProfile = {
  nodes: [
    frame(1, '(idle)', '', -1),
    frame(2, 'parse', 'file:///florin/packages/server/src/parse.ts', 9),
    frame(3, 'writev', '', -1),
    frame(4, 'parse', 'file:///florin/packages/server/src/parse.ts', 9),
    frame(5, '', 'node:net', 99),
    frame(6, 'post', 'node:inspector', 114),
  ],
  samples: [1, 2, 3, 4, 5, 3, 6],
  timeDeltas: [5_000, 1_000, 2_000, 1_500, 500, 2_500, 7_000],
};

it('sums the samples of a function that several callers call, longest first', () => {
  expect(sumSelfTimes(profile, '/florin')).toEqual([
    { name: 'post', place: 'node:inspector:115', self_ms: 7 },
    { name: '(idle)', place: 'native', self_ms: 5 },
    { name: 'writev', place: 'native', self_ms: 4.5 },
    { name: 'parse', place: 'packages/server/src/parse.ts:10', self_ms: 2.5 },
    { name: '(anonymous)', place: 'node:net:100', self_ms: 0.5 },
  ]);
});

it('prints shares of the time in which the process worked, without the profiler itself', () => {
  const lines = renderFunctions(sumSelfTimes(profile, '/florin'), 2).split('\n');
  expect(lines[0]).toBe('busy 8 ms of 20 ms');
  expect(lines.slice(2).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['5', '60.0', 'writev', 'native'],
    ['3', '33.3', 'parse', 'packages/server/src/parse.ts:10'],
  ]);
});
