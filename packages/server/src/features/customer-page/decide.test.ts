import type { CustomerRight } from '@florin/contract/customer-rights.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { hasRight, nextChargeAt, offeredActions, subscriptionStatusesOf } from './decide.ts';

const now = 1_800_000_000_000_000;
const DAY = seconds(86_400);
const inDays = (count: number): string => instantText(now + count * DAY);

const runningSubscription: Row = {
  status: 'active',
  confirmed: 't',
  canceled_at_period_end: 'f',
  next_billing_at: inDays(10),
  past_due_since: null,
  charges_count: '1',
};
const endingSubscription: Row = {
  ...runningSubscription,
  canceled_at_period_end: 't',
  cancel_asked_by: 'customer',
};
const cancelledByMerchant: Row = { ...endingSubscription, cancel_asked_by: null };
const failingSubscription: Row = {
  ...runningSubscription,
  past_due_since: inDays(-1),
  failure_reason: 'expired_card',
};
const dueSubscription: Row = { ...runningSubscription, next_billing_at: inDays(0) };
const pausedSubscription: Row = { ...runningSubscription, status: 'paused' };
const unpaidSubscription: Row = {
  ...runningSubscription,
  status: 'pending',
  next_billing_at: inDays(10),
};
const endedSubscription: Row = {
  ...runningSubscription,
  status: 'cancelled',
  canceled_at: inDays(-2),
  next_billing_at: null,
};

const allRights: readonly CustomerRight[] = ['cancel', 'cancel_now', 'pause', 'change_card'];
const usualRights: readonly CustomerRight[] = ['cancel', 'change_card'];

const factsOf = (subscription: Row, rights: readonly CustomerRight[]) => ({
  subscription,
  rights: new Set(rights),
  has_other_card: false,
  now,
});

describe('the actions offered to a customer', () => {
  it.each<[string, Row, readonly CustomerRight[], readonly string[]]>([
    [
      'one that runs',
      runningSubscription,
      allRights,
      ['cancel_later', 'cancel_now', 'pause', 'change_card'],
    ],
    [
      'one that runs, as is usual',
      runningSubscription,
      usualRights,
      ['cancel_later', 'change_card'],
    ],
    ['one that runs, nothing being allowed', runningSubscription, [], []],
    [
      'one that ends',
      endingSubscription,
      allRights,
      ['cancel_now', 'keep', 'pause', 'change_card'],
    ],
    ['one that ends, as is usual', endingSubscription, usualRights, ['keep', 'change_card']],
    ['one that the merchant has cancelled', cancelledByMerchant, usualRights, ['change_card']],
    [
      'one that is paused',
      pausedSubscription,
      allRights,
      ['cancel_later', 'cancel_now', 'resume', 'change_card'],
    ],
    // No period is paid, so the customer cannot wait for its end.
    ['one whose charge fails', failingSubscription, usualRights, ['cancel_now', 'change_card']],
    [
      'one whose charge fails, who may pause others',
      failingSubscription,
      allRights,
      ['cancel_now', 'change_card'],
    ],
    ['one that is to be billed now', dueSubscription, allRights, ['cancel_now', 'change_card']],
    ['one that was never paid', unpaidSubscription, usualRights, ['cancel_now', 'change_card']],
    ['one that has ended', endedSubscription, allRights, []],
    ['an intent', { ...runningSubscription, status: 'pending', confirmed: 'f' }, allRights, []],
  ])('of %s', (_, row, rights, expected) => {
    expect([...offeredActions(factsOf(row, rights))]).toEqual(expected);
  });

  it('does not revert the merchant’s own request', () => {
    const mayKeep = (cancel_asked_by: string | null, row: Row = endingSubscription): boolean =>
      hasRight('keep', factsOf({ ...row, cancel_asked_by }, usualRights));
    expect([mayKeep('customer'), mayKeep(null), mayKeep(null, runningSubscription)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('the status of a subscription', () => {
  const cases: readonly [string, Row, readonly string[]][] = [
    ['runs', runningSubscription, ['active']],
    ['is in its trial', { ...runningSubscription, trial_end_at: inDays(10) }, ['trial 10']],
    ['was in its trial', { ...runningSubscription, trial_end_at: inDays(-1) }, ['active']],
    ['ends with its period', endingSubscription, ['ending 10']],
    ['ends on a day of its own', { ...runningSubscription, end_at: inDays(40) }, ['ending 40']],
    ['ends on the earlier of two', { ...endingSubscription, end_at: inDays(4) }, ['ending 4']],
    ['has had all its charges', { ...runningSubscription, charges_max: '1' }, ['ending 10']],
    ['has some of its charges left', { ...runningSubscription, charges_max: '2' }, ['active']],
    ['waits for its first charge', unpaidSubscription, ['pending']],
    [
      'had its first charge declined',
      { ...unpaidSubscription, failure_reason: 'expired_card' },
      ['failed'],
    ],
    ['fails for good', failingSubscription, ['failed']],
    ['fails and is tried again', { ...failingSubscription, next_try_at: inDays(1) }, ['failed 1']],
    [
      'fails while it ends',
      { ...failingSubscription, canceled_at_period_end: 't' },
      ['failed', 'ending 10'],
    ],
    ['is paused', pausedSubscription, ['paused']],
    ['has ended', endedSubscription, ['cancelled -2']],
  ];
  it.each(cases)('if it %s', (_, row, expected) => {
    const statuses = subscriptionStatusesOf(row, now).map(({ kind, at }) =>
      at === undefined ? kind : `${kind} ${(at - now) / DAY}`,
    );
    expect(statuses).toEqual(expected);
  });
});

describe('the next charge', () => {
  it.each<[string, Row, number | undefined]>([
    ['of one that runs', runningSubscription, 10],
    ['of one that ends later', { ...runningSubscription, end_at: inDays(11) }, 10],
    ['of one that ends then', endingSubscription, undefined],
    ['of one that is paused', pausedSubscription, undefined],
    ['of one that fails', failingSubscription, undefined],
    ['of one that has ended', endedSubscription, undefined],
  ])('%s', (_, row, days) => {
    expect(nextChargeAt(row)).toBe(days === undefined ? undefined : now + days * DAY);
  });
});
