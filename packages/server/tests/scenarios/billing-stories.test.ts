import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { documentOf } from '../support/client.ts';
import {
  begun,
  cancelled,
  paused,
  renewed,
  resumed,
  type Story,
  setPolicy,
  storyClock,
  tell,
  upcoming,
} from '../support/story-clock.ts';

const clock = storyClock('2026-12-31T00:00:00Z');
const api = useOwnStack({ config: { clock } });

const begins = (time: string, attributes: object, card?: string): Promise<Story> =>
  tell(
    api.client,
    clock,
    time,
    { amount_cents: 3000, billing_period: 'one_month', ...attributes },
    card,
  );

describe('a trial that ends', () => {
  const inPeriod = {
    billing_period: 'thirty_days',
    billing_cycle_anchor_at: '2027-01-01T10:00:00Z',
    trial_end_at: '2027-01-16T10:00:00Z',
  };
  it('within a period is followed by the rest of the period, with prorations', async () => {
    const story = await begins('2027-01-01 00:00', {
      ...inPeriod,
      proration_behavior: 'create_prorations',
    });
    await story.expects({ events: ['created', 'updated'], shows: { status: 'active' } });
    await story.at('2027-01-16 09:59', upcoming);
    await story.at('2027-01-16 10:00', renewed('2027-01-16 10:00 proration 1500'));
    await story.at('2027-01-31 10:00', renewed('2027-01-31 10:00 renewal 3000'));
    expect(await story.periods()).toEqual([
      '2027-01-16 10:00 – 2027-01-31 10:00 1500 charged',
      '2027-01-31 10:00 – 2027-03-02 10:00 3000 charged',
    ]);
    await story.act('cancel');
  });
  it('within a period is followed by the next period without prorations', async () => {
    const later = {
      ...inPeriod,
      billing_cycle_anchor_at: '2027-03-03T10:00:00Z',
      trial_end_at: '2027-03-18T10:00:00Z',
    };
    const story = await begins('2027-03-03 00:00', later);
    await story.expects({ events: ['created', 'updated'], shows: { status: 'active' } });
    await story.at('2027-03-18 10:00');
    await story.at('2027-04-02 09:59', upcoming);
    await story.at('2027-04-02 10:00', renewed('2027-04-02 10:00 first 3000'));
    await story.act('cancel');
  });
  it('cannot be longer than the subscription', async () => {
    const times = { trial_end_at: '2027-06-01T00:00:00Z', end_at: '2027-06-01T00:00:00Z' };
    await expect(begins('2027-04-03 00:00', times)).rejects.toThrow('/data/attributes/end_at');
    const story = await begins('2027-04-03 01:00', { trial_end_at: times.trial_end_at });
    const { end_at } = times;
    const document = documentOf('payment_subscriptions', { end_at }, {}, story.id);
    const path = `/v2/payment_subscriptions/${story.id}`;
    const { status, body } = await api.client.send('PATCH', path, document);
    expect([status, body.errors?.[0]?.source]).toEqual([
      422,
      { pointer: '/data/attributes/end_at' },
    ]);
    await story.act('cancel');
  });
});

describe('a pause', () => {
  it('over a billing time only skips its own time', async () => {
    const story = await begins('2027-05-01 10:00', { billing_period: 'thirty_days' });
    await story.expects(begun('2027-05-01 10:00 first 3000'));
    await story.at('2027-05-24 10:00', upcoming);
    await story.at('2027-05-31 09:00');
    await story.act('pause');
    await story.at('2027-05-31 11:00', paused);
    await story.act('resume');
    await story.expects({
      charges: ['2027-05-31 11:00 renewal 2996 succeeded'],
      events: [...(resumed.events ?? []), 'updated', 'updated'],
      shows: { charges_count: 2, next_billing_at: expect.stringMatching(/^2027-06-30T10:00/) },
    });
    expect(await story.periods()).toEqual([
      '2027-05-01 10:00 – 2027-05-31 10:00 3000 charged',
      '2027-05-31 10:00 – 2027-05-31 11:00 4 paused',
      '2027-05-31 11:00 – 2027-06-30 10:00 2996 charged',
    ]);
    await story.act('cancel');
  });

  it('within a paid period costs and refunds nothing', async () => {
    const story = await begins('2027-06-01 10:00', { billing_period: 'thirty_days' });
    await story.expects(begun('2027-06-01 10:00 first 3000'));
    await story.act('pause');
    await story.at('2027-06-20 10:00', paused);
    await story.act('resume');
    await story.expects({
      ...resumed,
      shows: { next_billing_at: expect.stringMatching(/^2027-07-01T10:00/) },
    });
    await story.act('cancel');
  });
});

