import { DUNNING_TRIES_MAX, dunningSchedule, isCardRefused } from '@florin/contract/dunning.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../platform/database/row.ts';
import { instantText, microsOf, seconds } from '../../../platform/time/clock.ts';
import { decideResume } from '../decide.ts';
import { decideCharged, retriedSooner } from './charged.ts';
import { decideStep } from './cycle.ts';

const policy = { dunning_days: 60 };
const start = microsOf('2027-02-01T10:00:00Z');
const card = (id: string): Row => ({ payment_method_id: id });
const subscription: Row = { status: 'active', credit_cents: '0', charges_count: '1', ...card('a') };
const monthly: Row = {
  confirmed: 't',
  amount_cents: '3000',
  billing_period: 'one_month',
  billing_cycle_anchor_at: '2027-02-01T10:00:00.000000Z',
  billing_timezone: 'UTC',
  next_billing_at: '2027-06-01T10:00:00.000000Z',
};
const failure = (name: string): Row => ({
  id: 'a charge',
  status: 'failed',
  failure_reason: 'insufficient_funds',
  ...card(name),
});

/**
 * Returns the subscription after all automatic retries of one card failed, with the times of the
 * failures.
 */
function failOut(row: Row, at: number): { readonly row: Row; readonly times: readonly number[] } {
  const times: number[] = [];
  let [current, now] = [row, at];
  for (;;) {
    times.push(now);
    current = { ...current, ...decideCharged(current, failure('a'), policy, now).set };
    if (!current.next_try_at) return { row: current, times };
    now = microsOf(current.next_try_at);
  }
}

const change = (row: Row, status: string, now: number): Row => ({
  ...row,
  ...retriedSooner(row, card(status), now),
  ...card(status),
});

describe('a charge that keeps failing', () => {
  const firstDunning = failOut(subscription, start);

  it('is retried by the schedule of its decline codes', () => {
    const waits = firstDunning.times
      .slice(1)
      .map((time, nth) => time - (firstDunning.times[nth] as number));
    expect(waits).toEqual(dunningSchedule.soft.map((wait) => seconds(wait)));
  });

  it('is retried immediately with another card, which restarts the schedule', () => {
    const now = start + seconds(20 * 24 * 60 * 60);
    const changedRow = change(firstDunning.row, 'b', now);
    expect(changedRow).toMatchObject({ next_try_at: instantText(now), tries_count: '0' });
    const { set } = decideCharged(changedRow, failure('a'), policy, now);
    expect(set.next_try_at).toBe(instantText(now));
    const secondDunning = failOut({ ...changedRow, ...card('a') }, now);
    expect(secondDunning.times.length).toBeGreaterThan(1);
    expect(secondDunning.row.dunning_ends_at).toBe(firstDunning.row.dunning_ends_at);
  });

  it('is retried automatically at most the allowed number of times, with any cards', () => {
    let [row, now, tries] = [subscription, start, 0];
    do {
      const dunning = failOut(row, now);
      tries += dunning.times.length;
      now = dunning.times.at(-1) as number;
      row = { ...change(dunning.row, 'b', now), ...card('a') };
    } while (row.next_try_at);
    expect(tries).toBe(DUNNING_TRIES_MAX);
    expect(decideCharged(row, failure('b'), policy, now).set.next_try_at).toBeNull();
  });

  it('is not retried automatically more often after it was given up and its subscription resumed', () => {
    const exhaustedRow = {
      ...monthly,
      ...firstDunning.row,
      all_tries_count: String(DUNNING_TRIES_MAX),
    };
    const givenUpTime = start + seconds(61 * 24 * 60 * 60);
    const facts = {
      policy: { ...policy, dunning_final_action: 'pause', missed_periods: 'each' },
      failing: failure('a'),
      isCharging: false,
    } as const;
    const step = decideStep(exhaustedRow, facts, givenUpTime);
    const givenUpRow: Row = {
      ...exhaustedRow,
      ...step?.decision?.set,
      status: 'paused',
      ...card('b'),
    };
    const resumedRow: Row = {
      ...givenUpRow,
      ...decideResume(givenUpRow, givenUpTime).set,
      status: 'active',
    };
    expect(resumedRow.next_try_at).toBe(instantText(givenUpTime));
    for (const name of ['a', 'b']) {
      expect(
        decideCharged(resumedRow, failure(name), policy, givenUpTime).set.next_try_at,
      ).toBeNull();
    }
  });

  it.each([
    ['to be given up during a pause is given up a day after it', 70, 71],
    ['to be given up after a pause keeps its deadline', 20, 60],
  ])('%s', (_title, resumedDay, endDay) => {
    const days = (count: number): number => start + seconds(count * 24 * 60 * 60);
    const pausedRow = {
      ...monthly,
      ...firstDunning.row,
      status: 'paused',
      last_paused_at: instantText(start),
    };
    expect(decideResume(pausedRow, days(resumedDay)).set).toMatchObject({
      next_try_at: instantText(days(resumedDay)),
      dunning_ends_at: instantText(days(endDay)),
    });
  });

  it.each([
    ['is past due again if its subscription resumes within its period', '2027-02-20', 'a charge'],
    ['stays given up after its period: the next one is billed at once', '2027-05-11', undefined],
  ])('%s', (_title, day, dueCharge) => {
    const pausedRow: Row = {
      ...monthly,
      ...subscription,
      status: 'paused',
      last_paused_at: '2027-02-15T10:00:00.000000Z',
      next_billing_at: '2027-03-01T10:00:00.000000Z',
      refused_charge_id: 'a charge',
    };
    const { set, events } = decideResume(pausedRow, microsOf(`${day}T10:00:00Z`));
    expect(set.past_due_charge_id).toBe(dueCharge);
    expect(events.includes('past_due')).toBe(dueCharge !== undefined);
    const nextBillingAt = dueCharge ? pausedRow.next_billing_at : `${day}T10:00:00.000000Z`;
    expect(set.next_billing_at).toBe(nextBillingAt);
  });

  it('is not retried sooner with the same card', () => {
    expect(retriedSooner(firstDunning.row, card('a'), start)).toEqual({});
  });
});

it.each([
  ['lost_card', true],
  ['stolen_card', true],
  ['invalid_card', true],
  ['always_blocked', true],
  ['incorrect_cvc', false],
  ['expired_card', false],
  ['card_not_verified', false],
  ['insufficient_funds', false],
  ['processor_timeout', false],
] as const)('entering the same card again has no effect after %s: %s', (code, isRefused) => {
  expect(isCardRefused(code)).toBe(isRefused);
});
