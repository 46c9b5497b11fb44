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
  it('succeeds normally, once, unless its answer is lost', async () => {
    const before = await books();
    const faults = ['slow', 'duplicate_answer', 'something_else', 'settlement_mismatch'];
    const ended = await Promise.all(
      faults.map(async (simulate) => settled(api.client, (await pay(simulate)).id)),
    );
    for (const [at, { attributes }] of ended.entries()) {
      expect(attributes).toMatchObject({
        status: 'succeeded',
        failure_reason: null,
        metadata: { simulate: faults[at], order: 'A-17' },
      });
    }
    expect((await books()).approved - before.approved).toBe(faults.length);
  });

  it('without an answer is unknown at first, and has its outcome later, not before its time', async () => {
    const before = await books();
    const [lost, garbled, late, reset] = (await Promise.all(
      ['lost_answer', 'garbage', 'late_approval', 'connection_reset'].map(pay),
    )) as [ResourceObject, ResourceObject, ResourceObject, ResourceObject];
    await Promise.all([lost, garbled, late, reset].map(({ id }) => untilUnknown(id)));
    const untilAsked = (id: string, times: number) =>
      eventually(
        async () => Number((await openAttempt(id)).inquiries),
        (inquiries) => inquiries >= times,
      );
    clock.advance(5);
    for (const { id } of [lost, garbled]) {
      expect((await settled(api.client, id)).attributes.status).toBe('succeeded');
    }
    // Not found once, and again when it can no longer arrive.
    await untilAsked(reset.id, 2);
    clock.advance(15);
    await untilAsked(late.id, 2);
    expect((await api.client.fetch('payment_demands', late.id)).attributes.status).toBe(
      'processing',
    );
    clock.advance(60);
    expect((await settled(api.client, late.id)).attributes.status).toBe('succeeded');
    expect((await settled(api.client, reset.id)).attributes.status).toBe('failed');
    expect((await books()).approved - before.approved).toBe(3);
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

it('a refund with a simulated fault in its metadata is refunded once', async () => {
  const faults = ['lost_answer', 'garbage', 'connection_reset', 'duplicate_answer'];
  const payments = await Promise.all(faults.map(() => makePaid(api.client)));
  const before = await books();
  const refunds = await Promise.all(
    payments.map((payment, at) =>
      makeRefund(api.client, payment, { metadata: { simulate: faults[at] } }),
    ),
  );
  for (const { id } of refunds) {
    await eventually(
      () => api.client.fetch('refund_demands', id),
      ({ meta, attributes }) => meta?.outcome === 'unknown' || attributes.status === 'succeeded',
    );
  }
  clock.advance(5);
  for (const [at, { id }] of refunds.entries()) {
    const { attributes } = await settled(api.client, id, 'refund_demands');
    expect(attributes).toMatchObject({ status: 'succeeded', metadata: { simulate: faults[at] } });
  }
  expect((await books()).refunds - before.refunds).toBe(faults.length);
});

/** The attempt of a payment, as stored. */
async function openAttempt(payment: string) {
  const [row] = await api.books.db.query('select * from attempts where payment_demand_id = $1', [
    payment,
  ]);
  return row ?? {};
}
