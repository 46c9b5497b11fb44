import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { instantText, microsOf } from '../../platform/time/clock.ts';
import { firstCharge } from './billing/billing.ts';
import { decideCharged } from './billing/charged.ts';
import { decideRetry, newCard, proofOf } from './billing/decide-retry.ts';
import { creditAfterChange } from './billing/tally.ts';
import { allowedSubscriptionActions, decideConfirm, requireIntent } from './decide.ts';

const at = (day: string): string => `${day}T10:00:00.000000Z`;
const row: Row = {
  status: 'pending',
  confirmed: 't',
  failure_reason: null,
  amount_cents: '3000',
  billing_period: 'one_month',
  billing_cycle_anchor_at: at('2026-01-31'),
  proration_behavior: 'none',
  billing_timezone: 'UTC',
  next_billing_at: at('2026-02-28'),
};
const policy = { dunning_days: 14 };
const checks = {
  cvc2_check: 'match',
  address_line1_verification: 'match',
  postal_code_verification: 'match',
};
const succeededCharge: Row = {
  status: 'succeeded',
  failure_reason: null,
  created_at: at('2026-01-31'),
  ...checks,
};

describe('the allowed actions of a subscription', () => {
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
    [
      'an active one that owes what fell due before its last pause',
      { status: 'active', last_paused_at: at('2026-03-02'), last_active_at: at('2026-03-03') },
      ['update', 'cancel'],
    ],
    [
      'one that owes what fell due since',
      { status: 'active', last_active_at: at('2026-02-03') },
      ['update', 'pause', 'cancel'],
    ],
  ])('%s', (_title, change, actions) => {
    expect(allowedSubscriptionActions({ ...row, ...change })).toEqual(actions);
  });

  it('include no second first charge, even if the first one can be retried', () => {
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
  ])('%s', (_when, now, change, trigger, nextBilling) => {
    const decision = decideConfirm({ ...intent, ...change }, microsOf(now), false);
    expect([decision.trigger, decision.set.next_billing_at]).toEqual([trigger, at(nextBilling)]);
  });

  it.each<[string, Row, string | undefined, string, string]>([
    [
      'without an anchor',
      { billing_cycle_anchor_at: null },
      'activate',
      '2026-03-10',
      '2026-03-10',
    ],
    ['that ends after the anchor', {}, 'activate', '2026-03-31', '2026-01-31'],
    [
      'that ends after the anchor, with proration',
      { proration_behavior: 'create_prorations' },
      'activate',
      '2026-03-10',
      '2026-01-31',
    ],
    [
      'that ends as a period begins',
      { billing_cycle_anchor_at: at('2026-02-10') },
      'activate',
      '2026-03-10',
      '2026-02-10',
    ],
    [
      'that ends before the anchor',
      { billing_cycle_anchor_at: at('2026-04-01') },
      'activate',
      '2026-04-01',
      '2026-04-01',
    ],
    [
      'that ends before the anchor, with proration',
      { billing_cycle_anchor_at: at('2026-04-01'), proration_behavior: 'create_prorations' },
      'activate',
      '2026-03-10',
      '2026-04-01',
    ],
  ])(
    'with a trial %s charges nothing before its end',
    (_trial, change, trigger, nextBilling, anchor) => {
      const now = microsOf(at('2026-02-20'));
      const trialIntent = { ...intent, trial_end_at: at('2026-03-10'), ...change };
      const decision = decideConfirm(trialIntent, now, false);
      expect([decision.trigger, decision.set.next_billing_at]).toEqual([trigger, at(nextBilling)]);
      expect(decision.set.billing_cycle_anchor_at).toBe(at(anchor));
      expect(firstCharge({ ...trialIntent, ...decision.set }, now)).toBeUndefined();
    },
  );

  it('after the end of the trial charges as without one', () => {
    const endedTrial = { ...intent, trial_end_at: at('2026-01-01') };
    const now = microsOf(at('2026-03-05'));
    expect(decideConfirm(endedTrial, now, false)).toEqual(decideConfirm(intent, now, false));
  });

  it('with proration refuses an anchor more than one period ahead', () => {
    const proratedIntent = { ...intent, proration_behavior: 'create_prorations' };
    const confirmAt = (now: string) => () =>
      decideConfirm(proratedIntent, microsOf(at(now)), false);
    expect(confirmAt('2025-12-30')).toThrow('within one billing period');
    expect(confirmAt('2025-12-31')).not.toThrow();
  });

  it('without an anchor uses its own time', () => {
    const now = microsOf('2026-05-31T12:00:00.000007Z');
    const { set } = decideConfirm({ ...intent, billing_cycle_anchor_at: null }, now, false);
    expect(set).toMatchObject({
      billing_cycle_anchor_at: instantText(now),
      next_billing_at: '2026-06-30T12:00:00.000007Z',
    });
  });
});

