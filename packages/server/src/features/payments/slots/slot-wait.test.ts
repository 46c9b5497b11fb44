import { expect, it } from 'vitest';
import { createLimiter } from '../../../platform/concurrency/limiter.ts';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, seconds } from '../../../platform/time/clock.ts';
import type { Fallback } from '../../../processors/routing-rule.ts';
import { UNSENT_MAX_SECONDS } from '../../attempts/decide-outcome.ts';
import { createAccountSlots } from './account-slots.ts';
import { decideSlotWait, SLOT_WAIT_SECONDS_MAX, type SlotDecision } from './slot-wait.ts';

const now = 1_795_232_640_000_000;
const since = (waited_s: number): Row => ({ unsent_since: instantText(now - seconds(waited_s)) });
const after = (result: string): Row => ({
  fallback_after: JSON.stringify({ account: 'a', attempt: 'x', result, why: 'y' }),
});

interface Given {
  readonly demand?: Row;
  readonly candidates?: readonly string[];
  readonly fallback?: Fallback;
  readonly full?: readonly string[];
}

function decide({
  demand = {},
  candidates = ['a', 'b'],
  fallback = 'not_sent',
  full = ['a'],
}: Given): SlotDecision {
  const inFlight = createLimiter({});
  for (const account of full) inFlight.take(account);
  const wait = { demand, account: 'a', route: { candidates, fallback } };
  return decideSlotWait(wait, createAccountSlots(inFlight, 1), now);
}
const due_at = instantText(now + seconds(0.25));
const late = since(SLOT_WAIT_SECONDS_MAX);
const tooLate = since(UNSENT_MAX_SECONDS);

it('a payment notes when its wait began, and keeps it', () => {
  expect(decide({})).toEqual({ set: { unsent_since: instantText(now), due_at } });
  const demand = since(1);
  expect(decide({ demand })).toEqual({ set: { ...demand, due_at } });
});

it.each<[string, Given]>([
  ['another account', { demand: late }],
  ['another account, where the rule allows declines too', { demand: late, fallback: 'declined' }],
  ['another account, although the wait was very long', { demand: tooLate }],
  ['the simulated network', { demand: late, candidates: ['a', 'network'] }],
])('after the wait %s is asked', (_, given) => {
  expect(decide(given)).toEqual({
    second: given.candidates?.at(-1) ?? 'b',
    step: { account: 'a', attempt: null, result: 'not_sent', why: 'no_free_slot' },
  });
});

it.each<[string, Given]>([
  ['has no free slot', { full: ['a', 'b'] }],
  ['is not allowed by the rule', { fallback: 'none' }],
  ['does not exist', { candidates: ['a'] }],
  ['is this one, after an unsent message', { demand: after('not_sent') }],
])('a payment whose second account %s waits for fifteen minutes, then fails', (_, given) => {
  const demand = (waited: Row): Row => ({ ...given.demand, ...waited });
  const set = { ...late, due_at, fallback_after: null };
  expect(decide({ ...given, demand: demand(late) })).toEqual({ set });
  expect(decide({ ...given, demand: demand(tooLate) })).toBe('refuse');
});

it('a payment that another account declined fails after the short wait', () => {
  expect(decide({ demand: after('declined') })).toHaveProperty('set');
  expect(decide({ demand: { ...after('declined'), ...late } })).toBe('refuse');
});
