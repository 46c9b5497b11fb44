import { expect, it } from 'vitest';
import { createWaitBudget } from './wait-budget.ts';

/** Milliseconds that a stop waits for one kind of work, polling every 100 ms. */
function createTestWait() {
  let now = 0;
  const budget = createWaitBudget(() => now);
  return (what: 'work' | 'deliveries'): number => {
    const startedAt = now;
    while (budget.has(what)) now += 100;
    budget.reset();
    return now - startedAt;
  };
}

it('waits long for a hanging endpoint at the first stops of an advance, and briefly at later ones', () => {
  const wait = createTestWait();
  expect([1, 2, 3, 4, 5].map(() => wait('deliveries'))).toEqual([12_000, 12_000, 6_000, 500, 500]);
});

it('has a separate budget for processors', () => {
  const wait = createTestWait();
  for (let stops = 0; stops < 9; stops++) wait('deliveries');
  expect([1, 2, 3, 4, 5, 6].map(() => wait('work'))).toEqual([
    45_000, 45_000, 45_000, 45_000, 500, 500,
  ]);
});
