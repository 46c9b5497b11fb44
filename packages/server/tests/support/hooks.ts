import { randomUUID } from 'node:crypto';
import { loadCatalog } from '../../src/platform/database/catalog.ts';
import { insertRows } from '../../src/platform/database/rows.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { instantText, systemClock } from '../../src/platform/time/clock.ts';
import type { Client, ResourceObject } from './client.ts';
import type { Fixtures } from './merchants.ts';

/** A unique URL on a port without a listener. */
export const unreachableUrl = (): string => `http://localhost:9/${randomUUID()}`;

const CUSTOMER_CREATED = 'consumer.customers.created';

export const makeHook = (client: Client, attributes: object = {}): Promise<ResourceObject> =>
  client.make('webhook_subscriptions', {
    url: unreachableUrl(),
    events: [CUSTOMER_CREATED],
    ...attributes,
  });

/** The deliveries of a subscription. */
export const deliveriesOf = async (
  client: Client,
  { id }: ResourceObject,
  query = '',
): Promise<ResourceObject[]> =>
  (await client.get(`/v2/webhook_deliveries?filter[webhook_subscription]=${id}${query}`)).body.data;

/** Creates a delivery about a new customer to a new subscription. */
export async function makeDelivery(client: Client): Promise<ResourceObject> {
  const hook = await makeHook(client);
  await client.make('customers', { email: 'ada@example.com' });
  const [delivery] = await deliveriesOf(client, hook);
  return delivery as ResourceObject;
}

/** Start of the range for replays: weeks before the tests' own events. */
const REPLAY_START = new Date(Date.now() - 30 * 86_400_000).toISOString();

export const replayDraftOf = (hook: ResourceObject) => ({
  attributes: { since: REPLAY_START },
  relations: { webhook_subscription: hook },
});

/** Creates a replay that no work loop claims. */
export async function makeWaitingReplay(client: Client, { db }: Fixtures): Promise<ResourceObject> {
  const hook = await makeHook(client);
  const [row] = await db.query('select merchant_id from webhook_subscriptions where id = $1', [
    hook.id,
  ]);
  const now = systemClock().now();
  const at = instantText(now);
  const replayRow = {
    merchant_id: row?.merchant_id as string,
    mode: 'sandbox',
    id: uuidv7(now),
    webhook_subscription_id: hook.id,
    status: 'pending',
    dry_run: 'false',
    since: REPLAY_START,
    until: at,
    matched_count: '0',
    queued_count: '0',
    created_at: at,
    updated_at: at,
  };
  await insertRows(db, await loadCatalog(db), 'webhook_replays', [replayRow]);
  return client.fetch('webhook_replays', replayRow.id);
}