describe('months from the 31st', () => {
  it('are charged on the last day of each month, through a leap day, once each', async () => {
    const story = await begins('2027-10-31 10:00', {});
    await story.expects(begun('2027-10-31 10:00 first 3000'));
    const days = ['2027-11-30', '2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31'];
    await story.at('2027-11-24 10:00', upcoming);
    for (const day of days) {
      await story.at(`${day} 10:00`, renewed(`${day} 10:00 renewal 3000`));
    }
    expect(await story.periods()).toEqual(
      ['2027-10-31', ...days].map(
        (day, at) => `${day} 10:00 – ${[...days, '2028-04-30'][at]} 10:00 3000 charged`,
      ),
    );
    expect(new Set(await story.letters())).toEqual(new Set(['receipt', 'upcoming_renewal']));
    await story.act('cancel');
    await story.expects({
      ...cancelled,
      shows: { status: 'cancelled', end_reason: 'merchant' },
    });
  });
});

describe('a weekly period in Berlin', () => {
  it('is charged at ten in the morning there, before and after each clock change', async () => {
    const berlin = { billing_period: 'seven_days', billing_timezone: 'Europe/Berlin' };
    const spring = await begins('2029-03-20 09:00', berlin);
    await spring.expects(begun('2029-03-20 09:00 first 3000'));
    await spring.at('2029-03-27 07:59');
    await spring.at('2029-03-27 08:00', renewed('2029-03-27 08:00 renewal 3000'));
    await spring.act('cancel');
    const autumn = await begins('2029-10-23 08:00', berlin);
    await autumn.expects(begun('2029-10-23 08:00 first 3000'));
    await autumn.at('2029-10-30 08:59');
    await autumn.at('2029-10-30 09:00', renewed('2029-10-30 09:00 renewal 3000'));
    await autumn.act('cancel');
  });
});

describe('a trial', () => {
  it('is charged at its end; a pause skips charges and ends with its period, as its email said', async () => {
    const story = await begins('2030-01-01 10:00', { trial_end_at: '2030-01-31T10:00:00Z' });
    await story.expects({ events: ['created', 'updated'], shows: { status: 'active' } });
    await story.at('2030-01-31 09:59', upcoming);
    await story.at('2030-01-31 10:00', renewed('2030-01-31 10:00 first 3000'));
    await story.act('pause');
    await story.expects(paused);
    await story.at('2030-04-10 10:00');
    await story.act('resume');
    await story.expects({
      charges: ['2030-04-10 10:00 renewal 2000 succeeded'],
      events: [...(resumed.events ?? []), 'updated', 'updated'],
      shows: { status: 'active', next_billing_at: '2030-04-30T10:00:00.000000Z' },
    });
    await story.at('2030-04-23 10:00', upcoming);
    await story.at('2030-04-30 10:00', renewed('2030-04-30 10:00 renewal 3000'));
    await story.update({ canceled_at_period_end: true });
    await story.at('2030-05-31 09:59', { events: ['updated'] });
    await story.at('2030-05-31 10:00', { ...cancelled, shows: { end_reason: 'merchant' } });
    expect(await story.periods()).toEqual([
      '2030-01-31 10:00 – 2030-02-28 10:00 3000 charged',
      '2030-02-28 10:00 – 2030-04-10 10:00 4000 paused',
      '2030-04-10 10:00 – 2030-04-30 10:00 2000 charged',
      '2030-04-30 10:00 – 2030-05-31 10:00 3000 charged',
    ]);
    expect(await story.letters()).toEqual([
      ...['trial_ending', 'receipt', 'receipt', 'upcoming_renewal', 'receipt'],
      ...['subscription_ending', 'subscription_cancelled'],
    ]);
  });
});

