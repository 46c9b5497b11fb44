import { resources } from '@florin/contract/resources/index.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BILL_MAX, billDue } from '../../src/features/subscriptions/billing/bill.ts';
import { compileModels } from '../../src/jsonapi/model.ts';
import { createSigner } from '../../src/platform/crypto/signer.ts';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import type { Services } from '../../src/services.ts';
import { useOwnStack } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeParties, makeSubscription } from '../support/make.ts';
import { createStoryClock, waitUntilDrained } from '../support/story-clock.ts';

const clock = createStoryClock('2027-01-01T00:00:00Z');
const api = useOwnStack({ config: { clock } });
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

/** More than one transaction, so that each commit runs beside another transaction. */
const SUBSCRIPTIONS = BILL_MAX + 2;
/** In addition to the server's own scheduler. */
const SCHEDULERS = 10;

beforeAll(async () => {
  const parties = await makeParties(api.client);
  const attributes = { confirmed: true, billing_period: 'one_day' };
  await Promise.all(
    Array.from({ length: SUBSCRIPTIONS }, () => makeSubscription(api.client, attributes, parties)),
  );
  await waitUntilDrained(api.client);
});

const listAll = async (type: string): Promise<ResourceObject[]> =>
  (await api.client.get(`/v2/${type}?page[size]=500&sort=created_at,id`)).body.data;
const subscriptionOf = ({ relationships }: ResourceObject): string =>
  (relationships.payment_subscription as { data: ResourceObject }).data.id;

/** Checks that each subscription has this number of periods, one after another, and a paid charge for each. */
async function expectBilledOnce(periods: number): Promise<void> {
  const charges = await listAll('payment_demands');
  const statuses = charges.map(({ attributes }) => attributes.status);
  expect(statuses).toEqual(Array(SUBSCRIPTIONS * periods).fill('succeeded'));
  const periodsBySubscription = Map.groupBy(await listAll('subscription_periods'), subscriptionOf);
  expect(periodsBySubscription.size).toBe(SUBSCRIPTIONS);
  for (const subscriptionPeriods of periodsBySubscription.values()) {
    const times = subscriptionPeriods
      .map(({ attributes: { start_at, end_at } }) => [start_at, end_at])
      .toSorted();
    expect(times).toHaveLength(periods);
    expect(times.slice(1).map(([start]) => start)).toEqual(
      times.slice(0, -1).map(([, end]) => end),
    );
  }
  const counts = await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json();
  expect(counts).toMatchObject({ approved: SUBSCRIPTIONS * periods });
}

/** SQL that lets the first commit of a new period fail, at the end of its transaction. */
const failOnceSql = (code: string): string => `
  create sequence commits;
  create function fail_once() returns trigger language plpgsql security definer as $$ begin
    if nextval('commits') = 1 then raise exception 'no commit' using errcode = '${code}'; end if;
    return null;
  end $$;
  create constraint trigger fail_once after insert on subscription_periods
    deferrable initially deferred for each row execute function fail_once()`;
const STOP_FAILING_SQL =
  'drop trigger fail_once on subscription_periods; drop function fail_once; drop sequence commits';

it('a failed commit of renewals during the next batch loses none, and none is billed twice', async () => {
  await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 1 });
  const failures = [
    // A data error: each subscription is billed alone to find it.
    ['P0001', '2027-01-02T12:00:00Z'],
    // A database error: everything is retried.
    ['57014', '2027-01-03T12:00:00Z'],
  ] as const;
  for (const [at, [code, day]] of failures.entries()) {
    await db.query(failOnceSql(code), []);
    clock.moveTo(day);
    await waitUntilDrained(api.client);
    const [row] = await db.query('select last_value from commits', []);
    await db.query(STOP_FAILING_SQL, []);
    expect(Number(row?.last_value)).toBeGreaterThan(SUBSCRIPTIONS);
    await expectBilledOnce(at + 2);
  }
}, 300_000);

/** Services of a scheduler, with one connection per scheduler. */
async function createSchedulerServices(): Promise<Services> {
  const db = openDatabase({ url: api.stack.databaseUrl, connections_max: SCHEDULERS });
  cleanup.use(db);
  return {
    db,
    clock,
    catalog: await loadCatalog(db),
    models: compileModels(resources),
    config: { pay_url: api.stack.payUrl },
    customer_links: createSigner(Buffer.alloc(32)),
    // Only their presence is checked: this test creates the charges and the server sends them.
    processorOf: () => ({}),
    accounts: { enabledFor: () => [], rulesFor: () => [], requireFresh: async () => {} },
  } as unknown as Services;
}

it('concurrent schedulers bill each period of each subscription once', async () => {
  const periodsBefore = (await listAll('payment_demands')).length / SUBSCRIPTIONS;
  const services = await createSchedulerServices();
  clock.moveTo('2027-01-04T12:00:00Z');
  const schedule = async (): Promise<void> => {
    while ((await billDue(services, { limit: 7 })).count > 0);
  };
  await Promise.all(Array.from({ length: SCHEDULERS }, schedule));
  await waitUntilDrained(api.client);
  await expectBilledOnce(periodsBefore + 1);
  // Immediate and deferred charges emit the same events.
  const charges = await listAll('payment_demands');
  const [firstCharge] = charges;
  for (const { id } of charges.filter(
    (charge) => subscriptionOf(charge) === subscriptionOf(firstCharge as ResourceObject),
  )) {
    const { body } = await api.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`);
    const events = body.data.map(({ attributes: { slug, data } }: ResourceObject) => [
      slug,
      (data as ResourceObject).attributes.status,
    ]);
    expect(events).toEqual([
      ['created', 'pending'],
      ['succeeded', 'succeeded'],
    ]);
  }
});
