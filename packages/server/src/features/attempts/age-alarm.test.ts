import { expect, it } from 'vitest';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { createAgeAlarm, OPEN_ERROR_SECONDS, OPEN_WARN_SECONDS } from './age-alarm.ts';

it('reports an attempt once at each age in each state, and none that is young or has an outcome', () => {
  const lines: unknown[] = [];
  const recordLine = (level: string) => (facts: unknown) =>
    lines.push([level, (facts as { status: string }).status]);
  const logOldAttempt = createAgeAlarm({ warn: recordLine('warn'), error: recordLine('error') });
  const since = seconds(1_800_000_000);
  const logAttempt = (status: string, age_s: number) =>
    logOldAttempt({ id: 'a', status, unknown_since: instantText(since) }, since + seconds(age_s));
  for (const status of ['unknown', 'reversing', 'approved']) {
    for (const age of [OPEN_WARN_SECONDS - 1, OPEN_WARN_SECONDS, OPEN_ERROR_SECONDS - 1]) {
      logAttempt(status, age);
      logAttempt(status, age);
    }
    logAttempt(status, OPEN_ERROR_SECONDS);
    logAttempt(status, 2 * OPEN_ERROR_SECONDS);
  }
  logOldAttempt({ id: 'b', status: 'reversing', unknown_since: null }, since);
  expect(lines).toEqual([
    ['warn', 'unknown'],
    ['error', 'unknown'],
    ['warn', 'reversing'],
    ['error', 'reversing'],
  ]);
});