describe('a change', () => {
  it('costs the rest of the period at the new price minus the old one, as its preview said', async () => {
    const story = await begins('2030-06-01 00:00', { billing_period: 'thirty_days' });
    await story.expects(begun('2030-06-01 00:00 first 3000'));
    await story.at('2030-06-16 00:00');
    const asked = { amount_cents: 6000 };
    const preview = await story.change({ ...asked, dry_run: true });
    await story.expects({});
    expect(preview.attributes).toMatchObject({
      charged_cents: 1500,
      credit_cents: 0,
      next_amount_cents: 6000,
    });
    const made = await story.change(asked);
    await story.expects({
      charges: ['2030-06-16 00:00 change 1500 succeeded'],
      events: ['updated', 'updated'],
      shows: { amount_cents: 6000, credit_cents: 0 },
    });
    const figures = ['charged_cents', 'credit_cents', 'next_amount_cents', 'next_billing_at'];
    for (const name of figures) expect(made.attributes[name]).toEqual(preview.attributes[name]);
    await story.at('2030-06-24 10:00', upcoming);
    await story.at('2030-07-01 00:00', renewed('2030-07-01 00:00 renewal 6000'));
  });

  it('to a lower price leaves credit, which later charges use, to the cent', async () => {
    const story = await begins('2030-07-02 00:00', {
      billing_period: 'thirty_days',
      amount_cents: 3001,
    });
    await story.expects(begun('2030-07-02 00:00 first 3001'));
    await story.at('2030-07-12 00:00');
    const { attributes } = await story.change({ amount_cents: 500 });
    expect(attributes).toMatchObject({
      charged_cents: 0,
      credit_cents: 1668,
      next_amount_cents: 0,
    });
    await story.at('2030-07-25 10:00', { events: ['updated', 'upcoming'] });
    await story.at('2030-08-01 00:00', { events: ['updated'], shows: { credit_cents: 1168 } });
    await story.at('2030-08-31 00:00', {
      events: ['updated'],
      shows: { credit_cents: 668 },
    });
    await story.at('2030-09-30 00:00', {
      events: ['updated'],
      shows: { credit_cents: 168 },
    });
    await story.at('2030-10-30 00:00', {
      charges: ['2030-10-30 00:00 renewal 332 succeeded'],
      events: ['updated', 'updated'],
      shows: { credit_cents: 0 },
    });
    expect(await story.periods()).toEqual([
      '2030-07-02 00:00 – 2030-08-01 00:00 3001 charged',
      '2030-08-01 00:00 – 2030-08-31 00:00 500 credit',
      '2030-08-31 00:00 – 2030-09-30 00:00 500 credit',
      '2030-09-30 00:00 – 2030-10-30 00:00 500 credit',
      '2030-10-30 00:00 – 2030-11-29 00:00 500 charged',
    ]);
    await story.act('cancel');
  });

  it('by two concurrent requests applies once: a change in payment cannot change', async () => {
    const story = await begins('2030-11-30 00:00', { billing_period: 'thirty_days' });
    await story.expects(begun('2030-11-30 00:00 first 3000'));
    const payment_subscription = { type: 'payment_subscriptions', id: story.id };
    const yearly = { billing_period: 'twelve_months', amount_cents: 30_000 };
    const document = documentOf('subscription_changes', yearly, { payment_subscription });
    const ask = () => api.client.send('POST', '/v2/subscription_changes', document);
    const answers = await Promise.all([ask(), ask(), ask()]);
    // A request after the charge's outcome finds nothing to change and costs nothing.
    const made = answers.filter(({ status }) => status === 201).length;
    expect(made).toBeGreaterThan(0);
    await story.expects({
      charges: ['2030-11-30 00:00 change 27000 succeeded'],
      events: Array(1 + made).fill('updated'),
    });
    await story.act('cancel');
  });

  it('of the period starts a new one, minus the rest of the old one', async () => {
    const story = await begins('2030-12-01 00:00', { billing_period: 'thirty_days' });
    await story.expects(begun('2030-12-01 00:00 first 3000'));
    await story.at('2030-12-21 00:00');
    await story.change({ billing_period: 'twelve_months', amount_cents: 30_000 });
    await story.expects({
      charges: ['2030-12-21 00:00 change 29000 succeeded'],
      events: ['updated', 'updated'],
      shows: { billing_period: 'twelve_months', charges_count: 2 },
    });
    expect((await story.periods()).map((line) => line.replace(/\d\d:\d\d/g, ''))).toEqual([
      '2030-12-01  – 2030-12-21  3000 charged',
      '2030-12-21  – 2031-12-21  30000 charged',
    ]);
    await story.act('cancel');
  });
});

