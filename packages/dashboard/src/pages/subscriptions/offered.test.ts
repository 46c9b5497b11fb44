import { expect, it } from 'vitest';
import type { RecordOf } from '../../api/types.ts';
import { offeredTo } from './offered.ts';

type Attributes = RecordOf<'payment_subscriptions'>['attributes'];

const offered = (attributes: Partial<Attributes>) =>
  offeredTo({
    attributes: { status: 'active', confirmed: true, ...attributes },
  } as RecordOf<'payment_subscriptions'>);

it.each<[string, Partial<Attributes>, string[], string[]]>([
  ['that is active', {}, ['change', 'pause', 'cancel'], ['resume', 'confirm', 'retry', 'keep']],
  ['that is past due', { past_due_since: '2027-01-31T10:00:00Z' }, ['pause'], ['change']],
  ['whose last charge failed', { failure_reason: 'do_not_honor' }, ['retry'], ['confirm']],
  ['that ends with its period', { canceled_at_period_end: true }, ['keep', 'cancel'], []],
  [
    'that was billed since its pause',
    { last_active_at: '2027-02-01T10:00:00Z', next_billing_at: '2027-02-28T10:00:00Z' },
    ['pause'],
    ['resume'],
  ],
  [
    'that owes what fell due before its pause',
    { last_active_at: '2027-02-01T10:00:00Z', next_billing_at: '2027-01-31T10:00:00Z' },
    ['change', 'cancel'],
    ['pause'],
  ],
  ['that is paused', { status: 'paused' }, ['resume', 'cancel'], ['pause', 'change']],
  ['that is an intent', { confirmed: false }, ['confirm', 'cancel'], ['pause', 'customer_link']],
  ['that is over', { status: 'cancelled' }, ['customer_link'], ['cancel', 'update']],
])('a subscription %s', (_, attributes, expected, missing) => {
  const actions = offered(attributes);
  expect(actions).toEqual(expect.arrayContaining(expected));
  expect(actions.filter((action) => missing.includes(action))).toEqual([]);
});
