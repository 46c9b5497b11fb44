import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import {
  eventually,
  makeCapturedPayment,
  makeDemand,
  makeParties,
  makeRefund,
  newestOf,
  waitForOutcome,
} from '../support/make.ts';

const clock = createClockAhead();
const now = () => new Date(clock.now() / 1000);
/** Whether responses to messages without an amount (inquiries and reversals) are lost. */
let lost: boolean[] = [];
const api = useOwnStack({
  config: { clock },
  now,
  faults: ({ amount }) => (amount === undefined && lost.shift() ? 'lose_answer' : undefined),
});

const DAY_SECONDS = 24 * 60 * 60;

const readCounts = async (): Promise<NetworkCounts> =>
  (await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json()) as NetworkCounts;

const pay = async (simulate: string): Promise<ResourceObject> =>
  makeDemand(
    api.client,
    { confirmed: true, metadata: { simulate, order: 'A-17' } },
    await makeParties(api.client),
  );

type Paid = ResourceObject;

const untilUnknown = (id: string): Promise<ResourceObject> =>
  eventually(
    () => api.client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );

describe('a payment with a simulated fault in its metadata', () => {
  // `drain.test.ts` pays one that is `slow`.
  it('has its outcome at once, or later if its answer is lost, and is charged once', async () => {
    const before = await readCounts();
    const normal = ['duplicate_answer', 'something_else', 'settlement_mismatch'];
    const [ended, [partial], unknown] = await Promise.all([
      Promise.all(
        normal.map(async (simulate) => waitForOutcome(api.client, (await pay(simulate)).id)),
      ),
      Promise.all([pay('partial_approval').then(({ id }) => waitForOutcome(api.client, id))]),
      Promise.all(
        ['lost_answer', 'garbage', 'late_approval', 'connection_reset'].map(async (simulate) =>
          untilUnknown((await pay(simulate)).id),
        ),
      ),
    ]);
    for (const [at, { attributes }] of ended.entries()) {
      expect(attributes).toMatchObject({
        status: 'succeeded',
        failure_reason: null,
        metadata: { simulate: normal[at], order: 'A-17' },
      });
    }
    expect(partial?.attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'insufficient_funds',
      amount_authorised_cents: 0,
    });
    expect(await openAttempt(partial?.id as string)).toMatchObject({
      status: 'reversed',
      approved_cents: '1250',
    });

    const [lost, garbled, late, reset] = unknown as [Paid, Paid, Paid, Paid];
    clock.advance(5);
    for (const { id } of [lost, garbled]) {
      expect((await waitForOutcome(api.client, id)).attributes.status).toBe('succeeded');
    }
    await eventually(
      async () => Number((await openAttempt(late.id)).inquiries),
      (inquiries) => inquiries >= 2,
    );
    expect((await api.client.fetch('payment_demands', late.id)).attributes.status).toBe(
      'processing',
    );
    clock.advance(75);
    expect((await waitForOutcome(api.client, late.id)).attributes.status).toBe('succeeded');
    // The same message is sent again, and lost again.
    await eventually(
      async () => {
        clock.advance(20);
        return (await api.client.fetch('payment_demands', reset.id)).attributes.status;
      },
      (status) => status === 'failed',
    );
    expect((await readCounts()).approved - before.approved).toBe(6);
  });

  it('dispute_after:<days> is disputed after that many days', async () => {
    const { id } = await pay('dispute_after:3');
    await waitForOutcome(api.client, id);
    clock.advance(3 * DAY_SECONDS - 60);
    // A payment that is created now gets its outcome after the notifications were read again.
    await makeCapturedPayment(api.client);
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
  const payments = await Promise.all(faults.map(() => makeCapturedPayment(api.client)));
  const before = await readCounts();
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
    const { attributes } = await waitForOutcome(api.client, id, 'refund_demands');
    expect(attributes).toMatchObject({ status: 'succeeded', metadata: { simulate: faults[at] } });
  }
  expect((await readCounts()).refunds - before.refunds).toBe(faults.length);
});

async function setPolicy(late_approvals: string): Promise<ResourceObject> {
  const { id } = await newestOf(api.client, 'merchants');
  const document = documentOf('merchants', { late_approvals }, {}, id);
  return (await api.client.send('PATCH', `/v2/merchants/${id}`, document)).body.data;
}

const outcomeOf = async (id: string) => {
  const { attributes } = await waitForOutcome(api.client, id);
  return [attributes.status, attributes.failure_reason];
};
const payUnknown = async (simulate: string): Promise<string> =>
  (await untilUnknown((await pay(simulate)).id)).id;

describe('an approval that is found more than a minute late, for a merchant that refuses it', () => {
  // The default is in the first story.
  beforeAll(async () => {
    const { attributes } = await newestOf(api.client, 'merchants');
    expect(attributes.late_approvals).toBe('capture');
    await setPolicy('reverse');
  });

  it('is reversed, and the payment fails; the next attempt counts', async () => {
    const before = await readCounts();
    const id = await payUnknown('late_approval');
    clock.advance(75);
    expect(await outcomeOf(id)).toEqual(['failed', 'processor_timeout']);
    const after = await readCounts();
    expect([after.approved - before.approved, after.reversed - before.reversed]).toEqual([0, 1]);
    const update = documentOf('payment_demands', { metadata: { order: '7' } }, {}, id);
    await api.client.send('PATCH', `/v2/payment_demands/${id}`, update);
    await api.client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
    expect(await outcomeOf(id)).toEqual(['succeeded', null]);
  });

  it('counts if it is found sooner', async () => {
    const id = await payUnknown('lost_answer');
    clock.advance(5);
    expect(await outcomeOf(id)).toEqual(['succeeded', null]);
  });

  it('is reversed again until the network acknowledges that', async () => {
    const id = await payUnknown('late_approval');
    lost = [false, true, true];
    await eventually(
      async () => {
        clock.advance(75);
        return (await api.client.fetch('payment_demands', id)).attributes.status;
      },
      (status) => status === 'failed',
    );
    expect(lost).toEqual([]);
    expect(await outcomeOf(id)).toEqual(['failed', 'processor_timeout']);
  });

  it('that never arrived is not requested again after a minute', async () => {
    const id = await payUnknown('connection_reset');
    clock.advance(75);
    expect(await outcomeOf(id)).toEqual(['failed', 'processor_unreachable']);
    const query = 'select status from attempts where payment_demand_id = $1';
    expect(await api.fixtures.db.query(query, [id])).toEqual([{ status: 'reversed' }]);
  });
});

/** The attempt of a payment, as stored. */
async function openAttempt(payment: string) {
  const [row] = await api.fixtures.db.query('select * from attempts where payment_demand_id = $1', [
    payment,
  ]);
  return row ?? {};
}
