import { describe, expect, it } from 'vitest';
import { instantText, microsOf } from '../../kernel/clock.ts';
import type { Row } from '../../store/row.ts';
import { allowedActions, decideCharged, decideConfirm, requireIntent } from './decide.ts';

const at = (day: string): string => `${day}T10:00:00.000000Z`;
const row: Row = {
  status: 'pending',
  confirmed: 't',
  failure_reason: null,
  amount_cents: '3000',
  billing_period: 'one_month',
  billing_cycle_anchor_at: at('2026-01-31'),
  proration_behavior: 'none',
  next_billing_at: at('2026-02-28'),
};
const checks = {
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
};
const succeeded: Row = { status: 'succeeded', failure_reason: null, ...checks };

describe('what a subscription takes', () => {
  it.each<[string, Row, string[]]>([
    ['an intent', { confirmed: 'f' }, ['update', 'confirm', 'cancel']],
    ['one whose first charge is under way', {}, ['update', 'cancel']],
    ['one whose first charge failed', { failure_reason: 'x' }, ['update', 'confirm', 'cancel']],
    ['an active one', { status: 'active' }, ['update', 'pause', 'cancel']],
    [
      'an active one whose last charge failed',
      { status: 'active', failure_reason: 'x' },
      ['update', 'confirm', 'pause', 'cancel'],
    ],
    [
      'a paused one whose last charge failed',
      { status: 'paused', failure_reason: 'x' },
      ['update', 'resume', 'cancel'],
    ],
    ['a cancelled one', { status: 'cancelled', failure_reason: 'x' }, []],
  ])('%s', (_what, change, actions) => {
    expect(allowedActions({ ...row, ...change })).toEqual(actions);
  });

  it('is no second first charge, though its first one can be tried again by now', () => {
    expect(() => requireIntent({ ...row, failure_reason: 'x' })).toThrow('invalid_state');
    expect(() => requireIntent({ ...row, confirmed: 'f' })).not.toThrow();
  });
});

describe('a confirmation', () => {
  const intent: Row = { ...row, confirmed: 'f', next_billing_at: null };
  it.each<[string, string, Row, string | undefined, string]>([
    ['before an anchor of the same day', '2026-01-31T09:00:00Z', {}, undefined, '2026-02-28'],
    ['after its anchor', '2026-03-05T09:00:00Z', {}, undefined, '2026-03-31'],
    ['on a day before', '2026-01-30T23:59:59Z', {}, 'activate', '2026-01-31'],
    [
      'on a day before, with proration',
      '2026-01-30T23:59:59Z',
      { proration_behavior: 'create_prorations' },
      undefined,
      '2026-01-31',
    ],
  ])('%s', (_when, now, change, trigger, next) => {
    const decision = decideConfirm({ ...intent, ...change }, microsOf(now), false);
    expect([decision.trigger, decision.set.next_billing_at]).toEqual([trigger, at(next)]);
  });

  it('without an anchor takes its own time for it', () => {
    const now = microsOf('2026-05-31T12:00:00.000007Z');
    const { set } = decideConfirm({ ...intent, billing_cycle_anchor_at: null }, now, false);
    expect(set).toMatchObject({
      billing_cycle_anchor_at: instantText(now),
      next_billing_at: '2026-06-30T12:00:00.000007Z',
    });
  });
});

describe('a charge that has succeeded', () => {
  const charged = (change: Row, now: string) =>
    decideCharged({ ...row, ...change }, succeeded, microsOf(at(now)));

  it('pays for the period that was planned', () => {
    expect(charged({}, '2026-01-31')).toMatchObject({
      trigger: 'activate',
      set: {
        last_processed_at: at('2026-01-31'),
        current_period_start_at: at('2026-01-31'),
        current_period_end_at: at('2026-02-28'),
        next_billing_at: at('2026-02-28'),
      },
    });
  });
  it('after that period pays for the one it is in, and keeps to the anchor', () => {
    expect(charged({}, '2026-04-02').set).toMatchObject({
      current_period_start_at: at('2026-03-31'),
      next_billing_at: at('2026-04-30'),
    });
  });
  it.each(['active', 'paused'])('leaves a subscription that is %s so', (status) => {
    expect(charged({ status }, '2026-01-31').trigger).toBeUndefined();
  });
  it('after the subscription was cancelled does not bring it back', () => {
    const { trigger, set } = charged({ status: 'cancelled', next_billing_at: null }, '2026-01-31');
    expect(trigger).toBeUndefined();
    expect(set).toEqual({ failure_reason: null, ...checks, last_processed_at: at('2026-01-31') });
  });
});

it('a charge that has failed says why, and changes no state', () => {
  const failed = { ...succeeded, status: 'failed', failure_reason: 'lost_card' };
  expect(decideCharged(row, failed, microsOf(at('2026-01-31')))).toEqual({
    set: { failure_reason: 'lost_card', ...checks },
    events: ['updated'],
  });
});
