import { randomUUID } from 'node:crypto';
import { resources } from '@florin/contract/resources/index.ts';
import { type ClonedDatabase, cloneDatabase } from '@florin/dev-env/databases.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookSubscriptionBehaviour } from '../../src/features/webhooks/behaviour.ts';
import type { Behaviour, RequestContext } from '../../src/jsonapi/behaviour.ts';
import { compileModels } from '../../src/jsonapi/model.ts';
import type { Row } from '../../src/platform/database/row.ts';
import { uuidv7 } from '../../src/platform/ids.ts';
import { instantText } from '../../src/platform/time/clock.ts';
import type { Services } from '../../src/services.ts';
import { makeTestbed, type Testbed } from './testbed.ts';

const EVENTS = ['transaction.payment_demands.succeeded'];

let database: ClonedDatabase;
let testbed: Testbed;
let behaviour: Required<Pick<Behaviour, 'create' | 'update'>>;
let ctx: RequestContext;

beforeAll(async () => {
  database = await cloneDatabase();
  testbed = await makeTestbed(database.url);
  const services = { ...testbed.services, models: compileModels(resources) };
  behaviour = webhookSubscriptionBehaviour(services as unknown as Services) as typeof behaviour;
  ctx = contextOf(testbed);
}, 240_000);
afterAll(async () => {
  await testbed?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const contextOf = ({ clock, merchant_id }: Testbed): RequestContext => ({
  scope: { merchant_id, mode: 'sandbox' },
  now: () => clock.now(),
  request_id: randomUUID(),
  base_url: 'http://localhost',
  permissions: 'all',
  settings: {
    currencies: new Set(['USD']),
    timezone: 'UTC',
    threeds: 'off',
    merchant_status: 'active',
  },
});

function createSubscription(): Promise<Row> {
  const at = instantText(testbed.clock.now());
  const attributes = { url: `http://localhost:3000/${randomUUID()}`, events: EVENTS };
  const record = {
    merchant_id: testbed.merchant_id,
    id: uuidv7(testbed.clock.now()),
    ...attributes,
    events: JSON.stringify(EVENTS),
    concurrency_limit: '50',
    ordering: 'none',
    created_at: at,
    updated_at: at,
  };
  return behaviour.create(ctx, { attributes, relationships: {} }, record);
}

const updateSubscription = (id: string, attributes: Record<string, string>): Promise<Row> =>
  behaviour.update(ctx, id, { attributes, relationships: {} }, attributes);

async function readRow(id: string): Promise<Row> {
  const [row] = await testbed.db.query('select * from webhook_subscriptions where id = $1', [id]);
  return row as Row;
}

describe('a webhook subscription', () => {
  it('is created active, in the mode of the key, with its own secret', async () => {
    const [subscription, otherSubscription] = [
      await createSubscription(),
      await createSubscription(),
    ];
    expect(await readRow(subscription.id!)).toMatchObject({
      status: 'active',
      mode: 'sandbox',
      secret_key: subscription.secret_key,
      archived_at: null,
    });
    expect(subscription.secret_key).not.toBe(otherSubscription.secret_key);
  });

  it('can be paused, resumed and archived', async () => {
    const { id } = await createSubscription();
    for (const status of ['active', 'paused', 'paused', 'active', 'archived']) {
      expect(
        (await updateSubscription(id!, { status, description: 'hook of the shop' })).status,
      ).toBe(status);
      expect((await readRow(id!)).status).toBe(status);
    }
    expect((await readRow(id!)).archived_at).not.toBeNull();
    await expect(updateSubscription(id!, { status: 'archived' })).rejects.toThrow(
      'already_archived',
    );
    await expect(updateSubscription(id!, { status: 'active' })).rejects.toThrow('immutable');
  });

  it('that is archived by two concurrent requests is archived once', async () => {
    const { id } = await createSubscription();
    const archivals = await Promise.allSettled(
      [1, 2].map(() => updateSubscription(id!, { status: 'archived' })),
    );
    expect(archivals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is not found by another merchant or mode', async () => {
    const { id } = await createSubscription();
    for (const scope of [
      { merchant_id: randomUUID(), mode: 'sandbox' as const },
      { merchant_id: testbed.merchant_id, mode: 'live' as const },
    ]) {
      const foreignContext = { ...ctx, scope };
      const change = { attributes: { status: 'archived' }, relationships: {} };
      await expect(behaviour.update(foreignContext, id!, change, {})).rejects.toThrow('not_found');
    }
    expect((await readRow(id!)).status).toBe('active');
  });
});
