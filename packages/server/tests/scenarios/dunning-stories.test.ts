import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import {
  afterCardChange,
  begun,
  type Chapter,
  cancelled,
  drained,
  failing,
  paused,
  renewed,
  type Story,
  setPolicy,
  storyClock,
  tell,
} from '../support/story-clock.ts';

const clock = storyClock('2027-01-01T00:00:00Z');
const api = useOwnStack({ config: { clock } });

const begins = (time: string, attributes: object = {}, card?: string): Promise<Story> =>
  tell(
    api.client,
    clock,
    time,
    { amount_cents: 3000, billing_period: 'one_month', ...attributes },
    card,
  );
const daily = { billing_period: 'one_day' };

/** Events of another failing charge: when it is sent, and when it has failed. */
const failsAgain = { events: ['updated', 'updated'] };
/** Events when a charge is given up, and of the final action. */
const givesUp = ({ events = [], shows = {} }: Chapter): Chapter => ({
  events: events.toSpliced(1, 0, 'unpaid'),
  shows,
});
const idsOf = async (query: string): Promise<string[]> =>
  (await api.client.get(`/v2/payment_subscriptions?${query}`)).body.data.map(
    ({ id }: ResourceObject) => id,
  );

describe('a renewal declined for insufficient funds', () => {
  it('is retried daily for a week, and then the subscription is paused', async () => {
    const story = await begins('2027-01-01 10:00');
    await story.expects(begun('2027-01-01 10:00 first 3000'));
    await story.giveCard('insufficient_funds');
    await story.at('2027-01-25 10:00', { events: ['updated', 'upcoming'] });
    await story.at('2027-02-01 10:00', {
      ...failing('2027-02-01 10:00 renewal 3000'),
      shows: { status: 'active', failure_reason: 'insufficient_funds', charges_count: 1 },
    });
    expect(await idsOf('filter[past_due_since][gte]=2027-02-01&sort=past_due_since')).toEqual([
      story.id,
    ]);
    for (let day = 2; day <= 8; day++) {
      await story.at(`2027-02-0${day} 10:0${day}`, failsAgain);
    }
    await story.at('2027-02-15 09:59');
    await story.at('2027-02-15 10:05', {
      ...givesUp(paused),
      shows: { status: 'paused', past_due_since: null },
    });
    expect(await story.letters()).toEqual([
      ...['receipt', 'upcoming_renewal', ...Array(7).fill('payment_failed'), 'final_notice'],
      'subscription_unpaid',
    ]);
    await story.act('cancel');
  });

  it('is paid immediately with another card, and nothing is billed twice', async () => {
    const story = await begins('2027-03-01 10:00', { billing_period: 'seven_days' });
    await story.expects(begun('2027-03-01 10:00 first 3000'));
    await story.giveCard('lost_card');
    await story.at('2027-03-08 10:00', {
      ...afterCardChange(failing('2027-03-08 10:00 renewal 3000')),
      shows: { next_try_at: null },
    });
    await story.at('2027-03-16 12:00');
    await story.giveCard('mastercard');
    await story.expects({
      charges: [
        '2027-03-08 10:00 renewal 3000 succeeded',
        '2027-03-16 12:00 renewal 3000 succeeded',
      ],
      events: ['updated', 'updated', 'updated', 'recovered', 'updated', 'updated'],
      shows: { past_due_since: null, next_billing_at: expect.stringMatching(/^2027-03-22T10:00/) },
    });
    await story.act('cancel');
  });

  it('fails once for many missed periods, which another card pays later', async () => {
    const story = await begins('2027-03-20 10:00', daily);
    await story.expects(begun('2027-03-20 10:00 first 3000'));
    await story.giveCard('lost_card');
    await story.at('2027-03-24 10:00', afterCardChange(failing('2027-03-24 10:00 renewal 3000')));
    await story.giveCard('visa');
    await drained(api.client);
    const { body } = await api.client.get(
      `/v2/payment_demands?filter[payment_subscription]=${story.id}`,
    );
    expect(body.data.map(({ attributes }: ResourceObject) => attributes.status)).toEqual(
      Array(5).fill('succeeded'),
    );
    await story.act('cancel');
  });

  it.each([
    ['cancel', { status: 'cancelled', next_billing_at: null, end_reason: 'unpaid' }],
    ['keep', { status: 'active', past_due_since: expect.stringMatching(/^2027-05-05T10:05/) }],
  ])('that is given up ends as the merchant configured: %s', async (action, shows) => {
    await setPolicy(api.client, { dunning_final_action: action, dunning_days: 3 });
    const month = action === 'cancel' ? '2027-04' : '2027-05';
    const story = await begins(`${month}-01 10:00`, daily);
    await story.expects(begun(`${month}-01 10:00 first 3000`));
    await story.giveCard('stolen_card');
    await story.at(`${month}-02 10:00`, afterCardChange(failing(`${month}-02 10:00 renewal 3000`)));
    await story.at(`${month}-05 09:59`);
    const again = failing(`${month}-05 10:05 renewal 3000`);
    await story.at(`${month}-05 10:05`, {
      ...(action === 'cancel'
        ? givesUp(cancelled)
        : { ...again, events: ['updated', 'unpaid', ...again.events] }),
      shows,
    });
    await setPolicy(api.client, { dunning_final_action: 'pause', dunning_days: 14 });
    const lines = (await story.periods()).map((line) => line.slice(8));
    if (action === 'keep') {
      expect(lines).toEqual([
        `01 10:00 – ${month}-02 10:00 3000 charged`,
        `02 10:00 – ${month}-03 10:00 3000 unpaid`,
        `03 10:00 – ${month}-05 10:00 6000 unpaid`,
        `05 10:00 – ${month}-06 10:00 3000 charged`,
      ]);
      expect(await story.letters()).toEqual(['receipt', 'payment_failed', 'payment_failed']);
      await story.act('cancel');
      expect((await story.periods()).at(-1)).toContain('unpaid');
    } else {
      expect(lines.at(-1)).toBe(`02 10:00 – ${month}-03 10:00 3000 unpaid`);
      expect(await idsOf('filter[end_reason]=unpaid')).toEqual([story.id]);
      expect(await story.letters()).toEqual(['receipt', 'final_notice', 'subscription_unpaid']);
    }
  });
});

