import { expect, it } from 'vitest';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { createAgeAlarm, OPEN_ERROR_SECONDS, OPEN_WARN_SECONDS } from './age-alarm.ts';

it('reports an attempt once at each age in each state, and none that is young or has an outcome', () => {
  const lines: unknown[] = [];
  const note = (level: string) => (facts: unknown) =>
    lines.push([level, (facts as { status: string }).status]);
  const alarm = createAgeAlarm({ warn: note('warn'), error: note('error') });
  const since = seconds(1_800_000_000);
  const look = (status: string, age_s: number) =>
    alarm({ id: 'a', status, unknown_since: instantText(since) }, since + seconds(age_s));
  for (const status of ['unknown', 'reversing', 'approved']) {
    for (const age of [OPEN_WARN_SECONDS - 1, OPEN_WARN_SECONDS, OPEN_ERROR_SECONDS - 1]) {
      look(status, age);
      look(status, age);
    }
    look(status, OPEN_ERROR_SECONDS);
    look(status, 2 * OPEN_ERROR_SECONDS);
  }
  alarm({ id: 'b', status: 'reversing', unknown_since: null }, since);
  expect(lines).toEqual([
    ['warn', 'unknown'],
    ['error', 'unknown'],
    ['warn', 'reversing'],
    ['error', 'reversing'],
  ]);
});
