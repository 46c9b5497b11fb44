import { expect, it } from 'vitest';
import { createSigner } from '../../platform/crypto/signer.ts';
import type { Row } from '../../platform/database/row.ts';
import { instantText, microsOf, seconds } from '../../platform/time/clock.ts';
import type { Services } from '../../services.ts';
import { emailsOfFailures, emailsOfPlannedEnd } from './notices.ts';

const now = microsOf('2027-02-01T10:00:00Z');
const daysLater = (count: number): string => instantText(now + seconds(count * 86_400));
const id = '01935f00-0000-7000-8000-000000000000';
const services = {
  customer_links: createSigner(Buffer.alloc(32)),
  config: { pay_url: 'https://pay.example' },
} as unknown as Services;
const policy = {
  dunning_days: 14,
  dunning_final_action: 'cancel',
  missed_periods: 'each',
} as const;
const failingRow: Row = { id, merchant_id: id, mode: 'live', past_due_since: daysLater(0) };

it.each<[string, Row, object]>([
  [
    'when it is tried again',
    { status: 'active', next_try_at: daysLater(1), dunning_ends_at: daysLater(14) },
    { kind: 'payment_failed', next_try_at: microsOf(daysLater(1)) },
  ],
  [
    'what happens where it is not',
    { status: 'active', dunning_ends_at: daysLater(14) },
    { kind: 'final_notice', final_action: 'cancel', ends_at: microsOf(daysLater(14)) },
  ],
  [
    'nothing more while it is paused, whatever was planned',
    { status: 'paused', next_try_at: daysLater(1), dunning_ends_at: daysLater(14) },
    { kind: 'payment_failed' },
  ],
])('the email about a failed charge says %s', (_, columns, expectedEmail) => {
  const failure = { charge: { status: 'failed' }, subscription: { ...failingRow, ...columns } };
  const emails = emailsOfFailures(services, [failure], () => policy, now);
  const link_url = expect.stringMatching(/^https:\/\/pay\.example\/s\//);
  expect(emails).toEqual([{ payment: failure.charge, link_url, ...expectedEmail }]);
});

it.each<[string, Row, string[]]>([
  ['its period ends', {}, [daysLater(10)]],
  ['it ends before that', { end_at: daysLater(4) }, [daysLater(4)]],
  ['its period ends before that', { end_at: daysLater(40) }, [daysLater(10)]],
  ['nothing where its end has come', { end_at: daysLater(0) }, []],
])("the email about a cancellation at the period's end has the date %s", (_, columns, endDate) => {
  const rowBefore = { ...failingRow, confirmed: 't', next_billing_at: daysLater(10), ...columns };
  const rowAfter = { ...rowBefore, canceled_at_period_end: 't' };
  const emails = emailsOfPlannedEnd(services, { before: rowBefore, after: rowAfter }, now);
  expect(emails).toEqual(endDate.map((day) => expect.objectContaining({ ends_at: microsOf(day) })));
});
