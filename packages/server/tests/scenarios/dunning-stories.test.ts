import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import {
  begun,
  cancelled,
  drained,
  paused,
  renewed,
  type Story,
  setPolicy,
  storyClock,
  tell,
  upcoming,
} from '../support/story.ts';

const clock = storyClock('2027-01-01T00:00:00Z');
const api = useApi({ config: { clock } });

const begins = (time: string, attributes: object = {}, card?: string): Promise<Story> =>
  tell(
    api.client,
    clock,
    time,
    { amount_cents: 3000, billing_period: 'one_month', ...attributes },
    card,
  );
const daily = { billing_period: 'one_day' };

/** What a renewal comes with that fails, of a subscription that owed nothing. */
const failing = (line: string) => ({
  charges: [`${line} failed`],
  events: ['updated', 'updated', 'past_due'],
});
/** A charge that fails again: it is told of when it is sent, and when it has failed. */
const failsAgain = { events: ['updated', 'updated'] };
const recovers = (line: string) => ({
  charges: [`${line} succeeded`],
  events: ['updated', 'updated', 'recovered'],
});
const idsOf = async (query: string): Promise<string[]> =>
  (await api.client.get(`/v2/payment_subscriptions?${query}`)).body.data.map(
    ({ id }: ResourceObject) => id,
  );

