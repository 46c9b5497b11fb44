import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { documentOf } from '../support/client.ts';
import {
  cancellationChanges,
  createStoryClock,
  failedRenewalChanges,
  firstChargeChanges,
  pauseChanges,
  renewalChanges,
  resumeChanges,
  type Story,
  setPolicy,
  startStory,
  upcomingChanges,
} from '../support/story-clock.ts';

const clock = createStoryClock('2026-12-31T00:00:00Z');
const api = useOwnStack({ config: { clock } });

const startStoryAt = (time: string, attributes: object, card?: string): Promise<Story> =>
  startStory(
    api.client,
    clock,
    time,
    { amount_cents: 3000, billing_period: 'one_month', ...attributes },
    card,
  );

describe('a trial', () => {
  it('pays for the rest of its period; pauses skip charges and end with a period, as an email says', async () => {
    const story = await startStoryAt('2027-01-01 00:00', {
      billing_period: 'thirty_days',
      billing_cycle_anchor_at: '2027-01-01T10:00:00Z',
      trial_end_at: '2027-01-16T10:00:00Z',
      proration_behavior: 'create_prorations',
    });
    await story.expectChanges({
      events: ['created', 'updated'],
      subscription: { status: 'active' },
    });
    await story.at('2027-01-16 09:59', upcomingChanges);
    await story.at('2027-01-16 10:00', renewalChanges('2027-01-16 10:00 proration 1500'));
    await story.callAction('pause');
    await story.expectChanges(pauseChanges);
    await story.at('2027-01-20 10:00');
    await story.callAction('resume');
    await story.expectChanges({
      ...resumeChanges,
      subscription: { next_billing_at: expect.stringMatching(/^2027-01-31T10:00/) },
    });

    await story.callAction('pause');
    await story.at('2027-04-11 10:00', pauseChanges);
    await story.callAction('resume');
    await story.expectChanges({
      charges: ['2027-04-11 10:00 renewal 2000 succeeded'],
      events: [...(resumeChanges.events ?? []), 'updated', 'updated'],
      subscription: { status: 'active', next_billing_at: '2027-05-01T10:00:00.000000Z' },
    });
    await story.at('2027-04-24 10:00', upcomingChanges);
    await story.at('2027-05-01 10:00', renewalChanges('2027-05-01 10:00 renewal 3000'));
    await story.update({ canceled_at_period_end: true });
    await story.at('2027-05-31 10:00', {
      events: ['updated', ...(cancellationChanges.events ?? [])],
      subscription: { end_reason: 'merchant' },
    });
    expect(await story.readPeriods()).toEqual([
      '2027-01-16 10:00 – 2027-01-31 10:00 1500 charged',
      '2027-01-31 10:00 – 2027-04-11 10:00 7000 paused',
      '2027-04-11 10:00 – 2027-05-01 10:00 2000 charged',
      '2027-05-01 10:00 – 2027-05-31 10:00 3000 charged',
    ]);
    expect(await story.readEmails()).toEqual([
      ...['trial_ending', 'receipt', 'receipt', 'upcoming_renewal', 'receipt'],
      ...['subscription_ending', 'subscription_cancelled'],
    ]);
  });

  it('cannot be longer than the subscription', async () => {
    const times = { trial_end_at: '2027-11-01T00:00:00Z', end_at: '2027-11-01T00:00:00Z' };
    await expect(startStoryAt('2027-10-02 00:00', times)).rejects.toThrow(
      '/data/attributes/end_at',
    );
    const story = await startStoryAt('2027-10-02 01:00', { trial_end_at: times.trial_end_at });
    const { end_at } = times;
    const document = documentOf('payment_subscriptions', { end_at }, {}, story.id);
    const path = `/v2/payment_subscriptions/${story.id}`;
    const { status, body } = await api.client.send('PATCH', path, document);
    expect([status, body.errors?.[0]?.source]).toEqual([
      422,
      { pointer: '/data/attributes/end_at' },
    ]);
    await story.callAction('cancel');
  });
});

describe('months from the 31st in Berlin', () => {
  it("end at ten in the morning there on each month's last day, through a leap day and a clock change, until all charges were made", async () => {
    const attributes = { billing_timezone: 'Europe/Berlin', charges_max: 2 };
    const story = await startStoryAt('2028-01-31 09:00', attributes);
    await story.expectChanges(firstChargeChanges('2028-01-31 09:00 first 3000'));
    await story.at('2028-02-29 09:00', renewalChanges('2028-02-29 09:00 renewal 3000'));
    expect(await story.readPeriods()).toEqual([
      '2028-01-31 09:00 – 2028-02-29 09:00 3000 charged',
      '2028-02-29 09:00 – 2028-03-31 08:00 3000 charged',
    ]);
    await story.at('2028-03-31 08:00', {
      ...cancellationChanges,
      subscription: { end_reason: 'charges_max' },
    });
  });
});

