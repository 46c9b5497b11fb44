import { afterEach, expect, it, vi } from 'vitest';
import { createTimeline } from './timeline.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('a request that fails late counts in the part in which it began', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const timeline = createTimeline();
  const first = timeline.begin();
  vi.advanceTimersByTime(10);
  first.end();
  const second = timeline.begin();
  vi.advanceTimersByTime(10);
  timeline.onAnswer({ method: 'POST', status: 503, duration_ms: 15 });
  timeline.onFailure('form 503', 5);
  second.end();
  expect(first.figures().failures).toEqual(['POST 503', 'form 503']);
  expect(second.figures().failures).toEqual([]);
});
