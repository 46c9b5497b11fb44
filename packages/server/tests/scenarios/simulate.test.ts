import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeDemand,
  makePaid,
  makeParties,
  makeRefund,
  settled,
} from '../support/make.ts';

const clock = clockAhead();
const now = () => new Date(clock.now() / 1000);
const api = useOwnStack({ config: { clock }, now });

const DAY_SECONDS = 24 * 60 * 60;

const books = async (): Promise<NetworkCounts> =>
  (await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json()) as NetworkCounts;

const pay = async (simulate: string): Promise<ResourceObject> =>
  makeDemand(
    api.client,
    { confirmed: true, metadata: { simulate, order: 'A-17' } },
    await makeParties(api.client),
  );

const untilUnknown = (id: string, type = 'payment_demands'): Promise<ResourceObject> =>
  eventually(
    () => api.client.fetch(type, id),
    ({ meta }) => meta?.outcome === 'unknown',
  );

describe('a payment with a simulated fault in its metadata', () => {
  it.each(['slow', 'duplicate_answer', 'something_else', 'settlement_mismatch'])(
    '(%s) succeeds normally, once',
    async (simulate) => {
      const before = await books();
      const { id } = await pay(simulate);
      const { attributes } = await settled(api.client, id);
      expect(attributes).toMatchObject({
        status: 'succeeded',
        failure_reason: null,
        metadata: { simulate, order: 'A-17' },
      });
      expect((await books()).approved - before.approved).toBe(1);
    },
  );

  it.each([
    ['lost_answer', 5, 'succeeded', 1],
    ['garbage', 5, 'succeeded', 1],
    ['late_approval', 70, 'succeeded', 1],
    ['connection_reset', 40, 'failed', 0],
  ] as const)(
    '(%s) is unknown at first, and %d seconds later it has %s',
    async (simulate, later, status, approvals) => {
      const before = await books();
      const { id } = await pay(simulate);
      await untilUnknown(id);
      if (simulate === 'connection_reset') {
        // Not found once, and again when it can no longer arrive.
        clock.advance(3);
        await eventually(
          async () => (await openAttempt(id)).inquiries,
          (inquiries) => inquiries === '2',
        );
      }
      clock.advance(later);
      expect((await settled(api.client, id)).attributes.status).toBe(status);
      expect((await books()).approved - before.approved).toBe(approvals);
    },
  );

  it('late_approval is not reported before its time', async () => {
    const { id } = await pay('late_approval');
    await untilUnknown(id);
    clock.advance(20);
    await eventually(
      async () => (await openAttempt(id)).inquiries,
      (inquiries) => Number(inquiries) > 1,
    );
    const { attributes } = await api.client.fetch('payment_demands', id);
    expect(attributes.status).toBe('processing');
    clock.advance(60);
    expect((await settled(api.client, id)).attributes.status).toBe('succeeded');
  });

  it('partial_approval is reversed and fails, and the approved amount is recorded', async () => {
    const before = await books();
    const { id } = await pay('partial_approval');
    const { attributes } = await settled(api.client, id);
    expect(attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'insufficient_funds',
      amount_authorised_cents: 0,
    });
    const after = await books();
    expect([after.approved - before.approved, after.reversed - before.reversed]).toEqual([0, 1]);
    expect(await openAttempt(id)).toMatchObject({ status: 'reversed', approved_cents: '1250' });
  });

  it('dispute_after:<days> is disputed after that many days', async () => {
    const { id } = await pay('dispute_after:3');
    await settled(api.client, id);
    clock.advance(3 * DAY_SECONDS - 60);
    // A payment that is created now gets its outcome after the notifications were read again.
    await makePaid(api.client);
    expect((await api.client.fetch('payment_demands', id)).attributes.status).toBe('succeeded');
    clock.advance(61);
    const disputed = await eventually(
      () => api.client.fetch('payment_demands', id),
      ({ attributes }) => attributes.status === 'disputed',
    );
    expect(disputed.attributes.status).toBe('disputed');
  });
});

describe('a refund with a simulated fault in its metadata', () => {
  it.each(['lost_answer', 'garbage', 'connection_reset', 'duplicate_answer'])(
    '(%s) is refunded once',
    async (simulate) => {
      const payment = await makePaid(api.client);
      const before = await books();
      const { id } = await makeRefund(api.client, payment, { metadata: { simulate } });
      await eventually(
        () => api.client.fetch('refund_demands', id),
        ({ meta, attributes }) => meta?.outcome === 'unknown' || attributes.status === 'succeeded',
      );
      clock.advance(5);
      const { attributes } = await settled(api.client, id, 'refund_demands');
      expect(attributes).toMatchObject({ status: 'succeeded', metadata: { simulate } });
      expect((await books()).refunds - before.refunds).toBe(1);
    },
  );
});

/** The attempt of a payment, as stored. */
async function openAttempt(payment: string) {
  const [row] = await api.books.db.query('select * from attempts where payment_demand_id = $1', [
    payment,
  ]);
  return row ?? {};
}
