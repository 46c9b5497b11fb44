import { describe, expect, it } from 'vitest';
import { createRestartBudget, RESTART_WINDOW_MS, RESTARTS_MAX } from './restart-budget.ts';

describe('the restart budget', () => {
  it('allows its number of restarts in a window and no more', () => {
    const mayRestart = createRestartBudget();
    const answers = Array.from({ length: RESTARTS_MAX + 1 }, (_, at) => mayRestart(at));
    expect(answers).toEqual([...Array(RESTARTS_MAX).fill(true), false]);
  });

  it('allows another once the oldest is a window ago', () => {
    const mayRestart = createRestartBudget();
    for (let at = 0; at < RESTARTS_MAX; at++) mayRestart(at);
    expect(mayRestart(RESTART_WINDOW_MS - 1)).toBe(false);
    expect(mayRestart(RESTART_WINDOW_MS)).toBe(true);
  });
});
