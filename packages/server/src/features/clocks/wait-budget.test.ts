import { expect, it } from 'vitest';
import { createWaitBudget } from './wait-budget.ts';

/** How long a stop waits for one kind of work, polling every 100 ms. */
function waits() {
  let now = 0;
  const budget = createWaitBudget(() => now);
  return (what: 'work' | 'deliveries'): number => {
    const from = now;
    while (budget.has(what)) now += 100;
    budget.rest();
    return now - from;
  };
}

it('waits for an endpoint that hangs at the first stops of a way, and hardly at all later', () => {
  const wait = waits();
  expect([1, 2, 3, 4, 5].map(() => wait('deliveries'))).toEqual([12_000, 12_000, 6_000, 500, 500]);
});

it('waits for processors on their own account', () => {
  const wait = waits();
  for (let stops = 0; stops < 9; stops++) wait('deliveries');
  expect([1, 2, 3, 4, 5, 6].map(() => wait('work'))).toEqual([
    45_000, 45_000, 45_000, 45_000, 500, 500,
  ]);
});