describe('a week without any billing', () => {
  const daily = { billing_period: 'one_day' };
  it('is billed afterwards, one charge per day', async () => {
    const story = await begins('2031-06-01 10:00', daily);
    await story.expects(begun('2031-06-01 10:00 first 3000'));
    await story.at('2031-06-08 10:00', {
      charges: Array(7).fill('2031-06-08 10:00 renewal 3000 succeeded'),
      events: Array(14).fill('updated'),
      shows: { next_billing_at: expect.stringMatching(/^2031-06-09T10:00/) },
    });
    expect(await story.periods()).toHaveLength(8);
    await story.act('cancel');
  });

  it('is billed for the last day only if the merchant wants that', async () => {
    await setPolicy(api.client, { missed_periods: 'latest' });
    const story = await begins('2031-07-01 10:00', daily);
    await story.expects(begun('2031-07-01 10:00 first 3000'));
    await story.at('2031-07-08 10:00', renewed('2031-07-08 10:00 renewal 3000'));
    await setPolicy(api.client, { missed_periods: 'each' });
    expect(await story.periods()).toEqual([
      '2031-07-01 10:00 – 2031-07-02 10:00 3000 charged',
      '2031-07-02 10:00 – 2031-07-08 10:00 18000 missed',
      '2031-07-08 10:00 – 2031-07-09 10:00 3000 charged',
    ]);
    await story.act('cancel');
  });
});

describe('the end of a subscription', () => {
  it('comes after its number of charges, when the last period is over', async () => {
    const story = await begins('2031-08-01 10:00', { charges_max: 2, billing_period: 'one_day' });
    await story.expects(begun('2031-08-01 10:00 first 3000'));
    await story.at('2031-08-02 10:00', renewed('2031-08-02 10:00 renewal 3000'));
    await story.at('2031-08-03 09:59', { shows: { status: 'active' } });
    await story.at('2031-08-03 10:00', { ...cancelled, shows: { end_reason: 'charges_max' } });
  });
  it('comes at its set time, also while paused', async () => {
    const end_at = '2031-09-02T12:00:00.000000Z';
    const story = await begins('2031-09-01 10:00', { end_at, billing_period: 'one_month' });
    await story.expects(begun('2031-09-01 10:00 first 3000'));
    await story.act('pause');
    await story.at('2031-09-02 11:59', paused);
    await story.at('2031-09-02 12:00', { ...cancelled, shows: { end_reason: 'end_at' } });
  });
  it('while paused waits as long as billing is deferred', async () => {
    const end_at = '2031-10-02T12:00:00.000000Z';
    const story = await begins('2031-10-01 10:00', { end_at });
    await story.expects(begun('2031-10-01 10:00 first 3000'));
    await story.act('pause');
    await story.expects(paused);
    await api.books.db.query(
      'update payment_subscriptions set put_aside_until = $2 where id = $1',
      [story.id, '2031-10-02T13:00:00Z'],
    );
    await story.at('2031-10-02 12:59');
    await story.at('2031-10-02 13:00', { ...cancelled, shows: { end_reason: 'end_at' } });
  });
});
