import { expect, it } from 'vitest';
import { renderDurations } from './durations.ts';

it('the durations are those of long files by their paths, the longest first', () => {
  const file = (name: string, seconds: number) => ({
    name: `/florin/${name}`,
    startTime: 1_000,
    endTime: 1_000 + seconds * 1_000,
  });
  const text = JSON.stringify({ testResults: [file('a', 6), file('b', 4.2), file('c', 30.4)] });
  expect(renderDurations(text, '/florin')).toBe('{\n  "c": 30,\n  "a": 6\n}\n');
});