describe('a successful charge', () => {
  const chargeFor = (change: Row, now: string) =>
    decideCharged({ ...row, ...change }, succeededCharge, policy, microsOf(at(now)));

  it('pays for the planned period', () => {
    expect(chargeFor({}, '2026-01-31')).toMatchObject({
      trigger: 'activate',
      set: {
        last_processed_at: at('2026-01-31'),
        current_period_start_at: at('2026-01-31'),
        current_period_end_at: at('2026-02-28'),
        next_billing_at: at('2026-02-28'),
      },
    });
  });
  it('after that period pays for the running one, and keeps the anchor', () => {
    expect(chargeFor({}, '2026-04-02').set).toMatchObject({
      current_period_start_at: at('2026-03-31'),
      next_billing_at: at('2026-04-30'),
    });
  });
  it.each(['active', 'paused'])('keeps a subscription that is %s', (status) => {
    expect(chargeFor({ status }, '2026-01-31').trigger).toBeUndefined();
  });
  it('after a cancellation does not reactivate the subscription', () => {
    const { trigger, set } = chargeFor(
      { status: 'cancelled', next_billing_at: null },
      '2026-01-31',
    );
    expect(trigger).toBeUndefined();
    expect(set).toEqual({ failure_reason: null, ...checks, last_processed_at: at('2026-01-31') });
  });
});

describe('a charge from before the anchor', () => {
  const earlyCharge = { ...succeededCharge, created_at: at('2026-01-28') };
  const proratedRow: Row = {
    ...row,
    proration_behavior: 'create_prorations',
    next_billing_at: at('2026-01-31'),
  };

  it('that is paid months later makes the running period due', () => {
    const { set } = decideCharged(proratedRow, earlyCharge, policy, microsOf(at('2026-07-01')));
    expect(set.next_billing_at).toBe(at('2026-06-30'));
  });

  it.each(['2026-01-28', '2026-02-02'])(
    'and succeeds on %s pays for the time until then, and the first full period stays due',
    (day) => {
      const { set } = decideCharged(proratedRow, earlyCharge, policy, microsOf(at(day)));
      expect(set).toMatchObject({
        current_period_start_at: at('2026-01-28'),
        current_period_end_at: at('2026-01-31'),
      });
      expect(set).not.toHaveProperty('next_billing_at');
    },
  );

  it('does not end a later period that is paid by then', () => {
    const laterRow = { ...proratedRow, current_period_end_at: at('2026-02-28') };
    const { set } = decideCharged(laterRow, earlyCharge, policy, microsOf(at('2026-02-02')));
    expect(set).not.toHaveProperty('current_period_end_at');
  });
});

describe('a failed charge that is retried', () => {
  const charge: Row = {
    created_at: at('2026-01-28'),
    amount_cents: '290',
    amount_currency: 'USD',
    discount_cents: null,
    line_items: '[]',
    shipping_detail: null,
    tax_detail: null,
    payment_method_id: 'a card',
    eci: '05',
  };
  const proratedRow: Row = {
    ...row,
    ...charge,
    amount_cents: '3100',
    proration_behavior: 'create_prorations',
  };
  const decideRetryOn = (subscription: Row, day = '2026-02-05') =>
    decideRetry(charge, subscription, microsOf(at(day)), newCard(charge, subscription)).set;

  it('charges the share of the current amount for its original time', () => {
    expect(decideRetryOn(proratedRow)).toMatchObject({ amount_cents: '300', eci: null });
    expect(decideRetryOn({ ...proratedRow, amount_cents: '6200' }).amount_cents).toBe('600');
  });

  it('charges the full amount if it was made at or after the anchor', () => {
    expect(
      decideRetry({ ...charge, created_at: at('2026-01-31') }, proratedRow, 0).set,
    ).toMatchObject({
      amount_cents: '3100',
    });
  });

  it.each<[string, string, string | undefined, string]>([
    ['300', 'cancel', undefined, '300'],
    ['500', 'cancel', undefined, '500'],
    ['509', 'cancel', undefined, '509'],
    ['510', 'confirm', '10', '500'],
    ['2500', 'confirm', '2000', '500'],
  ])(
    'at a price of %s with a credit of 500: %s',
    (amount_cents, trigger, charged, credit_used_cents) => {
      const renewal = { ...charge, id: 'a charge', created_at: at('2026-02-28') };
      const pastDueRow = { ...row, ...charge, status: 'active', past_due_charge_id: 'a charge' };
      const repricedRow = { ...pastDueRow, amount_cents, credit_cents: '500' };
      const decision = decideRetry(renewal, repricedRow, microsOf(at('2026-03-05')));
      expect([decision.trigger, decision.set.amount_cents]).toEqual([trigger, charged]);
      expect(decision.set.credit_used_cents).toBe(credit_used_cents);
    },
  );

  it("keeps the bank's authentication if the amount is the same", () => {
    const smallerCharge = { ...charge, amount_cents: '300' };
    expect(decideRetry(smallerCharge, proratedRow, 0).set).not.toHaveProperty('eci');
  });

  it("uses the subscription's current card", () => {
    expect(decideRetryOn(proratedRow)).not.toHaveProperty('payment_method_id');
    const other = { ...proratedRow, payment_method_id: 'another', eci: '07' };
    expect(decideRetryOn(other)).toMatchObject({ payment_method_id: 'another', eci: null });
    const wholeCharge = { ...charge, created_at: at('2026-01-31') };
    expect(decideRetry(wholeCharge, other, 0, newCard(wholeCharge, other)).set).toMatchObject({
      payment_method_id: 'another',
      eci: '07',
    });
  });
});

