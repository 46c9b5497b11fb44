import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeDemand,
  makeMethod,
  makeParties,
  makeSubscription,
  waitForOutcome,
} from '../support/make.ts';
import { patch } from '../support/resource-suite.ts';

const clock = createClockAhead();
/** Amount whose response the network delays. */
const LATE_CENTS = 8_800;
const api = useOwnStack({
  config: { clock },
  faults: ({ amount }) => (amount === LATE_CENTS ? 'delay:300' : undefined),
});
let database: pg.Pool;
beforeAll(() => {
  database = new pg.Pool({ connectionString: api.stack.adminDatabaseUrl, max: 2 });
  database.on('error', () => {});
});
afterAll(() => database.end());

const POLL_OPTIONS = { timeout: 15_000 };
const tokenOf = ({ attributes }: ResourceObject): string => attributes.card_pan_token;
const discard = ({ id }: ResourceObject) =>
  api.client.send('PATCH', `/v2/payment_methods/${id}/discard`);
/** Discards cards and lets the time pass in which they could still be needed. */
async function discardAll(...methods: ResourceObject[]): Promise<void> {
  for (const method of methods) expect((await discard(method)).status).toBe(200);
  await makeDueNow();
}
const isStored = async (method: ResourceObject): Promise<boolean> =>
  (await database.query('select from vault.cards where token = $1', [tokenOf(method)])).rowCount ===
  1;
const countDiscarded = async (): Promise<number | null> =>
  (await database.query('select from discarded_cards')).rowCount;
async function makeDueNow(): Promise<void> {
  await database.query(`update discarded_cards set due_at = now() - interval '1 second'`);
  clock.wake();
}

/** The subscription's first payment may still need the card at the first turn, and at later ones. */
async function isStoredOnceDue(method: ResourceObject): Promise<boolean> {
  await makeDueNow();
  return isStored(method);
}

/** Another payment method with the same card. */
const makeDuplicate = (method: ResourceObject): Promise<ResourceObject> =>
  api.client.make('payment_methods', sameCard(method));
const sameCard = (method: ResourceObject) => ({
  card_pan_token: tokenOf(method),
  expiry_month: 12,
  expiry_year: 2031,
});

describe('the card of a discarded payment method', () => {
  it('is destroyed in the vault, and no other one', async () => {
    const [discardedMethod, otherMethod] = [
      await makeMethod(api.client),
      await makeMethod(api.client),
    ];
    await discardAll(discardedMethod);
    await expect.poll(() => isStored(discardedMethod), POLL_OPTIONS).toBe(false);
    await expect.poll(countDiscarded, POLL_OPTIONS).toBe(0);
    expect(await isStored(otherMethod)).toBe(true);
  });

  it('stays while another payment method uses it, and is destroyed with the last ones, also concurrently', async () => {
    const method = await makeMethod(api.client);
    const duplicates = [await makeDuplicate(method), await makeDuplicate(method)];
    await discardAll(method);
    await expect.poll(countDiscarded, POLL_OPTIONS).toBe(0);
    expect(await isStored(method)).toBe(true);
    await discardAll(...duplicates);
    await expect.poll(() => isStored(method), POLL_OPTIONS).toBe(false);
    await expect.poll(countDiscarded, POLL_OPTIONS).toBe(0);
  });

  it('waits for a payment in progress', async () => {
    const parties = await makeParties(api.client);
    const method = parties.payment_method as ResourceObject;
    const attributes = { amount_cents: LATE_CENTS, confirmed: true };
    const payment = await makeDemand(api.client, attributes, parties);
    await eventually(
      () => api.client.fetch('payment_demands', payment.id),
      ({ attributes }) => attributes.status === 'processing',
    );
    await discardAll(method);
    expect((await waitForOutcome(api.client, payment.id)).attributes).toMatchObject({
      status: 'succeeded',
      failure_reason: null,
    });
    await makeDueNow();
    await expect.poll(() => isStored(method), POLL_OPTIONS).toBe(false);
  });

  it('is destroyed by the next server if the first one has crashed', async () => {
    const method = await makeMethod(api.client);
    expect((await discard(method)).status).toBe(200);
    await api.stack.stop('server');
    await makeDueNow();
    expect(await isStored(method)).toBe(true);
    await api.stack.start('server');
    await expect.poll(() => isStored(method), POLL_OPTIONS).toBe(false);
  });

  it('is destroyed later if the vault is away', async () => {
    const method = await makeMethod(api.client);
    await api.stack.stop('vault');
    await discardAll(method);
    await expect
      .poll(
        async () =>
          (await database.query('select from discarded_cards where due_at > now()')).rowCount,
        POLL_OPTIONS,
      )
      .toBe(1);
    await api.stack.start('vault');
    await makeDueNow();
    await expect.poll(() => isStored(method), POLL_OPTIONS).toBe(false);
  });

  it('is not destroyed before five minutes have passed', async () => {
    const method = await makeMethod(api.client);
    await discard(method);
    const { rows } = await database.query(
      `select due_at - discarded_at = interval '5 minutes' as later
       from discarded_cards join payment_methods using (merchant_id, id) where id = $1`,
      [method.id],
    );
    expect(rows).toEqual([{ later: true }]);
    await makeDueNow();
  });

  it('waits for the cancellation of a subscription that uses it', async () => {
    const parties = await makeParties(api.client);
    const method = parties.payment_method as ResourceObject;
    const { id } = await makeSubscription(api.client, { confirmed: true }, parties);
    await discardAll(method);
    // Once a card that was discarded later is destroyed, the turn of the first one has passed.
    const otherMethod = await makeMethod(api.client);
    await discardAll(otherMethod);
    await expect.poll(() => isStored(otherMethod), POLL_OPTIONS).toBe(false);
    expect(await isStored(method)).toBe(true);
    const cancellation = await api.client.send('PATCH', `/v2/payment_subscriptions/${id}/cancel`);
    expect(cancellation.status).toBe(200);
    await expect.poll(() => isStoredOnceDue(method), POLL_OPTIONS).toBe(false);
  });
});

