import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { lockMerchantStatus } from '../../src/features/merchants/sql/enforcement-actions.ts';
import { type Database, type Db, openDatabase } from '../../src/platform/database/db.ts';
import {
  type Client,
  createClient,
  type Relations,
  type ResourceObject,
} from '../support/client.ts';
import { answerOf, callPay, mountForm, sealCard } from '../support/form.ts';
import {
  eventually,
  makeAddress,
  makeCustomer,
  makeDemand,
  makeParties,
  makeVelocityLimit,
  waitForOutcome,
} from '../support/make.ts';
import { simulateLive } from '../support/simulated-live.ts';
import { createGate, type SlowNetwork, startSlowNetwork } from '../support/slow-network.ts';

/** Declines of a live card in an hour, after which the platform refuses it. */
const PLATFORM_DECLINES_MAX = 10;
/** Requests use half of the slots. */
const SLOTS = 4;

let network: SlowNetwork;
let client: Client;
let db: Database;
let parties: Relations;
beforeAll(async () => {
  const payments_in_flight = { total: SLOTS, merchant: SLOTS, account: SLOTS };
  network = await startSlowNetwork({ payments_in_flight }, { processors: simulateLive() });
  client = createClient(network.baseUrl, network.credentials.sandbox.secret_key);
  db = openDatabase({ url: network.databaseUrl, connections_max: 2 });
  parties = await makeParties(client);
});
afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await network[Symbol.asyncDispose]();
});
afterEach(() => {
  network.onMessage = async () => {};
});

/** Holds all authorisations back until the gate opens, so that no outcome changes the rows. */
function holdAuthorisations(): ReturnType<typeof createGate> {
  const gate = createGate();
  network.onMessage = ({ method, path }) =>
    method === 'POST' && path.endsWith('/authorisations') ? gate.pass() : Promise.resolve();
  return gate;
}

const pay = (attributes: object = {}): Promise<ResourceObject> =>
  makeDemand(client, { confirmed: true, ...attributes }, parties);

/** State of a payment, and whether the transaction that stored it and its event also stored its attempt. */
async function readStored({ id }: ResourceObject): Promise<readonly unknown[]> {
  const [row] = await db.query(
    `select p.status, count(a.id)::int as attempts,
       bool_and(p.xmin = e.xmin and a.xmin = e.xmin) as at_once
     from payment_demands p
       join events e on e.merchant_id = p.merchant_id and e.resource_id = p.id and e.slug = 'created'
       left join attempts a on a.merchant_id = p.merchant_id and a.payment_demand_id = p.id
     where p.id = $1 group by p.status`,
    [id],
  );
  return [row?.status, row?.attempts, row?.at_once === 't'];
}

const listEvents = async ({ id }: ResourceObject): Promise<unknown[]> => {
  const { body } = await client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
  return body.data.map(({ attributes }: ResourceObject) => [
    attributes.slug,
    attributes.data.attributes.status,
  ]);
};

it('a confirmed payment is stored with its attempt; response and event have it as it was created', async () => {
  const gate = holdAuthorisations();
  const payment = await pay();
  expect(payment.attributes.status).toBe('pending');
  await gate.reached;
  expect(await readStored(payment)).toEqual(['processing', '1', true]);
  const submitted = (await client.fetch('payment_demands', payment.id)).attributes;
  expect(submitted.updated_at > payment.attributes.updated_at).toBe(true);
  gate.open();
  expect((await waitForOutcome(client, payment.id)).attributes.status).toBe('succeeded');
  expect(await listEvents(payment)).toEqual([
    ['created', 'pending'],
    ['succeeded', 'succeeded'],
  ]);
});

it('a payment without a slot waits for the work loop, which uses the rest of the slots', async () => {
  const gate = holdAuthorisations();
  const payments: ResourceObject[] = [];
  for (let at = 0; at <= SLOTS; at++) payments.push(await pay());
  const stored = await eventually(
    () => Promise.all(payments.map(readStored)),
    (rows) => rows.filter(([status]) => status === 'processing').length === SLOTS,
  );
  expect(stored).toEqual([
    ['processing', '1', true],
    ['processing', '1', true],
    ['processing', '1', false],
    ['processing', '1', false],
    ['pending', '0', false],
  ]);
  gate.open();
  for (const { id } of payments)
    expect((await waitForOutcome(client, id)).attributes.status).toBe('succeeded');
});

it('a merchant with velocity limits waits for the work loop, which counts its payments', async () => {
  const limit = await makeVelocityLimit(client, { max_count: 100 });
  const gate = holdAuthorisations();
  const payment = await pay();
  await gate.reached;
  expect(await readStored(payment)).toEqual(['processing', '1', false]);
  gate.open();
  await waitForOutcome(client, payment.id);
  await client.send('PATCH', `/v2/velocity_limits/${limit.id}/remove`);
});

/** Puts the merchant into quarantine, without a word to the server's cache. */
const quarantine = (tx: Db, merchant_id: string) =>
  tx.query(
    `insert into merchant_punitive_actions
       (merchant_id, mode, id, action, status, reason, created_at, updated_at)
     values ($1, 'sandbox', gen_random_uuid(), 'quarantine', 'in_force', 'a test', now(), now())`,
    [merchant_id],
  );

it('a payment beside an enforcement action waits without its lock, and is not sent after it', async () => {
  const [{ merchant_id }] = (await db.query(
    'select merchant_id from payment_demands limit 1',
    [],
  )) as [{ merchant_id: string }];
  const during = await db.transaction(async (tx) => {
    await lockMerchantStatus(tx, merchant_id);
    const payment = await pay();
    expect(await readStored(payment)).toEqual(['pending', '0', false]);
    await quarantine(tx, merchant_id);
    return payment;
  });
  const after = await pay();
  for (const { id } of [during, after])
    expect((await waitForOutcome(client, id)).attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'merchant_held_back',
    });
  for (const payment of [during, after]) expect((await readStored(payment))[1]).toBe('0');
});

/** A live card that a payer has entered into the form, with the other records of a payment. */
async function makeLiveParties(live: Client, card: string): Promise<Relations> {
  const payer = await makeCustomer(live);
  const billing_address = await makeAddress(live, {}, { customer: payer });
  const { id } = await makeDemand(live, {}, { payer, billing_address });
  const { publishable_key } = network.credentials.live;
  const body = await sealCard(await mountForm(network, id, publishable_key), card);
  expect(answerOf(await callPay(network, '/frame/v1/verify', body)).result).toBe('verified');
  const { body: page } = await live.get(`/v2/payment_demands/${id}?include=payment_method`);
  const [payment_method] = page.included as [ResourceObject];
  return { payer, billing_address, payment_method };
}

it('concurrent live payments by one card are counted one after the other', async () => {
  const live = createClient(network.baseUrl, network.credentials.live.secret_key);
  const liveParties = await makeLiveParties(live, 'generic_decline');
  const payments = await Promise.all(
    Array.from({ length: PLATFORM_DECLINES_MAX + 4 }, () =>
      makeDemand(live, { confirmed: true }, liveParties),
    ),
  );
  const outcomes = await Promise.all(payments.map(({ id }) => waitForOutcome(live, id)));
  const reasons = Map.groupBy(outcomes, ({ attributes }) => attributes.failure_reason);
  expect([...reasons].map(([reason, { length }]) => [reason, length]).toSorted()).toEqual([
    ['generic_decline', PLATFORM_DECLINES_MAX],
    ['velocity_exceeded', 4],
  ]);
});