describe('a first charge that is never paid', () => {
  it('ends a subscription that was created confirmed, with an event', async () => {
    await setPolicy(api.client, { dunning_final_action: 'cancel', dunning_days: 3 });
    const story = await begins('2027-05-20 10:00', { confirmed: true }, 'lost_card');
    await story.expects({
      charges: ['2027-05-20 10:00 first 3000 failed'],
      events: ['created', 'updated', 'past_due'],
      shows: { charges_count: 0 },
    });
    await story.at('2027-05-23 10:05', {
      ...givesUp(cancelled),
      shows: { end_reason: 'first_charge_unpaid' },
    });
    await setPolicy(api.client, { dunning_final_action: 'pause', dunning_days: 14 });
  });

  it('leaves its period unpaid if the subscription was to end before', async () => {
    const story = await begins('2027-05-25 10:00', {}, 'lost_card');
    await story.expects({
      charges: ['2027-05-25 10:00 first 3000 failed'],
      events: ['created', 'updated', 'updated'],
    });
    await story.act('cancel');
    expect(await story.periods()).toEqual(['2027-05-25 10:00 – 2027-06-25 10:00 3000 unpaid']);
  });

  it('that succeeds late with another card pays for the running period', async () => {
    const story = await begins('2027-08-01 10:00', daily, 'lost_card');
    await story.expects({
      charges: ['2027-08-01 10:00 first 3000 failed'],
      events: ['created', 'updated', 'updated'],
      shows: { dunning_ends_at: expect.stringMatching(/^2027-08-15T10:0/) },
    });
    await story.at('2027-08-10 11:00', { shows: { status: 'pending' } });
    await story.giveCard('visa');
    await story.act('confirm');
    await story.expects({
      charges: ['2027-08-01 10:00 first 3000 succeeded'],
      events: ['updated', 'updated', 'updated'],
      shows: { status: 'active', charges_count: 1, dunning_ends_at: null },
    });
    expect(await story.periods()).toEqual(['2027-08-10 10:00 – 2027-08-11 10:00 3000 charged']);
    await story.at('2027-08-11 10:00', renewed('2027-08-11 10:00 renewal 3000'));
    await story.act('cancel');
  });

  it('ends a pending subscription in time, whatever the retries', async () => {
    await setPolicy(api.client, { dunning_final_action: 'keep', dunning_days: 3 });
    const story = await begins('2027-08-20 10:00', {}, 'lost_card');
    await story.expects({
      charges: ['2027-08-20 10:00 first 3000 failed'],
      events: ['created', 'updated', 'updated'],
    });
    await story.at('2027-08-22 10:00');
    await story.act('confirm');
    await story.expects(failsAgain);
    await story.at('2027-08-23 09:59', { shows: { status: 'pending' } });
    await story.at('2027-08-23 10:05', {
      ...givesUp(cancelled),
      shows: { end_reason: 'first_charge_unpaid', dunning_ends_at: null },
    });
    expect(await story.periods()).toEqual(['2027-08-20 10:00 – 2027-09-20 10:00 3000 unpaid']);
    expect(await story.letters()).toEqual([]);
    await setPolicy(api.client, { dunning_final_action: 'pause', dunning_days: 14 });
  });
});