describe('a renewal that is declined for want of money', () => {
  it('is tried daily for a week, and the subscription is paused when it is given up', async () => {
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
    await story.at('2027-02-15 10:00');
    await story.at('2027-02-15 10:05', {
      ...paused,
      shows: { status: 'paused', past_due_since: null },
    });
    expect(await story.letters()).toEqual([
      ...['receipt', 'upcoming_renewal', ...Array(7).fill('payment_failed'), 'final_notice'],
      'subscription_unpaid',
    ]);
    await story.act('cancel');
  });

  it('is paid at once when there is another card, and nothing was billed twice meanwhile', async () => {
    const story = await begins('2027-03-01 10:00', { billing_period: 'seven_days' });
    await story.expects(begun('2027-03-01 10:00 first 3000'));
    await story.giveCard('lost_card');
    await story.expects({ events: ['updated'] });
    await story.at('2027-03-08 10:00', {
      ...failing('2027-03-08 10:00 renewal 3000'),
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

  it('and many that were missed fails once, and they are made up for with another card', async () => {
    const story = await begins('2027-03-20 10:00', daily);
    await story.expects(begun('2027-03-20 10:00 first 3000'));
    await story.giveCard('lost_card');
    await story.expects({ events: ['updated'] });
    await story.at('2027-03-24 10:00', failing('2027-03-24 10:00 renewal 3000'));
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
  ])('and given up is what the merchant says: %s', async (action, shows) => {
    await setPolicy(api.client, { dunning_final_action: action, dunning_days: 3 });
    const month = action === 'cancel' ? '2027-04' : '2027-05';
    const story = await begins(`${month}-01 10:00`, daily);
    await story.expects(begun(`${month}-01 10:00 first 3000`));
    await story.giveCard('stolen_card');
    await story.expects({ events: ['updated'] });
    await story.at(`${month}-02 10:00`, failing(`${month}-02 10:00 renewal 3000`));
    await story.at(`${month}-05 09:59`);
    const again = failing(`${month}-05 10:05 renewal 3000`);
    await story.at(`${month}-05 10:05`, {
      ...(action === 'cancel' ? cancelled : { ...again, events: ['updated', ...again.events] }),
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
  it('of a subscription that was made confirmed ends it, and it says so', async () => {
    await setPolicy(api.client, { dunning_final_action: 'cancel', dunning_days: 3 });
    const story = await begins('2027-05-20 10:00', { confirmed: true }, 'lost_card');
    await story.expects({
      charges: ['2027-05-20 10:00 first 3000 failed'],
      events: ['created', 'updated', 'past_due'],
      shows: { charges_count: 0 },
    });
    await story.at('2027-05-23 10:05', {
      ...cancelled,
      shows: { end_reason: 'first_charge_unpaid' },
    });
    await setPolicy(api.client, { dunning_final_action: 'pause', dunning_days: 14 });
  });

  it('leaves its period unpaid where it was asked to end before', async () => {
    const story = await begins('2027-05-25 10:00', {}, 'lost_card');
    await story.expects({
      charges: ['2027-05-25 10:00 first 3000 failed'],
      events: ['created', 'updated', 'updated'],
    });
    await story.act('cancel');
    expect(await story.periods()).toEqual(['2027-05-25 10:00 – 2027-06-25 10:00 3000 unpaid']);
  });

  it('or is late, with another card, pays for the period that runs then', async () => {
    const story = await begins('2027-06-01 10:00', {}, 'lost_card');
    await story.expects({
      charges: ['2027-06-01 10:00 first 3000 failed'],
      events: ['created', 'updated', 'updated'],
    });
    await story.at('2027-08-10 10:00', { shows: { status: 'pending' } });
    await story.giveCard('visa');
    await story.act('confirm');
    await story.expects({
      charges: ['2027-06-01 10:00 first 3000 succeeded'],
      events: ['updated', 'updated', 'updated'],
      shows: { status: 'active', charges_count: 1 },
    });
    expect(await story.periods()).toEqual(['2027-08-01 10:00 – 2027-09-01 10:00 3000 charged']);
    await story.at('2027-08-25 10:00', upcoming);
    await story.at('2027-09-01 10:00', renewed('2027-09-01 10:00 renewal 3000'));
    await story.act('cancel');
  });
});

describe('a subscription that was paused because a charge was given up', () => {
  const givenUp = async (month: string): Promise<Story> => {
    const story = await begins(`${month}-01 10:00`);
    await story.expects(begun(`${month}-01 10:00 first 3000`));
    await story.giveCard('lost_card');
    await story.expects({ events: ['updated'] });
    return story;
  };

  it('and is resumed in that period has that charge sent again, and is paid for by it', async () => {
    const story = await givenUp('2028-01');
    await story.at('2028-02-01 10:00', failing('2028-02-01 10:00 renewal 3000'));
    await story.at('2028-02-15 10:05', paused);
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

  it('and is resumed after it has the period that runs charged, and none of those before', async () => {
    const story = await givenUp('2028-04');
    await story.at('2028-05-01 10:00', failing('2028-05-01 10:00 renewal 3000'));
    await story.at('2028-05-15 10:05', paused);
    await story.giveCard('visa');
    await story.at('2028-07-10 10:00', { events: ['updated'] });
    await story.act('resume');
    await story.expects({
      charges: ['2028-07-10 10:00 renewal 3000 succeeded'],
      events: ['updated', 'resumed', 'updated', 'updated'],
    });
    expect((await story.periods()).slice(1)).toEqual([
      '2028-05-01 10:00 – 2028-06-01 10:00 3000 unpaid',
      '2028-06-01 10:00 – 2028-07-01 10:00 3000 paused',
      '2028-07-01 10:00 – 2028-08-01 10:00 3000 charged',
    ]);
    await story.act('cancel');
  });
});

describe('the credit of a charge that fails', () => {
  /** Has 500 of credit from a change to 2000 in the middle of its period, and a card that is declined. */
  const withCredit = async (start: string, middle: string): Promise<Story> => {
    const story = await begins(`${start} 00:00`, { billing_period: 'thirty_days' });
    await story.expects(begun(`${start} 00:00 first 3000`));
    await story.at(`${middle} 00:00`);
    await story.change({ amount_cents: 2000 });
    await story.giveCard('lost_card');
    await story.expects({ events: ['updated', 'updated'], shows: { credit_cents: 500 } });
    return story;
  };
  const failsWithCredit = (line: string) => ({
    ...failing(line),
    shows: { credit_cents: 500, charges_count: 1 },
  });

  it('is the subscription’s again, for the next period as for the charge that was given up', async () => {
    await setPolicy(api.client, { dunning_final_action: 'keep', dunning_days: 3 });
    const story = await withCredit('2029-01-01', '2029-01-16');
    await story.at('2029-01-31 00:00', failsWithCredit('2029-01-31 00:00 renewal 1500'));
    await story.at('2029-02-03 00:05', { events: ['updated'], shows: { credit_cents: 500 } });
    await story.giveCard('visa');
    await story.act('confirm');
    await story.expects({
      charges: ['2029-01-31 00:00 renewal 1500 succeeded'],
      events: ['updated', 'updated', 'updated'],
      shows: { credit_cents: 0, charges_count: 2 },
    });
    await setPolicy(api.client, { dunning_final_action: 'pause', dunning_days: 14 });
    expect((await story.periods()).at(-1)).toContain('2000 charged');
    await story.act('cancel');
  });

  it.each([
    ['2029-03-01', '2029-03-16', '2029-03-31', 300, 200, 'leaves the rest of it'],
    ['2029-05-01', '2029-05-16', '2029-05-31', 500, 0, 'is used up'],
    [
      '2029-07-01',
      '2029-07-16',
      '2029-07-31',
      509,
      -9,
      'leaves too little to be charged, which is owed',
    ],
  ])(
    'from %s on %s until %s pays for a price of %s: %s %s',
    async (start, middle, renewal, amount_cents, credit_cents) => {
      const story = await withCredit(start, middle);
      await story.at(`${renewal} 00:00`, failsWithCredit(`${renewal} 00:00 renewal 1500`));
      await story.update({ amount_cents });
      await story.giveCard('visa');
      await story.expects({
        charges: [`${renewal} 00:00 renewal 1500 canceled`],
        events: ['updated', 'updated', 'updated', 'recovered'],
        shows: { credit_cents, charges_count: 2, past_due_since: null, failure_reason: null },
      });
      expect((await story.periods()).at(-1)).toContain(` ${amount_cents} credit`);
      expect((await story.act('confirm')).status).toBe(405);
      await story.act('cancel');
    },
  );

  it('is used anew by the charge for what its subscription costs by then', async () => {
    const story = await withCredit('2029-09-01', '2029-09-16');
    await story.at('2029-10-01 00:00', failsWithCredit('2029-10-01 00:00 renewal 1500'));
    await story.update({ amount_cents: 2500 });
    await story.giveCard('visa');
    await story.expects({
      ...recovers('2029-10-01 00:00 renewal 2000'),
      events: ['updated', 'updated', 'updated', 'updated', 'recovered'],
      shows: { credit_cents: 0 },
    });
    expect((await story.periods()).at(-1)).toContain(' 2500 charged');
    await story.act('cancel');
  });
});

describe('a change whose charge is given up', () => {
  /** Asked for a third into a period of thirty days, with a card that is declined, of a merchant that ends what is not paid. */
  const changed = async (month: string, attributes: object, line: string): Promise<Story> => {
    await setPolicy(api.client, { dunning_final_action: 'cancel', dunning_days: 3 });
    const story = await begins(`${month}-01 00:00`, { billing_period: 'thirty_days' });
    await story.expects(begun(`${month}-01 00:00 first 3000`));
    await story.giveCard('lost_card');
    await story.at(`${month}-11 00:00`, { events: ['updated'] });
    await story.change(attributes);
    await story.expects({
      charges: [`${month}-11 00:00 change ${line} failed`],
      events: ['updated', 'updated', 'past_due'],
    });
    await story.at(`${month}-14 00:05`, { events: ['updated'], shows: { past_due_since: null } });
    return story;
  };

  it('is not paid any more: whoever wants it asks for it again, and pays once', async () => {
    const story = await changed('2030-01', { amount_cents: 6000 }, '2000');
    await story.giveCard('visa');
    expect((await story.act('confirm')).status).toBe(405);
    await story.change({ amount_cents: 6000 });
    await story.expects({
      charges: ['2030-01-14 00:05 change 1699 succeeded'],
      events: ['updated', 'updated', 'updated'],
    });
    const failed = `filter[payment_subscription]=${story.id}&filter[status]=failed`;
    const [charge] = (await api.client.get(`/v2/payment_demands?${failed}`)).body.data;
    const again = await api.client.send('PATCH', `/v2/payment_demands/${charge.id}/confirm`);
    expect([again.status, again.body.errors?.[0]?.detail]).toEqual([
      405,
      expect.stringContaining('Ask for the change again'),
    ]);
    await story.act('cancel');
  });

  it('leaves the period that was paid for as it was, and the next one is of the new length', async () => {
    const yearly = { amount_cents: 30_000, billing_period: 'twelve_months' };
    const story = await changed('2030-04', yearly, '28000');
    const paidFor = '2030-04-01 00:00 – 2030-05-01 00:00 3000 charged';
    expect(await story.periods()).toEqual([paidFor]);
    await story.giveCard('visa');
    await story.at('2030-04-24 10:00', { events: ['updated', ...(upcoming.events ?? [])] });
    await story.at('2030-05-01 00:00', renewed('2030-05-01 00:00 renewal 30000'));
    expect(await story.periods()).toEqual([
      paidFor,
      '2030-05-01 00:00 – 2031-05-01 00:00 30000 charged',
    ]);
    await story.act('cancel');
  });
});
