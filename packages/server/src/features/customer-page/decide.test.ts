import type { CustomerRight } from '@florin/contract/customer-rights.ts';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../platform/database/row.ts';
import { instantText, seconds } from '../../platform/time/clock.ts';
import { hasRight, nextChargeAt, offeredActions, subscriptionStatusesOf } from './decide.ts';

const now = 1_800_000_000_000_000;
const DAY = seconds(86_400);
const inDays = (count: number): string => instantText(now + count * DAY);

const running: Row = {
  status: 'active',
  confirmed: 't',
  canceled_at_period_end: 'f',
  next_billing_at: inDays(10),
  past_due_since: null,
  charges_count: '1',
};
const ending: Row = { ...running, canceled_at_period_end: 't', cancel_asked_by: 'customer' };
const cancelledByMerchant: Row = { ...ending, cancel_asked_by: null };
const failing: Row = { ...running, past_due_since: inDays(-1), failure_reason: 'expired_card' };
const due: Row = { ...running, next_billing_at: inDays(0) };
const paused: Row = { ...running, status: 'paused' };
const unpaid: Row = { ...running, status: 'pending', next_billing_at: inDays(10) };
const ended: Row = {
  ...running,
  status: 'cancelled',
  canceled_at: inDays(-2),
  next_billing_at: null,
};

const every: readonly CustomerRight[] = ['cancel', 'cancel_now', 'pause', 'change_card'];
const usual: readonly CustomerRight[] = ['cancel', 'change_card'];

const given = (subscription: Row, rights: readonly CustomerRight[]) => ({
  subscription,
  rights: new Set(rights),
  has_other_card: false,
  now,
});

describe('the actions offered to a customer', () => {
  it.each<[string, Row, readonly CustomerRight[], readonly string[]]>([
    ['one that runs', running, every, ['cancel_later', 'cancel_now', 'pause', 'change_card']],
    ['one that runs, as is usual', running, usual, ['cancel_later', 'change_card']],
    ['one that runs, nothing being allowed', running, [], []],
    ['one that ends', ending, every, ['cancel_now', 'keep', 'pause', 'change_card']],
    ['one that ends, as is usual', ending, usual, ['keep', 'change_card']],
    ['one that the merchant has cancelled', cancelledByMerchant, usual, ['change_card']],
    ['one that is paused', paused, every, ['cancel_later', 'cancel_now', 'resume', 'change_card']],
    // No period is paid, so the customer cannot wait for its end.
    ['one whose charge fails', failing, usual, ['cancel_now', 'change_card']],
    ['one whose charge fails, who may pause others', failing, every, ['cancel_now', 'change_card']],
    ['one that is to be billed now', due, every, ['cancel_now', 'change_card']],
    ['one that was never paid', unpaid, usual, ['cancel_now', 'change_card']],
    ['one that has ended', ended, every, []],
    ['an intent', { ...running, status: 'pending', confirmed: 'f' }, every, []],
  ])('of %s', (_, row, rights, expected) => {
    expect([...offeredActions(given(row, rights))]).toEqual(expected);
  });

  it('does not revert the merchant’s own request', () => {
    const by = (cancel_asked_by: string | null, row: Row = ending): boolean =>
      hasRight('keep', given({ ...row, cancel_asked_by }, usual));
    expect([by('customer'), by(null), by(null, running)]).toEqual([true, false, true]);
  });
});

describe('the status of a subscription', () => {
  const cases: readonly [string, Row, readonly string[]][] = [
    ['runs', running, ['active']],
    ['is in its trial', { ...running, trial_end_at: inDays(10) }, ['trial 10']],
    ['was in its trial', { ...running, trial_end_at: inDays(-1) }, ['active']],
    ['ends with its period', ending, ['ending 10']],
    ['ends on a day of its own', { ...running, end_at: inDays(40) }, ['ending 40']],
    ['ends on the earlier of two', { ...ending, end_at: inDays(4) }, ['ending 4']],
    ['has had all its charges', { ...running, charges_max: '1' }, ['ending 10']],
    ['has some of its charges left', { ...running, charges_max: '2' }, ['active']],
    ['waits for its first charge', unpaid, ['pending']],
    ['had its first charge declined', { ...unpaid, failure_reason: 'expired_card' }, ['failed']],
    ['fails for good', failing, ['failed']],
    ['fails and is tried again', { ...failing, next_try_at: inDays(1) }, ['failed 1']],
    ['fails while it ends', { ...failing, canceled_at_period_end: 't' }, ['failed', 'ending 10']],
    ['is paused', paused, ['paused']],
    ['has ended', ended, ['cancelled -2']],
  ];
  it.each(cases)('if it %s', (_, row, expected) => {
    const told = subscriptionStatusesOf(row, now).map(({ kind, at }) =>
      at === undefined ? kind : `${kind} ${(at - now) / DAY}`,
    );
    expect(told).toEqual(expected);
  });
});

describe('the next charge', () => {
  it.each<[string, Row, number | undefined]>([
    ['of one that runs', running, 10],
    ['of one that ends later', { ...running, end_at: inDays(11) }, 10],
    ['of one that ends then', ending, undefined],
    ['of one that is paused', paused, undefined],
    ['of one that fails', failing, undefined],
    ['of one that has ended', ended, undefined],
  ])('%s', (_, row, days) => {
    expect(nextChargeAt(row)).toBe(days === undefined ? undefined : now + days * DAY);
  });
});
