import { type ResourceType, resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { eventually } from '../support/make.ts';

const api = useOwnStack({ config: { demo_orders: true } });
/** Types that appear after the first complete day. */
const typesAfterFirstDay: readonly string[] = ['payouts', 'settlement_exceptions'];
const types = (Object.keys(resources) as ResourceType[]).filter(
  (type) => !typesAfterFirstDay.includes(type),
);

const list = async (path: string): Promise<ResourceObject[]> =>
  (await api.client.get(`/v2/${path}`)).body.data;
const listStatuses = async (type: string): Promise<string[]> =>
  (await list(type)).map(({ attributes }) => attributes.status).toSorted();

/** The last event of the demo, which the shop receives. */
const LAST_EVENT = 'transaction.disputes.won';

beforeAll(async () => {
  await eventually(
    () => list('webhook_subscriptions'),
    ([hook]) => hook?.attributes.events.includes(LAST_EVENT) ?? false,
    { max_wait_ms: 30_000, pause_ms: 50 },
  );
});

describe('a new installation', () => {
  it.each(types)('has %s, with all related records', async (type) => {
    const records = await eventually(
      () => list(type),
      ({ length }) => length > 0,
    );
    expect(records.length).toBeGreaterThan(0);
    const [newest] = records as [ResourceObject];
    for (const [name, { links }] of Object.entries(newest.relationships)) {
      const { status } = await api.client.get(links.related as string);
      expect([name, status]).toEqual([name, 200]);
    }
  });

  it('has payments that are paid, refused, started, refunded, held and disputed', async () => {
    await eventually(
      () => listStatuses('disputes'),
      ({ length }) => length > 0,
    );
    const payments = await list('payment_demands?sort=purchase_reference');
    const orders = payments.map(({ attributes }) => [
      attributes.purchase_reference,
      attributes.status,
      attributes.failure_reason,
      attributes.amount_refunded_cents,
    ]);
    expect(orders).toEqual([
      ['order-1001', 'succeeded', null, 0],
      ['order-1002', 'succeeded', null, 1500],
      ['order-1003', 'succeeded', null, 4800],
      ['order-1004', 'failed', 'insufficient_funds', 0],
      ['order-1005', expect.stringMatching(/^(?:incomplete|ready)$/), null, 0],
      ['order-1006', 'succeeded', null, 0],
      ['order-1007', 'succeeded', null, 0],
      ['order-1008', 'disputed', null, 0],
    ]);
    expect(await listStatuses('refund_demands')).toEqual(['succeeded', 'succeeded']);
    expect(await listStatuses('payment_subscriptions')).toEqual(['active']);
  });

  it('has sent its events to its own shop, and sends few more', async () => {
    const deliveries = await eventually(
      () => list('webhook_deliveries?include=webhook_subscription'),
      (rows) => rows.every(({ attributes }) => attributes.status !== 'pending'),
    );
    expect(deliveries.length).toBeGreaterThanOrEqual(6);
    expect(new Set(deliveries.map(({ attributes }) => attributes.status))).toEqual(
      new Set(['delivered']),
    );
    for (const { attributes } of await list('webhook_subscriptions')) {
      expect(new URL(attributes.url).hostname).toBe('127.0.0.1');
      expect(attributes.events).toContain(LAST_EVENT);
    }
  });

  it('has no duplicate orders after another start', async () => {
    const paymentsBefore = await list('payment_demands');
    await api.stack.restart('server');
    expect(await list('payment_demands')).toEqual(paymentsBefore);
  });
});
