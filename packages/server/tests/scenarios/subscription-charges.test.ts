import { withClient } from '@florin/cli/database/client.ts';
import { startServer } from '@florin/dev-env/parts.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instantText, seconds } from '../../src/platform/time/clock.ts';
import { useOwnStack } from '../support/api.ts';
import { type Client, createClient, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  DISPUTED_CENTS,
  eventually,
  makeMethod,
  makeParties,
  makeSubscription,
  waitForDispute,
  waitForOutcome,
} from '../support/make.ts';
import { patch } from '../support/resource-suite.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock } });
const cleanup = new AsyncDisposableStack();
let admin: pg.Pool;
beforeAll(() => {
  admin = new pg.Pool({ connectionString: api.stack.adminDatabaseUrl, max: 1 });
  cleanup.defer(() => admin.end());
});
afterAll(() => cleanup.disposeAsync());

const DAY_S = 24 * 60 * 60;
const PRICE_CENTS = 30_000;

const confirm = (type: string, { id }: ResourceObject, client: Client = api.client) =>
  client.send('PATCH', `/v2/${type}/${id}/confirm`);
const callAction = ({ id }: ResourceObject, action: string, client: Client = api.client) =>
  client.send('PATCH', `/v2/payment_subscriptions/${id}/${action}`);
const reload = ({ id }: ResourceObject) => api.client.fetch('payment_subscriptions', id);

const listCharges = async ({ id }: ResourceObject): Promise<ResourceObject[]> =>
  (await api.client.get(`/v2/payment_demands?filter[payment_subscription]=${id}`)).body.data;
const readCharge = async (subscription: ResourceObject): Promise<ResourceObject> =>
  (await listCharges(subscription))[0] as ResourceObject;
