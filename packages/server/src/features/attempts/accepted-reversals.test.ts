import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { mayStillReverse, REVERSALS_MAX, withReversal } from './accepted-reversals.ts';

type Step = readonly [reference: string, state: 'accepted' | 'refused'];

function after(...steps: readonly Step[]): Row {
  let attempt: Row = {};
  for (const step of steps) attempt = { ...attempt, ...withReversal(attempt, ...step) };
  return attempt;
}

describe('an accepted reversal', () => {
  it.each<[string, readonly Step[], boolean]>([
    ['none was accepted', [], false],
    ['it has no outcome', [['r1', 'accepted']], true],
    [
      'it was refused',
      [
        ['r1', 'accepted'],
        ['r1', 'refused'],
      ],
      false,
    ],
    [
      'its refusal came before its answer',
      [
        ['r1', 'refused'],
        ['r1', 'accepted'],
      ],
      false,
    ],
    [
      'another one was refused',
      [
        ['r1', 'accepted'],
        ['r2', 'accepted'],
        ['r2', 'refused'],
      ],
      true,
    ],
  ])('may still give money back if %s: %j is %s', (_, steps, expected) => {
    expect(mayStillReverse(after(...steps))).toBe(expected);
  });

  it('counts beyond the limit, although all of the first ones are refused', () => {
    const names = Array.from({ length: REVERSALS_MAX }, (_, at) => `r${at}`);
    const refused = names.map((name) => [name, 'refused'] as const);
    const full = after(...refused, ['late', 'accepted'], ['late', 'refused']);
    expect(mayStillReverse(full)).toBe(true);
    expect(Object.keys(JSON.parse(full.reversals as string))).toHaveLength(REVERSALS_MAX + 1);
  });

  it('changes nothing that is known', () => {
    expect(withReversal(after(['r1', 'accepted']), 'r1', 'accepted')).toBeUndefined();
  });
});
