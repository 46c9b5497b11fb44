import { describe, expect, it } from 'vitest';
import { instantText, microsOf, seconds } from '../../platform/time/clock.ts';
import { occasionOf } from './occasion.ts';

const now = microsOf('2027-01-10T12:00:00Z');
const hoursAgo = (hours: number): string => instantText(now - seconds(hours * 3_600));
const dispute = {
  status: 'needs_response',
  amount_cents: '2500',
  amount_currency: 'USD',
  evidence_due_at: '2027-01-13T12:00:00Z',
};
const webhook = { status: 'active', url: 'https://shop.example.com/hooks?key=secret' };

describe('a due change of a dispute', () => {
  it('reminds of the deadline only while the dispute needs a response', () => {
    expect(occasionOf('evidence_due', dispute, now)).toEqual({
      facts: {
        amount_cents: '2500',
        amount_currency: 'USD',
        evidence_due_at: '2027-01-13T12:00:00.000000Z',
      },
    });
    expect(occasionOf('evidence_due', { ...dispute, status: 'under_review' }, now)).toBe(undefined);
  });

  it.each(['won', 'lost'])('tells that it is %s', (status) => {
    expect(occasionOf('dispute_decided', { ...dispute, status }, now)).toMatchObject({
      facts: { status },
    });
  });
});

describe('a due change of a webhook', () => {
  it('names the host, without the path, which may hold secrets', () => {
    expect(occasionOf('webhook_paused', { ...webhook, status: 'paused' }, now)).toEqual({
      facts: { host: 'shop.example.com' },
    });
  });

  it('leads to nothing after the webhook was accepted again, or resumed', () => {
    expect(occasionOf('webhook_failing', { ...webhook, failing_since: null }, now)).toBe(undefined);
    expect(occasionOf('webhook_paused', webhook, now)).toBe(undefined);
  });

  it('waits until the webhook has failed for a day without a break', () => {
    const failing = (hours: number) => ({ ...webhook, failing_since: hoursAgo(hours) });
    expect(occasionOf('webhook_failing', failing(23), now)).toEqual({
      again_at: now + seconds(3_600),
    });
    expect(occasionOf('webhook_failing', failing(24), now)).toMatchObject({
      facts: { host: 'shop.example.com', failing_since: hoursAgo(24) },
    });
  });
});

it('a settlement difference has the amount that was found, or else the expected one', () => {
  const exception = { found_cents: null, expected_cents: '700', amount_currency: 'EUR' };
  expect(occasionOf('settlement_difference', exception, now)).toEqual({
    facts: { amount_cents: '700', amount_currency: 'EUR' },
  });
});
