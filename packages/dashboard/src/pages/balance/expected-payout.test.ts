import { expect, it } from 'vitest';
import { expectedPayout } from './expected-payout.ts';

it.each([
  ['a pending payment that covers a deficit', -9793, 19_708, 'next_payout', 9915],
  ['an available amount alone', 100, 0, 'next_payout_ready', 100],
  ['less than the smallest payout', -50, 149, 'next_payout_none', 99],
] as const)('expects %s', (_what, available_cents, unsettled_cents, kind, cents) =>
  expect(expectedPayout({ available_cents, unsettled_cents, least_cents: 100 })).toEqual({
    kind,
    cents,
  }),
);
