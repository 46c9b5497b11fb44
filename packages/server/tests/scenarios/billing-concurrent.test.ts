import { resources } from '@florin/contract/resources/index.ts';
import { afterAll, expect, it } from 'vitest';
import { billDue } from '../../src/features/subscriptions/billing/bill.ts';
import { compileModels } from '../../src/jsonapi/model.ts';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import type { Services } from '../../src/services.ts';
import { useOwnStack } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeParties, makeSubscription } from '../support/make.ts';
import { drained, storyClock } from '../support/story-clock.ts';

const clock = storyClock('2027-01-01T00:00:00Z');
const api = useOwnStack({ config: { clock } });
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

const SUBSCRIPTIONS = 20;
/** In addition to the server's own scheduler. */
const SCHEDULERS = 10;
const DAYS = 5;

/** Services of a scheduler, with one connection per scheduler. */
async function schedulerServices(): Promise<Services> {
  const db = openDatabase({ url: api.stack.databaseUrl, connections_max: SCHEDULERS });
  cleanup.use(db);
  return {
    db,
    clock,
    catalog: await loadCatalog(db),
    models: compileModels(resources),
    config: { pay_url: api.stack.payUrl },
    customer_links: createSigner(Buffer.alloc(32)),
    // Only its presence is checked: this test creates the charges and the server sends them.
    processorOf: () => ({}),
  } as unknown as Services;
}

const allOf = async (type: string, { id }: ResourceObject): Promise<ResourceObject[]> =>
  (await api.client.get(`/v2/${type}?filter[payment_subscription]=${id}&page[size]=500`)).body.data;

it('concurrent schedulers bill each period of each subscription once', async () => {
  const parties = await makeParties(api.client);
  const attributes = { confirmed: true, billing_period: 'one_day' };
  const made = await Promise.all(
    Array.from({ length: SUBSCRIPTIONS }, () => makeSubscription(api.client, attributes, parties)),
  );
  await drained(api.client);
  const services = await schedulerServices();
  clock.moveTo('2027-01-06T12:00:00Z');
  const schedule = async (): Promise<void> => {
    while ((await billDue(services, { limit: 7 })).count > 0);
  };
  await Promise.all(Array.from({ length: SCHEDULERS }, schedule));
  await drained(api.client);
  for (const subscription of made) {
    const charges = await allOf('payment_demands', subscription);
    expect(charges.map((charge) => charge.attributes.status)).toEqual(
      Array(DAYS + 1).fill('succeeded'),
    );
    const periods = (await allOf('subscription_periods', subscription))
      .map(({ attributes: { start_at, end_at } }) => [start_at, end_at])
      .toSorted();
    expect(periods).toHaveLength(DAYS + 1);
    expect(periods.slice(1).map(([start]) => start)).toEqual(
      periods.slice(0, -1).map(([, end]) => end),
    );
  }
  // Immediate and deferred charges emit the same events.
  for (const { id } of await allOf('payment_demands', made[0] as ResourceObject)) {
    const { body } = await api.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
    const told = body.data.map(({ attributes: { slug, data } }: ResourceObject) => [
      slug,
      (data as ResourceObject).attributes.status,
    ]);
    expect(told).toEqual([
      ['created', 'pending'],
      ['succeeded', 'succeeded'],
    ]);
  }
  const books = await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json();
  expect(books).toMatchObject({ approved: SUBSCRIPTIONS * (DAYS + 1) });
});