describe('the credit of a failed charge', () => {
  it("pays for the period alone at the subscription's current price, and the rest is owed", async () => {
    const story = await startStoryAt('2029-03-01 00:00', { billing_period: 'thirty_days' });
    await story.expectChanges(firstChargeChanges('2029-03-01 00:00 first 3000'));
    await story.at('2029-03-16 00:00');
    await story.change({ amount_cents: 2000 });
    await story.setCard('lost_card');
    await story.at('2029-03-31 00:00', {
      charges: ['2029-03-31 00:00 renewal 1500 failed'],
      events: ['updated', 'updated', ...failedRenewalChanges('').events],
      subscription: { credit_cents: 500, charges_count: 1 },
    });
    await story.update({ amount_cents: 509 });
    await story.setCard('visa');
    await story.expectChanges({
      charges: ['2029-03-31 00:00 renewal 1500 canceled'],
      events: ['updated', 'updated', 'updated', 'recovered'],
      subscription: {
        credit_cents: -9,
        charges_count: 2,
        past_due_since: null,
        failure_reason: null,
      },
    });
    expect((await story.readPeriods()).at(-1)).toContain(' 509 credit');
    expect((await story.callAction('confirm')).status).toBe(405);
    await story.callAction('cancel');
  });
});

describe('changes of a subscription', () => {
  it('cost what their preview said, leave credit to the cent, and apply once', async () => {
    const story = await startStoryAt('2030-06-01 00:00', { billing_period: 'thirty_days' });
    await story.expectChanges(firstChargeChanges('2030-06-01 00:00 first 3000'));
    await story.at('2030-06-16 00:00');
    const requestedPlan = { amount_cents: 6000 };
    const preview = await story.change({ ...requestedPlan, dry_run: true });
    await story.expectChanges({});
    expect(preview.attributes).toMatchObject({
      charged_cents: 1500,
      credit_cents: 0,
      next_amount_cents: 6000,
    });
    const change = await story.change(requestedPlan);
    await story.expectChanges({
      charges: ['2030-06-16 00:00 change 1500 succeeded'],
      events: ['updated', 'updated'],
      subscription: { amount_cents: 6000, credit_cents: 0 },
    });
    const attributeNames = [
      'charged_cents',
      'credit_cents',
      'next_amount_cents',
      'next_billing_at',
    ];
    for (const name of attributeNames)
      expect(change.attributes[name]).toEqual(preview.attributes[name]);
    await story.at('2030-07-01 00:00', renewalChanges('2030-07-01 00:00 renewal 6000'));

    await story.at('2030-07-11 00:00');
    const reduction = await story.change({ amount_cents: 1999 });
    expect(reduction.attributes).toMatchObject({
      charged_cents: 0,
      credit_cents: 2667,
      next_amount_cents: 0,
    });
    await story.at('2030-07-31 00:00', {
      events: ['updated', 'updated'],
      subscription: { credit_cents: 668 },
    });
    await story.at('2030-08-30 00:00', {
      charges: ['2030-08-30 00:00 renewal 1331 succeeded'],
      events: ['updated', 'updated'],
      subscription: { credit_cents: 0, charges_count: 4 },
    });

    await story.at('2030-09-09 00:00');
    const payment_subscription = { type: 'payment_subscriptions', id: story.id };
    const yearly = { billing_period: 'twelve_months', amount_cents: 30_000 };
    const document = documentOf('subscription_changes', yearly, { payment_subscription });
    const requestChange = () => api.client.send('POST', '/v2/subscription_changes', document);
    const answers = await Promise.all([requestChange(), requestChange(), requestChange()]);
    // A request after the charge's outcome finds nothing to change and costs nothing.
    const acceptedCount = answers.filter(({ status }) => status === 201).length;
    expect(acceptedCount).toBeGreaterThan(0);
    await story.expectChanges({
      charges: ['2030-09-09 00:00 change 28667 succeeded'],
      events: Array(1 + acceptedCount).fill('updated'),
      subscription: { billing_period: 'twelve_months', charges_count: 5 },
    });
    expect((await story.readPeriods()).map((line) => line.replace(/ \d\d:\d\d/g, ''))).toEqual([
      '2030-06-01 – 2030-07-01 3000 charged',
      '2030-07-01 – 2030-07-31 6000 charged',
      '2030-07-31 – 2030-08-30 1999 credit',
      '2030-08-30 – 2030-09-09 1999 charged',
      '2030-09-09 – 2031-09-09 30000 charged',
    ]);
    await story.callAction('cancel');
  });
});

describe('some days without any billing', () => {
  it('are billed for the last day only, as the merchant wants', async () => {
    const story = await startStoryAt('2031-06-01 10:00', { billing_period: 'one_day' });
    await story.expectChanges(firstChargeChanges('2031-06-01 10:00 first 3000'));
    await setPolicy(api.client, { missed_periods: 'latest' });
    await story.at('2031-06-08 10:00', renewalChanges('2031-06-08 10:00 renewal 3000'));
    await setPolicy(api.client, { missed_periods: 'each' });
    expect((await story.readPeriods()).slice(1)).toEqual([
      '2031-06-02 10:00 – 2031-06-08 10:00 18000 missed',
      '2031-06-08 10:00 – 2031-06-09 10:00 3000 charged',
    ]);
    await story.callAction('cancel');
  });
});

describe('the end of a subscription', () => {
  it('comes at its set time also while paused, but not while billing is deferred', async () => {
    const end_at = '2031-09-02T12:00:00.000000Z';
    const story = await startStoryAt('2031-09-01 10:00', { end_at });
    await story.expectChanges(firstChargeChanges('2031-09-01 10:00 first 3000'));
    await story.callAction('pause');
    await story.expectChanges(pauseChanges);
    await api.fixtures.db.query(
      'update payment_subscriptions set put_aside_until = $2 where id = $1',
      [story.id, '2031-09-02T13:00:00Z'],
    );
    await story.at('2031-09-02 12:59');
    await story.at('2031-09-02 13:00', {
      ...cancellationChanges,
      subscription: { end_reason: 'end_at' },
    });
  });
});
