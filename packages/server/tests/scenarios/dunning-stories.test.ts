import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import {
  cancellationChanges,
  createStoryClock,
  type ExpectedChanges,
  failedRenewalChanges,
  firstChargeChanges,
  pauseChanges,
  renewalChanges,
  type Story,
  setPolicy,
  startStory,
  withCardChange,
} from '../support/story-clock.ts';

const clock = createStoryClock('2027-01-01T00:00:00Z');
const api = useOwnStack({ config: { clock } });

const startStoryAt = (time: string, attributes: object = {}, card?: string): Promise<Story> =>
  startStory(
    api.client,
    clock,
    time,
    { amount_cents: 3000, billing_period: 'one_month', ...attributes },
    card,
  );
const daily = { billing_period: 'one_day' };

/** Events of another failing charge: when it is sent, and when it has failed. */
const retryFailedChanges = { events: ['updated', 'updated'] };
/** Events when a charge is given up, and of the final action. */
const toGivenUpChanges = ({
  events = [],
  subscription = {},
}: ExpectedChanges): ExpectedChanges => ({
  events: events.toSpliced(1, 0, 'unpaid'),
  subscription,
});
const listIds = async (query: string): Promise<string[]> =>
  (await api.client.get(`/v2/payment_subscriptions?${query}`)).body.data.map(
    ({ id }: ResourceObject) => id,
  );

describe('a renewal that fails until it is given up', () => {
  it('pauses its subscription, which pays that charge if it resumes in time', async () => {
    const story = await startStoryAt('2027-01-01 10:00');
    await story.expectChanges(firstChargeChanges('2027-01-01 10:00 first 3000'));
    await story.setCard('insufficient_funds');
    await story.at('2027-01-25 10:00', { events: ['updated', 'upcoming'] });
    await story.at('2027-02-01 10:00', {
      ...failedRenewalChanges('2027-02-01 10:00 renewal 3000'),
      subscription: { status: 'active', failure_reason: 'insufficient_funds', charges_count: 1 },
    });
    expect(await listIds('filter[past_due_since][gte]=2027-02-01&sort=past_due_since')).toEqual([
      story.id,
    ]);
    await story.at('2027-02-02 10:02', retryFailedChanges);
    await story.at('2027-02-15 10:05', {
      ...toGivenUpChanges(pauseChanges),
      subscription: { status: 'paused', past_due_since: null },
    });
    expect(await story.readEmails()).toEqual([
      ...['receipt', 'upcoming_renewal', 'payment_failed', 'payment_failed'],
      'subscription_unpaid',
    ]);

    await story.setCard('visa');
    await story.at('2027-02-20 10:00', { events: ['updated'] });
    await story.callAction('resume');
    await story.expectChanges({
      charges: ['2027-02-01 10:00 renewal 3000 succeeded'],
      events: ['updated', 'resumed', 'past_due', 'updated', 'updated', 'recovered'],
      subscription: { past_due_since: null, charges_count: 2 },
    });

    expect((await story.readPeriods()).slice(1)).toEqual([
      '2027-02-01 10:00 – 2027-03-01 10:00 3000 charged',
    ]);
    await story.callAction('cancel');
  });

  it('stays unpaid if the merchant keeps the subscription, and ends it if the merchant cancels', async () => {
    await setPolicy(api.client, { dunning_final_action: 'keep', dunning_days: 3 });
    const story = await startStoryAt('2027-06-01 10:00', daily);
    await story.expectChanges(firstChargeChanges('2027-06-01 10:00 first 3000'));
    await story.setCard('stolen_card');
    await story.at(
      '2027-06-02 10:00',
      withCardChange(failedRenewalChanges('2027-06-02 10:00 renewal 3000')),
    );
    const secondFailure = failedRenewalChanges('2027-06-05 10:05 renewal 3000');
    await story.at('2027-06-05 10:05', {
      ...secondFailure,
      events: ['updated', 'unpaid', ...secondFailure.events],
      subscription: {
        status: 'active',
        past_due_since: expect.stringMatching(/^2027-06-05T10:05/),
      },
    });
    expect(await story.readEmails()).toEqual(['receipt', 'payment_failed', 'payment_failed']);

    await setPolicy(api.client, { dunning_final_action: 'cancel' });
    await story.at('2027-06-08 10:10', {
      ...toGivenUpChanges(cancellationChanges),
      subscription: { status: 'cancelled', next_billing_at: null, end_reason: 'unpaid' },
    });
    expect(await listIds('filter[end_reason]=unpaid')).toEqual([story.id]);
    expect((await story.readEmails()).at(-1)).toBe('subscription_unpaid');
    expect(await story.readPeriods()).toEqual([
      '2027-06-01 10:00 – 2027-06-02 10:00 3000 charged',
      '2027-06-02 10:00 – 2027-06-03 10:00 3000 unpaid',
      '2027-06-03 10:00 – 2027-06-05 10:00 6000 unpaid',
      '2027-06-05 10:00 – 2027-06-06 10:00 3000 unpaid',
    ]);
    await setPolicy(api.client, { dunning_final_action: 'pause', dunning_days: 14 });
  });
});