describe('a discarded payment method', () => {
  const readRefusal = async (path: string): Promise<unknown> => {
    const { status, body } = await api.client.send('PATCH', path);
    return [status, body.errors?.[0]?.code];
  };
  const NOT_FOUND = [404, 'relationship_not_found'];

  it('has the time, in an event as well, and stays discarded', async () => {
    const { id } = await makeMethod(api.client);
    const sendDiscard = () => api.client.send('PATCH', `/v2/payment_methods/${id}/discard`);
    const { body } = await sendDiscard();
    expect(body.data.attributes.discarded_at).toEqual(expect.any(String));
    expect((await sendDiscard()).body.data).toEqual(body.data);
    const events = await api.client.get(
      `/v2/events?filter[resource_id]=${id}&filter[slug]=updated`,
    );
    expect(events.body.data).toHaveLength(1);
  });

  it('can neither be put on a payment nor get another payment method, and confirms nothing', async () => {
    const parties = await makeParties(api.client);
    const method = parties.payment_method as ResourceObject;
    const payment = await makeDemand(api.client, {}, parties);
    const subscription = await makeSubscription(api.client, {}, parties);
    await discard(method);
    expect(await readRefusal(`/v2/payment_demands/${payment.id}/confirm`)).toEqual(NOT_FOUND);
    expect(await readRefusal(`/v2/payment_subscriptions/${subscription.id}/confirm`)).toEqual(
      NOT_FOUND,
    );
    const { id } = await makeDemand(api.client);
    const answer = await patch(
      api,
      { type: 'payment_demands', id },
      {},
      { payment_method: method },
    );
    expect([answer.status, answer.body.errors?.[0]?.code]).toEqual(NOT_FOUND);
    const { status, body } = await api.client.send('POST', '/v2/payment_methods', {
      data: { type: 'payment_methods', attributes: sameCard(method) },
    });
    expect([status, body.errors?.[0]?.code]).toEqual([422, 'token_unusable']);
  });

  it('does not affect a payment it has paid', async () => {
    const parties = await makeParties(api.client);
    const { id } = await makeDemand(api.client, { confirmed: true }, parties);
    await waitForOutcome(api.client, id);
    await discard(parties.payment_method as ResourceObject);
    expect(await readRefusal(`/v2/payment_demands/${id}/confirm`)).toEqual([405, 'invalid_state']);
  });

  it('pays no charge of a subscription: a retry fails with its events', async () => {
    const parties = await makeParties(api.client, 'insufficient_funds');
    const { id } = await makeSubscription(api.client, {}, parties);
    await api.client.send('PATCH', `/v2/payment_subscriptions/${id}/confirm`);
    const readFailure = async (): Promise<unknown> =>
      (await api.client.fetch('payment_subscriptions', id)).attributes.failure_reason;
    await expect.poll(readFailure, POLL_OPTIONS).toBe('insufficient_funds');
    await discard(parties.payment_method as ResourceObject);
    await api.client.send('PATCH', `/v2/payment_subscriptions/${id}/confirm`);
    await expect.poll(readFailure, POLL_OPTIONS).toBe('card_not_verified');
  });
});