const listSlugs = async ({ id }: ResourceObject): Promise<string[]> =>
  (await api.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at,id`)).body.data.map(
    ({ attributes }: ResourceObject) => attributes.slug,
  );
const waitUntilFailed = (subscription: ResourceObject): Promise<ResourceObject> =>
  eventually(
    () => reload(subscription),
    ({ attributes }) => attributes.failure_reason !== null,
  );

/** Whether a transaction waits for a lock on a subscription. */
const LOCK_WAIT_SQL = `select 1 where exists (select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%payment_subscriptions%')`;
const FINAL_SQL = `exists (select from payment_demands where id = $1 and status in ('succeeded', 'failed'))`;

/** A confirmed subscription with a declined first charge. */
async function makeDeclinedSubscription(attributes: object = {}): Promise<ResourceObject> {
  const parties = await makeParties(api.client, 'insufficient_funds');
  const subscription = await makeSubscription(
    api.client,
    { amount_cents: PRICE_CENTS, billing_period: 'thirty_days', ...attributes },
    parties,
  );
  await confirm('payment_subscriptions', subscription);
  return waitUntilFailed(subscription);
}

/** Gives the subscription a card that is accepted. */
const setGoodCard = async (subscription: ResourceObject): Promise<void> => {
  const payment_method = await makeMethod(api.client);
  expect((await patch(api, subscription, {}, { payment_method })).status).toBe(200);
};

const makeProratedAttributes = () => ({
  billing_cycle_anchor_at: instantText(clock.now() + seconds(3 * DAY_S)),
  proration_behavior: 'create_prorations',
});

describe('a prorated first charge that is declined and retried', () => {
  it("after the anchor pays the current price's share for the days before it, and the first full period is due", async () => {
    const subscription = await makeDeclinedSubscription(makeProratedAttributes());
    const anchor = subscription.attributes.billing_cycle_anchor_at;
    clock.advance(5 * DAY_S);
    await setGoodCard(subscription);
    await patch(api, subscription, { amount_cents: 2 * PRICE_CENTS, discount_cents: 7 });
    await confirm('payment_subscriptions', subscription);
    const charge = await waitForOutcome(api.client, (await readCharge(subscription)).id);
    expect(charge.attributes).toMatchObject({
      status: 'succeeded',
      amount_cents: 6_000,
      discount_cents: 7,
    });
    expect((await reload(subscription)).attributes).toMatchObject({
      status: 'active',
      next_billing_at: anchor,
      current_period_start_at: charge.attributes.created_at,
      current_period_end_at: anchor,
    });
  });
});

it("the bank's authentication of a subscription's price goes with a charge of that price", async () => {
  const threedsResult = { threeds_version: '2.2.0', threeds_status: 'Y', eci: '05' };
  const subscription = await makeSubscription(
    api.client,
    threedsResult,
    await makeParties(api.client),
  );
  await confirm('payment_subscriptions', subscription);
  expect((await readCharge(subscription)).attributes.eci).toBe('05');
});

describe('a charge of a subscription', () => {
  it("refuses a change of its amounts; confirmed itself, it uses its own card and the subscription's price", async () => {
    const subscription = await makeDeclinedSubscription();
    const charge = await readCharge(subscription);
    const changes = { amount_cents: 20_000, discount_cents: 5, line_items: [] };
    for (const [name, value] of Object.entries(changes)) {
      const answer = await patch(api, charge, { [name]: value });
      expect([name, answer.status]).toEqual([name, 405]);
      expect(answer.body.errors?.[0]).toMatchObject({
        code: 'invalid_state',
        detail: expect.stringContaining(subscription.id),
      });
    }
    expect((await readCharge(subscription)).attributes.amount_cents).toBe(PRICE_CENTS);

    await patch(api, subscription, { amount_cents: 31_000 });
    await patch(api, charge, {}, { payment_method: await makeMethod(api.client) });
    const answer = await confirm('payment_demands', charge);
    expect([answer.status, answer.body.data.id]).toEqual([200, charge.id]);
    expect((await waitForOutcome(api.client, charge.id)).attributes).toMatchObject({
      status: 'succeeded',
      amount_cents: 31_000,
    });
    expect((await reload(subscription)).attributes.status).toBe('active');
  });

  it('that failed is not retried automatically after a pause or a cancel, nor by its subscription', async () => {
    const subscription = await makeDeclinedSubscription({
      confirmed: true,
      idempotency_key: 'declined before',
    });
    const charge = await readCharge(subscription);
    for (const action of ['pause', 'cancel']) {
      expect((await callAction(subscription, action)).status).toBe(200);
      if (action === 'pause') await setGoodCard(subscription);
      for (const answer of [
        await confirm('payment_demands', charge),
        await confirm('payment_subscriptions', subscription),
      ]) {
        expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([405, 'invalid_state']);
      }
      expect((await readCharge(subscription)).attributes.status).toBe('failed');
    }
  });

  it('that was disputed pays for its time once, also after the dispute is won', async () => {
    const subscription = await makeSubscription(
      api.client,
      { confirmed: true, amount_cents: DISPUTED_CENTS, billing_period: 'one_month' },
      await makeParties(api.client),
    );
    const charge = await waitForOutcome(api.client, (await readCharge(subscription)).id);
    const dispute = await waitForDispute(api.client, charge.id);
    const stateBefore = [(await reload(subscription)).attributes, await listSlugs(subscription)];
    clock.advance(5 * DAY_S);
    await patch(api, dispute, { uncategorized_text: 'They came.' });
    await api.client.send('PATCH', `/v2/disputes/${dispute.id}/submit`);
    await eventually(
      () => api.client.fetch('disputes', dispute.id),
      ({ attributes }) => attributes.status === 'won',
    );
    expect((await readCharge(subscription)).attributes.status).toBe('succeeded');
    expect([(await reload(subscription)).attributes, await listSlugs(subscription)]).toEqual(
      stateBefore,
    );
  });

  it('that cannot be stored prevents its subscription, and the key can be used again', async () => {
    await admin.query(`create function refuse_charge() returns trigger language plpgsql as
      $$ begin raise exception 'refused' using errcode = 'check_violation'; end $$`);
    await admin.query(`create trigger refuse before insert on payment_demands for each row
      when (new.payment_subscription_id is not null) execute function refuse_charge()`);
    const parties = await makeParties(api.client);
    const attributes = { confirmed: true, slug: 'half_made', idempotency_key: 'half made' };
    const creation = makeSubscription(api.client, attributes, parties);
    await expect(creation).rejects.toThrow('internal');
    await admin.query('drop trigger refuse on payment_demands');
    const { body } = await api.client.get('/v2/payment_subscriptions?filter[slug]=half_made');
    expect(body.data).toEqual([]);
    const subscription = await makeSubscription(api.client, attributes, parties);
    expect(await listCharges(subscription)).toHaveLength(1);
  });
});

describe('while the vault or the network is away', () => {
  it('a charge of a subscription that is cancelled before it, or while it is claimed, is not sent', async () => {
    const parties = await makeParties(api.client);
    const makeConfirmed = (key: string) =>
      makeSubscription(api.client, { confirmed: true, idempotency_key: key }, parties);
    await api.stack.stop('vault');
    const [earlySubscription, claimedSubscription] = [
      await makeConfirmed('cancelled in time'),
      await makeConfirmed('meanwhile'),
    ];
    expect((await callAction(earlySubscription, 'cancel')).status).toBe(200);
    const chargeIds = [
      (await readCharge(earlySubscription)).id,
      (await readCharge(claimedSubscription)).id,
    ] as const;
    await withClient(api.stack.adminDatabaseUrl, async (canceller) => {
      await canceller.query('begin');
      await canceller.query(`update payment_subscriptions set status = 'cancelled' where id = $1`, [
        claimedSubscription.id,
      ]);
      await api.stack.start('vault');
      clock.advance(60);
      await eventually(
        async () =>
          (await admin.query(`${LOCK_WAIT_SQL} or ${FINAL_SQL}`, [chargeIds[1]])).rowCount,
        (waiterCount) => waiterCount === 1,
      );
      await canceller.query('commit');
    });
    for (const id of chargeIds) {
      expect((await waitForOutcome(api.client, id)).attributes).toMatchObject({
        status: 'failed',
        failure_reason: 'subscription_cancelled',
      });
      const sql = `select status from attempts where payment_demand_id = $1 and status <> 'not_sent'`;
      expect((await admin.query(sql, [id])).rows).toEqual([]);
    }
    expect((await reload(earlySubscription)).attributes.status).toBe('cancelled');
  });

  it('a charge that waits to be sent again does not count as a retry', async () => {
    const subscription = await makeDeclinedSubscription();
    await setGoodCard(subscription);
    await api.stack.stop('simulator');
    await confirm('payment_subscriptions', subscription);
    const eventSlugs = await listSlugs(subscription);
    const charge = await readCharge(subscription);
    const countUnsent = async (): Promise<number> => {
      const sql = 'select unsent_count from payment_demands where id = $1';
      return (await admin.query(sql, [charge.id])).rows[0].unsent_count;
    };
    for (const count of [1, 2]) {
      await eventually(countUnsent, (unsentCount) => unsentCount >= count);
      clock.advance(5);
    }
    expect(await listSlugs(subscription)).toEqual(eventSlugs);
    await api.stack.start('simulator');
    clock.advance(60);
    expect((await waitForOutcome(api.client, charge.id)).attributes.status).toBe('succeeded');
  });
});

it('a cancellation and a concurrent retry over two servers: one succeeds, and nothing is charged afterwards', async () => {
  const { stack } = api;
  const server = cleanup.use(
    await startServer({ ...stack, port: 0, socketPath: stack.vaultSocket }, { clock }),
  );
  const secondClient = createClient(server.url, stack.credentials.sandbox.secret_key);
  for (let round = 0; round < 2; round++) {
    const subscription = await makeDeclinedSubscription();
    const [retryAnswer, cancelAnswer] = await Promise.all([
      confirm('payment_subscriptions', subscription),
      callAction(subscription, 'cancel', secondClient),
    ]);
    expect([cancelAnswer.status, [200, 405].includes(retryAnswer.status)]).toEqual([200, true]);
    const charge = await waitForOutcome(api.client, (await readCharge(subscription)).id);
    expect(charge.attributes.status).toBe('failed');
    const failures = (await listSlugs(charge)).filter((slug) => slug === 'failed').length;
    expect(failures).toBe(retryAnswer.status === 200 ? 2 : 1);
    expect((await reload(subscription)).attributes.status).toBe('cancelled');
  }
});
