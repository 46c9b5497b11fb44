import { expect, it } from 'vitest';
import { isLostHold } from './lost-hold.ts';

const recovered = { status: 'unknown', recovered_at: '2026-11-28T12:00:00.000Z' };

it.each([
  ['a hold of a recovered attempt', recovered, false, true],
  ['a captured approval of a recovered attempt', recovered, undefined, false],
  [
    'a hold of an attempt that this database made',
    { ...recovered, recovered_at: null },
    false,
    false,
  ],
  [
    'a hold of an attempt that is approved already',
    { ...recovered, status: 'approved' },
    false,
    false,
  ],
])('%s is left to an operator: %o, captured %s, %s', (_case, attempt, captured, isLost) => {
  expect(isLostHold(attempt, captured)).toBe(isLost);
});