describe('a renewal that fails with several missed periods', () => {
  it('fails once; it blocks a second pause; another card pays all periods, each once', async () => {
    const story = await startStoryAt('2027-07-01 10:00', daily);
    await story.expectChanges(firstChargeChanges('2027-07-01 10:00 first 3000'));
    await story.setCard('lost_card');
    await story.at('2027-07-04 10:00', {
      ...withCardChange(failedRenewalChanges('2027-07-04 10:00 renewal 3000')),
      subscription: { next_try_at: null },
    });
    const statuses: number[] = [];
    for (const action of ['pause', 'resume', 'pause']) {
      statuses.push((await story.callAction(action)).status);
    }
    expect(statuses).toEqual([200, 200, 405]);
    await story.expectChanges({
      events: ['updated', 'paused', 'updated', 'resumed', ...retryFailedChanges.events],
    });
    await story.setCard('mastercard');
    await story.expectChanges({
      charges: [
        '2027-07-04 10:00 renewal 3000 succeeded',
        ...Array(2).fill('2027-07-04 10:00 renewal 3000 succeeded'),
      ],
      events: ['updated', 'updated', 'updated', 'recovered', ...Array(4).fill('updated')],
      subscription: {
        past_due_since: null,
        next_billing_at: expect.stringMatching(/^2027-07-05T10:00/),
      },
    });
    const days = ['01', '02', '03', '04'];
    expect((await story.readPeriods()).map((line) => line.replace(/ –.*00 /, ' '))).toEqual(
      days.map((day) => `2027-07-${day} 10:00 charged`),
    );
    expect((await story.callAction('pause')).status).toBe(200);
    await story.callAction('cancel');
  });
});

describe('a first charge that is never paid', () => {
  it('ends a subscription that was created confirmed, with an event', async () => {
    await setPolicy(api.client, { dunning_final_action: 'cancel', dunning_days: 3 });
    const story = await startStoryAt('2027-07-20 10:00', { confirmed: true }, 'lost_card');
    await story.expectChanges({
      charges: ['2027-07-20 10:00 first 3000 failed'],
      events: ['created', 'updated', 'past_due'],
      subscription: { charges_count: 0 },
    });
    await story.at('2027-07-23 10:05', {
      ...toGivenUpChanges(cancellationChanges),
      subscription: { end_reason: 'first_charge_unpaid' },
    });
    await setPolicy(api.client, { dunning_final_action: 'pause', dunning_days: 14 });
  });

  it('leaves its period unpaid if the subscription was to end before', async () => {
    const story = await startStoryAt('2027-07-25 10:00', {}, 'lost_card');
    await story.expectChanges({
      charges: ['2027-07-25 10:00 first 3000 failed'],
      events: ['created', 'updated', 'updated'],
    });
    await story.callAction('cancel');
    expect(await story.readPeriods()).toEqual(['2027-07-25 10:00 – 2027-08-25 10:00 3000 unpaid']);
  });

  it('that succeeds late with another card pays for the running period', async () => {
    const story = await startStoryAt('2027-08-01 10:00', daily, 'lost_card');
    await story.expectChanges({
      charges: ['2027-08-01 10:00 first 3000 failed'],
      events: ['created', 'updated', 'updated'],
      subscription: { dunning_ends_at: expect.stringMatching(/^2027-08-15T10:0/) },
    });
    await story.at('2027-08-10 11:00', { subscription: { status: 'pending' } });
    await story.setCard('visa');
    await story.callAction('confirm');
    await story.expectChanges({
      charges: ['2027-08-01 10:00 first 3000 succeeded'],
      events: ['updated', 'updated', 'updated'],
      subscription: { status: 'active', charges_count: 1, dunning_ends_at: null },
    });
    expect(await story.readPeriods()).toEqual(['2027-08-10 10:00 – 2027-08-11 10:00 3000 charged']);
    await story.at('2027-08-11 10:00', renewalChanges('2027-08-11 10:00 renewal 3000'));
    await story.callAction('cancel');
  });

  it('ends a pending subscription in time, whatever the retries', async () => {
    await setPolicy(api.client, { dunning_final_action: 'keep', dunning_days: 3 });
    const story = await startStoryAt('2027-08-20 10:00', {}, 'lost_card');
    await story.expectChanges({
      charges: ['2027-08-20 10:00 first 3000 failed'],
      events: ['created', 'updated', 'updated'],
    });
    await story.at('2027-08-22 10:00');
    await story.callAction('confirm');
    await story.expectChanges(retryFailedChanges);
    await story.at('2027-08-23 10:05', {
      ...toGivenUpChanges(cancellationChanges),
      subscription: { end_reason: 'first_charge_unpaid', dunning_ends_at: null },
    });
    expect(await story.readPeriods()).toEqual(['2027-08-20 10:00 – 2027-09-20 10:00 3000 unpaid']);
    expect(await story.readEmails()).toEqual([]);
    await setPolicy(api.client, { dunning_final_action: 'pause', dunning_days: 14 });
  });
});