it.each([
  ['3000', '05'],
  ['2999', null],
  ['1500', null],
])(
  "the bank's authentication of a price of 3000 applies to a charge of %s: %s",
  (amount_cents, eci) => {
    const authenticated = { ...row, eci: '05', threeds_cryptogram: 'AAAB' };
    expect(proofOf(authenticated, { amount_cents }).eci).toBe(eci);
  },
);

describe('the columns of a charge from its subscription', () => {
  const subscription: Row = { credit_cents: '-5', charges_count: '4' };
  const fullCharge = { billing_reason: 'renewal', credit_used_cents: '300' };
  it.each<[string, string, Row, Row]>([
    ['pending', 'failed', fullCharge, { credit_cents: '295', charges_count: '3' }],
    ['failed', 'pending', fullCharge, { credit_cents: '-305', charges_count: '5' }],
    ['failed', 'canceled', fullCharge, { credit_cents: '-305', charges_count: '5' }],
    ['processing', 'succeeded', fullCharge, {}],
    [
      'processing',
      'failed',
      { billing_reason: 'proration', credit_used_cents: null },
      { credit_cents: '-5', charges_count: '4' },
    ],
    [
      'processing',
      'failed',
      { billing_reason: 'change', created_at: at('2026-02-01'), period_start_at: at('2026-02-01') },
      { credit_cents: '-5', charges_count: '3' },
    ],
  ])('from %s to %s', (statusBefore, statusAfter, charge, expected) => {
    const changedRow = {
      before: { ...charge, status: statusBefore },
      after: { ...charge, status: statusAfter },
    };
    expect(creditAfterChange(subscription, changedRow)).toEqual(expected);
  });
});

describe('a paid change', () => {
  const monthly: Row = {
    ...row,
    status: 'active',
    current_period_start_at: at('2026-01-31'),
    current_period_end_at: at('2026-02-28'),
    period_amount_cents: '3000',
  };
  const change = (start: string, end: string, worthCents: string): Row => ({
    ...succeededCharge,
    billing_reason: 'change',
    amount_cents: '500',
    period_start_at: at(start),
    period_end_at: at(end),
    period_worth_cents: worthCents,
  });
  it.each<[string, Row, string, string]>([
    [
      'of the price makes the period worth more',
      change('2026-01-31', '2026-02-28', '4000'),
      '2026-02-28',
      '4000',
    ],
    [
      'of the period begins it, also where that ends sooner',
      change('2026-02-10', '2026-02-11', '3500'),
      '2026-02-11',
      '3500',
    ],
    [
      'late leaves a period that has begun since',
      change('2026-01-20', '2027-01-20', '9000'),
      '2026-02-28',
      '3000',
    ],
  ])('%s', (_title, charge, end, worth) => {
    const { set } = decideCharged(monthly, charge, policy, microsOf(at('2026-02-10')));
    expect({ ...monthly, ...set }).toMatchObject({
      current_period_end_at: at(end),
      period_amount_cents: worth,
    });
  });
});

it('a failed charge has its reason, and changes no state', () => {
  const failedRow = { ...succeededCharge, status: 'failed', failure_reason: 'lost_card' };
  expect(decideCharged(row, failedRow, policy, microsOf(at('2026-01-31')))).toEqual({
    set: { failure_reason: 'lost_card', ...checks, dunning_ends_at: at('2026-02-14') },
    events: ['updated'],
  });
});
