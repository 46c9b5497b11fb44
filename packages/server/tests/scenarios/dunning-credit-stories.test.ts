import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { documentOf } from '../support/client.ts';
import {
  begun,
  failing,
  recovers,
  renewed,
  type Story,
  setPolicy,
  storyClock,
  tell,
  upcoming,
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

describe('the credit of a failed charge', () => {
  /** A subscription with a credit of 500, from a change to 2000 in mid-period, and a declined card. */
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

  it('returns to the subscription when the charge is given up, for the next period', async () => {
    await setPolicy(api.client, { dunning_final_action: 'keep', dunning_days: 3 });
    const story = await withCredit('2029-01-01', '2029-01-16');
    await story.at('2029-01-31 00:00', failsWithCredit('2029-01-31 00:00 renewal 1500'));
    await story.at('2029-02-03 00:05', {
      events: ['updated', 'unpaid'],
      shows: { credit_cents: 500 },
    });
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

  it("is used again by the charge at the subscription's current price", async () => {
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
  const before = { amount_cents: 3000, billing_period: 'thirty_days' };
  interface Meanwhile {
    /** Action while the charge of the change keeps failing. */
    readonly meanwhile?: (story: Story) => Promise<void>;
    /** Attributes of the subscription afterwards. */
    readonly shows?: object;
  }
  /**
   * A change a third into a period of thirty days, with a declined card and a merchant that cancels unpaid
   * subscriptions.
   */
  const changed = async (
    month: string,
    attributes: object,
    line: string,
    { meanwhile, shows = before }: Meanwhile = {},
  ): Promise<Story> => {
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
    await meanwhile?.(story);
    await story.at(`${month}-14 00:05`, {
      events: ['updated', 'unpaid'],
      shows: { past_due_since: null, ...shows },
    });
    return story;
  };
  const yearly = { amount_cents: 30_000, billing_period: 'twelve_months' };

  it('is no longer paid: a new request for it is paid once', async () => {
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

  it('is reverted, except for a price that was set since', async () => {
    const story = await changed('2030-02', { amount_cents: 6000 }, '2000');
    await story.giveCard('visa');
    await story.at('2030-02-24 10:00', { events: ['updated', ...(upcoming.events ?? [])] });
    await story.at('2030-03-03 00:00', renewed('2030-03-03 00:00 renewal 3000'));
    await story.giveCard('lost_card');
    await story.change({ amount_cents: 6000 });
    await story.expects({
      charges: ['2030-03-03 00:00 change 3000 failed'],
      events: ['updated', 'updated', 'updated', 'past_due'],
    });
    await story.update({ amount_cents: 4000 });
    await story.at('2030-03-06 00:05', {
      events: ['updated', 'updated', 'unpaid'],
      shows: { amount_cents: 4000 },
    });
    await story.act('cancel');
  });

  it('leaves the paid period, the price and the next period unchanged', async () => {
    const story = await changed('2030-04', yearly, '28000');
    const paidFor = '2030-04-01 00:00 – 2030-05-01 00:00 3000 charged';
    expect(await story.periods()).toEqual([paidFor]);
    await story.giveCard('visa');
    await story.at('2030-04-24 10:00', { events: ['updated', ...(upcoming.events ?? [])] });
    await story.at('2030-05-01 00:00', renewed('2030-05-01 00:00 renewal 3000'));
    expect(await story.periods()).toEqual([
      paidFor,
      '2030-05-01 00:00 – 2030-05-31 00:00 3000 charged',
    ]);
    await story.act('cancel');
  });

  it('reverts price and period together: another price is refused meanwhile, and the same one changes nothing', async () => {
    const meanwhile = async (story: Story): Promise<void> => {
      await story.update({ amount_cents: 30_000, description: 'Yearly' });
      await story.expects({ events: ['updated'] });
      const { id } = story;
      const document = documentOf('payment_subscriptions', { amount_cents: 20_000 }, {}, id);
      const path = `/v2/payment_subscriptions/${id}`;
      const { status, body } = await api.client.send('PATCH', path, document);
      expect([status, body.errors?.[0]]).toMatchObject([
        405,
        { code: 'invalid_state', detail: expect.stringContaining('is being paid') },
      ]);
    };
    const story = await changed('2030-06', yearly, '28000', { meanwhile });
    await story.giveCard('visa');
    await story.at('2030-06-24 10:00', { events: ['updated', ...(upcoming.events ?? [])] });
    await story.at('2030-07-01 00:00', renewed('2030-07-01 00:00 renewal 3000'));
    await story.act('cancel');
  });

  it('from before previous plans were stored is billed in full after the paid period', async () => {
    const meanwhile = async ({ id }: Story): Promise<void> => {
      await api.books.db.query(
        `update payment_subscriptions set prior_amount_cents = null, prior_billing_period = null,
           prior_anchor_at = null where id = $1`,
        [id],
      );
    };
    const story = await changed('2030-08', yearly, '28000', { meanwhile, shows: yearly });
    await story.giveCard('visa');
    await story.at('2030-08-24 10:00', { events: ['updated', ...(upcoming.events ?? [])] });
    await story.at('2030-08-31 00:00', renewed('2030-08-31 00:00 renewal 30000'));
    await story.act('cancel');
  });
});
