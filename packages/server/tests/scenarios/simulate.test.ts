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
/** Whether each next response to an inquiry or a reversal is lost, in order. */
let losses: boolean[] = [];
const api = useOwnStack({
  config: { clock },
  now,
  faults: ({ amount }) => (amount === undefined && losses.shift() ? 'lose_answer' : undefined),
});

const DAY_SECONDS = 24 * 60 * 60;

const readCounts = async (): Promise<NetworkCounts> =>
  (await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json()) as NetworkCounts;

const makePayment = async (simulate: string): Promise<ResourceObject> =>
  makeDemand(
    api.client,
    { confirmed: true, metadata: { simulate, order: 'A-17' } },
    await makeParties(api.client),
  );

type Payment = ResourceObject;

const waitUntilUnknown = (id: string): Promise<ResourceObject> =>
  eventually(
    () => api.client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );

describe('a payment with a simulated fault in its metadata', () => {
  // `drain.test.ts` covers the fault `slow`.
  it('has its outcome immediately, or later if its answer is lost, and is charged once', async () => {
    const countsBefore = await readCounts();
    const normalFaults = ['duplicate_answer', 'something_else', 'settlement_mismatch'];
    const [endedPayments, [partialPayment], unknownPayments] = await Promise.all([
      Promise.all(
        normalFaults.map(async (simulate) =>
          waitForOutcome(api.client, (await makePayment(simulate)).id),
        ),
      ),
      Promise.all([
        makePayment('partial_approval').then(({ id }) => waitForOutcome(api.client, id)),
      ]),
      Promise.all(
        ['lost_answer', 'garbage', 'late_approval', 'connection_reset'].map(async (simulate) =>
          waitUntilUnknown((await makePayment(simulate)).id),
        ),
      ),
    ]);
    for (const [at, { attributes }] of endedPayments.entries()) {
      expect(attributes).toMatchObject({
        status: 'succeeded',
        failure_reason: null,
        metadata: { simulate: normalFaults[at], order: 'A-17' },
      });
    }
    expect(partialPayment?.attributes).toMatchObject({
      status: 'failed',
      failure_reason: 'insufficient_funds',
      amount_authorised_cents: 0,
    });
    expect(await readAttempt(partialPayment?.id as string)).toMatchObject({
      status: 'reversed',
      approved_cents: '1250',
    });

    const [lostPayment, garbledPayment, latePayment, resetPayment] = unknownPayments as [
      Payment,
      Payment,
      Payment,
      Payment,
    ];
    clock.advance(5);
    for (const { id } of [lostPayment, garbledPayment]) {
      expect((await waitForOutcome(api.client, id)).attributes.status).toBe('succeeded');
    }
    await eventually(
      async () => Number((await readAttempt(latePayment.id)).inquiries),
      (inquiries) => inquiries >= 2,
    );
    expect((await api.client.fetch('payment_demands', latePayment.id)).attributes.status).toBe(
      'processing',
    );
    clock.advance(75);
    expect((await waitForOutcome(api.client, latePayment.id)).attributes.status).toBe('succeeded');
    // The network loses each repetition of the message too.
    await eventually(
      async () => {
        clock.advance(20);
        return (await api.client.fetch('payment_demands', resetPayment.id)).attributes.status;
      },
      (status) => status === 'failed',
    );
    expect((await readCounts()).approved - countsBefore.approved).toBe(6);
  });

  it('dispute_after:<days> is disputed after that many days', async () => {
    const { id } = await makePayment('dispute_after:3');
    await waitForOutcome(api.client, id);
    clock.advance(3 * DAY_SECONDS - 60);
    // A payment that is created now gets its outcome after the notifications were read again.
    await makeCapturedPayment(api.client);
    expect((await api.client.fetch('payment_demands', id)).attributes.status).toBe('succeeded');
    clock.advance(61);
    const disputedPayment = await eventually(
      () => api.client.fetch('payment_demands', id),
      ({ attributes }) => attributes.status === 'disputed',
    );
    expect(disputedPayment.attributes.status).toBe('disputed');
  });
});

it('a refund with a simulated fault in its metadata is refunded once', async () => {
  const faults = ['lost_answer', 'garbage', 'connection_reset', 'duplicate_answer'];
  const payments = await Promise.all(faults.map(() => makeCapturedPayment(api.client)));
  const countsBefore = await readCounts();
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
  expect((await readCounts()).refunds - countsBefore.refunds).toBe(faults.length);
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
const makeUnknownPayment = async (simulate: string): Promise<string> =>
  (await waitUntilUnknown((await makePayment(simulate)).id)).id;

describe('an approval that is found more than a minute late, for a merchant that refuses it', () => {
  // The tests above cover the default.
  beforeAll(async () => {
    const { attributes } = await newestOf(api.client, 'merchants');
    expect(attributes.late_approvals).toBe('capture');
    await setPolicy('reverse');
  });

  it('is reversed, and the payment fails; the next attempt counts', async () => {
    const countsBefore = await readCounts();
    const id = await makeUnknownPayment('late_approval');
    clock.advance(75);
    expect(await outcomeOf(id)).toEqual(['failed', 'processor_timeout']);
    const countsAfter = await readCounts();
    expect([
      countsAfter.approved - countsBefore.approved,
      countsAfter.reversed - countsBefore.reversed,
    ]).toEqual([0, 1]);
    const update = documentOf('payment_demands', { metadata: { order: '7' } }, {}, id);
    await api.client.send('PATCH', `/v2/payment_demands/${id}`, update);
    await api.client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
    expect(await outcomeOf(id)).toEqual(['succeeded', null]);
  });

  it('counts if it is found sooner', async () => {
    const id = await makeUnknownPayment('lost_answer');
    clock.advance(5);
    expect(await outcomeOf(id)).toEqual(['succeeded', null]);
  });

  it('is reversed again until the network acknowledges that', async () => {
    const id = await makeUnknownPayment('late_approval');
    losses = [false, true, true];
    await eventually(
      async () => {
        clock.advance(75);
        return (await api.client.fetch('payment_demands', id)).attributes.status;
      },
      (status) => status === 'failed',
    );
    expect(losses).toEqual([]);
    expect(await outcomeOf(id)).toEqual(['failed', 'processor_timeout']);
  });

  it('that never arrived is not requested again after a minute', async () => {
    const id = await makeUnknownPayment('connection_reset');
    clock.advance(75);
    expect(await outcomeOf(id)).toEqual(['failed', 'processor_unreachable']);
    const query = 'select status from attempts where payment_demand_id = $1';
    expect(await api.fixtures.db.query(query, [id])).toEqual([{ status: 'reversed' }]);
  });
});

/** The attempt of a payment, as stored. */
async function readAttempt(paymentId: string) {
  const [row] = await api.fixtures.db.query('select * from attempts where payment_demand_id = $1', [
    paymentId,
  ]);
  return row ?? {};
}