describe('a subscription paused after a given-up charge', () => {
  const givenUp = async (month: string): Promise<Story> => {
    const story = await begins(`${month}-01 10:00`);
    await story.expects(begun(`${month}-01 10:00 first 3000`));
    await story.giveCard('lost_card');
    return story;
  };

  it('that resumes in the same period sends that charge again, and is paid by it', async () => {
    const story = await givenUp('2028-01');
    await story.at('2028-02-01 10:00', afterCardChange(failing('2028-02-01 10:00 renewal 3000')));
    await story.at('2028-02-15 10:05', givesUp(paused));
    await story.giveCard('visa');
    await story.at('2028-02-20 10:00', { events: ['updated'] });
    await story.act('resume');
    await story.expects({
      charges: ['2028-02-01 10:00 renewal 3000 succeeded'],
      events: ['updated', 'resumed', 'past_due', 'updated', 'updated', 'recovered'],
      shows: { past_due_since: null, charges_count: 2 },
    });
    expect((await story.periods()).at(-1)).toBe('2028-02-01 10:00 – 2028-03-01 10:00 3000 charged');
    await story.act('cancel');
  });

  it('that resumes later is charged for the rest of the running period only', async () => {
    const story = await givenUp('2028-04');
    await story.at('2028-05-01 10:00', afterCardChange(failing('2028-05-01 10:00 renewal 3000')));
    await story.at('2028-05-15 10:05', givesUp(paused));
    await story.giveCard('visa');
    await story.at('2028-07-10 10:00', { events: ['updated'] });
    await story.act('resume');
    await story.expects({
      charges: ['2028-07-10 10:00 renewal 2129 succeeded'],
      events: ['updated', 'resumed', 'updated', 'updated'],
    });
    expect((await story.periods()).slice(1)).toEqual([
      '2028-05-01 10:00 – 2028-06-01 10:00 3000 unpaid',
      '2028-06-01 10:00 – 2028-07-10 10:00 3871 paused',
      '2028-07-10 10:00 – 2028-08-01 10:00 2129 charged',
    ]);
    await story.act('cancel');
  });
});

describe('a subscription paused during dunning', () => {
  it('is neither retried nor given up during the pause; afterwards it is, and owes the time before the pause', async () => {
    const story = await begins('2028-09-01 10:00', { ...daily, amount_cents: 100 });
    await story.expects(begun('2028-09-01 10:00 first 100'));
    await story.giveCard('insufficient_funds');
    await story.at('2028-09-02 10:00', afterCardChange(failing('2028-09-02 10:00 renewal 100')));
    await story.at('2028-09-03 11:00', failsAgain);
    await story.act('pause');
    await story.at('2028-10-03 22:00', {
      ...paused,
      shows: { past_due_since: expect.stringMatching(/^2028-09-02T10:0/) },
    });
    await story.giveCard('visa');
    await story.act('resume');
    await story.expects({
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
    expect((await story.periods()).slice(1)).toEqual([
      '2028-09-02 10:00 – 2028-09-03 10:00 100 charged',
      '2028-09-03 10:00 – 2028-09-04 10:00 100 charged',
      '2028-09-04 10:00 – 2028-10-03 22:00 2950 paused',
      '2028-10-03 22:00 – 2028-10-04 10:00 50 charged',
    ]);
    await story.act('cancel');
  });

  it('is not paused again until the earlier periods are paid', async () => {
    const story = await begins('2028-10-05 10:00', { ...daily, amount_cents: 100 });
    await story.expects(begun('2028-10-05 10:00 first 100'));
    await story.giveCard('lost_card');
    await story.at('2028-10-06 10:00', afterCardChange(failing('2028-10-06 10:00 renewal 100')));
    await story.at('2028-10-15 12:00');
    const asked = ['pause', 'resume', 'pause'].map((action) => () => story.act(action));
    const statuses: number[] = [];
    for (const ask of asked) statuses.push((await ask()).status);
    expect(statuses).toEqual([200, 200, 405]);
    await story.giveCard('visa');
    await drained(api.client);
    const days = ['06', '07', '08', '09', '10', '11', '12', '13', '14', '15'];
    expect((await story.periods()).slice(1).map((line) => line.replace(/ –.*00 /, ' '))).toEqual(
      days.map((day) => `2028-10-${day} 10:00 charged`),
    );
    expect((await story.act('pause')).status).toBe(200);
    await story.act('cancel');
  });

  it('has a day after the pause, if it was to be given up during it', async () => {
    const story = await begins('2028-11-01 10:00');
    await story.expects(begun('2028-11-01 10:00 first 3000'));
    await story.giveCard('lost_card');
    await story.at('2028-11-24 10:00', { events: ['updated', 'upcoming'] });
    await story.at('2028-12-01 10:00', failing('2028-12-01 10:00 renewal 3000'));
    await story.act('pause');
    await story.at('2028-12-20 10:00', paused);
    await story.act('resume');
    await story.expects({
      events: ['updated', 'resumed', 'updated', 'updated'],
      shows: { dunning_ends_at: expect.stringMatching(/^2028-12-21T10:0/) },
    });
    await story.at('2028-12-21 10:05', givesUp(paused));
    await story.act('cancel');
  });
});
