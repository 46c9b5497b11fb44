import { expect, it } from 'vitest';
import type { RecordOf } from '../../../api/types.ts';
import { outcomeOf, shownOutcome } from './outcome.ts';
import type { CheckoutType } from './use-intent.ts';

const of = (type: CheckoutType, attributes: object, meta = {}) =>
  outcomeOf({ type, id: '1', attributes, meta } as RecordOf<CheckoutType>);

it.each([
  ['ready', 'unsent'],
  ['processing', 'waiting'],
  ['authorised', 'held'],
  ['failed', 'declined'],
  ['succeeded', 'paid'],
  // A dispute can follow within the second.
  ['disputed', 'paid'],
])('a payment that is %s was %s', (status, outcome) => {
  expect(of('payment_demands', { status })).toBe(outcome);
});

it('a payment without an outcome of its network is unknown', () => {
  expect(of('payment_demands', { status: 'processing' }, { outcome: 'unknown' })).toBe('unknown');
});

it.each([
  [{ confirmed: false, status: 'pending' }, 'unsent'],
  [{ confirmed: true, status: 'pending' }, 'waiting'],
  [{ confirmed: true, status: 'pending', failure_reason: 'expired_card' }, 'declined'],
  [{ confirmed: true, status: 'active' }, 'paid'],
])('a subscription with %j was %s', (attributes, outcome) => {
  expect(of('payment_subscriptions', attributes)).toBe(outcome);
});

it.each([
  ['declined', false, false, 'declined'],
  ['declined', true, false, 'unsent'],
  ['declined', true, true, 'declined'],
  ['waiting', true, false, 'waiting'],
  ['waiting', false, true, 'unknown'],
  ['paid', true, false, 'paid'],
] as const)(
  '%s, unanswered: %s, exhausted: %s: shows %s',
  (outcome, isUnanswered, isExhausted, shown) => {
    expect(shownOutcome(outcome, { isUnanswered, isExhausted })).toBe(shown);
  },
);