describe('a subscription paused during dunning', () => {
  it('is neither retried nor given up during the pause; afterwards it is, and owes the time before the pause', async () => {
    const story = await startStoryAt('2028-09-01 10:00', { ...daily, amount_cents: 100 });
    await story.expectChanges(firstChargeChanges('2028-09-01 10:00 first 100'));
    await story.setCard('insufficient_funds');
    await story.at(
      '2028-09-02 10:00',
      withCardChange(failedRenewalChanges('2028-09-02 10:00 renewal 100')),
    );
    await story.at('2028-09-03 11:00', retryFailedChanges);
    await story.callAction('pause');
    await story.at('2028-10-03 22:00', {
      ...pauseChanges,
      subscription: { past_due_since: expect.stringMatching(/^2028-09-02T10:0/) },
    });
    await story.setCard('visa');
    await story.callAction('resume');
    await story.expectChanges({
      charges: [
        '2028-09-02 10:00 renewal 100 succeeded',
        '2028-10-03 22:00 renewal 100 succeeded',
        '2028-10-03 22:00 renewal 50 succeeded',
      ],
      events: [
        ...['updated', 'updated', 'resumed', 'updated', 'updated', 'recovered'],
        ...Array(4).fill('updated'),
      ],
    });
    expect((await story.readPeriods()).slice(1)).toEqual([
      '2028-09-02 10:00 – 2028-09-03 10:00 100 charged',
      '2028-09-03 10:00 – 2028-09-04 10:00 100 charged',
      '2028-09-04 10:00 – 2028-10-03 22:00 2950 paused',
      '2028-10-03 22:00 – 2028-10-04 10:00 50 charged',
    ]);
    await story.callAction('cancel');
  });
});

describe('a change whose charge is given up', () => {
  /** A subscription with a change a third into its period of thirty days, and a declined card. */
  const startChangeStory = async (
    month: string,
    attributes: object,
    line: string,
  ): Promise<Story> => {
    await setPolicy(api.client, { dunning_final_action: 'cancel', dunning_days: 3 });
    const story = await startStoryAt(`${month}-01 00:00`, { billing_period: 'thirty_days' });
    await story.expectChanges(firstChargeChanges(`${month}-01 00:00 first 3000`));
    await story.setCard('lost_card');
    await story.at(`${month}-11 00:00`, { events: ['updated'] });
    await story.change(attributes);
    await story.expectChanges({
      charges: [`${month}-11 00:00 change ${line} failed`],
      events: ['updated', 'updated', 'past_due'],
    });
    return story;
  };
  const givenUpChanges = { events: ['updated', 'unpaid'] };

  it('is reverted, except for a price that was set since; a new request for it is paid once', async () => {
    const story = await startChangeStory('2030-01', { amount_cents: 6000 }, '2000');
    await story.at('2030-01-14 00:05', {
      ...givenUpChanges,
      subscription: { past_due_since: null, amount_cents: 3000 },
    });
    await story.setCard('visa');
    expect((await story.callAction('confirm')).status).toBe(405);
    await story.change({ amount_cents: 6000 });
    await story.expectChanges({
      charges: ['2030-01-14 00:05 change 1699 succeeded'],
      events: ['updated', 'updated', 'updated'],
    });
    const filter = `filter[payment_subscription]=${story.id}&filter[status]=failed`;
    const [charge] = (await api.client.get(`/v2/payment_demands?${filter}`)).body.data;
    const secondFailure = await api.client.send(
      'PATCH',
      `/v2/payment_demands/${charge.id}/confirm`,
    );
    expect([secondFailure.status, secondFailure.body.errors?.[0]?.detail]).toEqual([
      405,
      expect.stringContaining('Ask for the change again'),
    ]);

    await story.setCard('lost_card');
    await story.change({ amount_cents: 9000 });
    await story.expectChanges({
      charges: ['2030-01-14 00:05 change 1700 failed'],
      events: ['updated', 'updated', 'updated', 'past_due'],
    });
    await story.update({ amount_cents: 4000 });
    await story.at('2030-01-17 00:10', {
      events: ['updated', ...givenUpChanges.events],
      subscription: { amount_cents: 4000 },
    });
    await story.callAction('cancel');
  });

  it('of price and period refuses another price meanwhile, and the same one changes nothing', async () => {
    const yearly = { amount_cents: 30_000, billing_period: 'twelve_months' };
    const story = await startChangeStory('2030-06', yearly, '28000');
    await story.update({ amount_cents: 30_000, description: 'Yearly' });
    await story.expectChanges({ events: ['updated'] });
    const { id } = story;
    const document = documentOf('payment_subscriptions', { amount_cents: 20_000 }, {}, id);
    const path = `/v2/payment_subscriptions/${id}`;
    const { status, body } = await api.client.send('PATCH', path, document);
    expect([status, body.errors?.[0]]).toMatchObject([
      405,
      { code: 'invalid_state', detail: expect.stringContaining('is being charged') },
    ]);
    await story.callAction('cancel');
  });
});
