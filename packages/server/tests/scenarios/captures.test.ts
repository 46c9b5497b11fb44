import { randomUUID } from 'node:crypto';
import { sandboxCardByToken } from '@florin/contract/card/sandbox-cards.ts';
import { type NetworkCounts, networkPaths } from '@florin/contract/protocol/network.ts';
import { describe, expect, it } from 'vitest';
import { HOLD_SECONDS } from '../../src/features/payments/approve.ts';
import { useOwnStack } from '../support/api.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { disputeNow } from '../support/dispute-now.ts';
import {
  DISPUTED_CENTS,
  eventually,
  makeAuthorisedPayment,
  makeCapture,
  makeDemand,
  makeDispute,
  makeParties,
  waitForDispute,
  waitForOutcome,
} from '../support/make.ts';
import { countOf } from '../support/resource-suite.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock }, now: () => new Date(clock.now() / 1000) });

/** Last four digits of amounts that select a simulated fault. */
const amounts = {
  answer_lost: 9_701,
  reset: 9_702,
  garbage: 9_703,
  refused: 9_706,
  declined: 9_707,
};
const HELD_CENTS = 40_000;

const readCounts = async (): Promise<NetworkCounts> =>
  (await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json()) as NetworkCounts;

const fetchPayment = ({ id }: ResourceObject): Promise<ResourceObject> =>
  api.client.fetch('payment_demands', id);

const voidPayment = ({ id }: ResourceObject) =>
  api.client.send('PATCH', `/v2/payment_demands/${id}/void`);

/** Slugs of the events about a record, oldest first. */
const eventSlugsOf = async ({ id }: ResourceObject): Promise<string[]> =>
  (await api.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`)).body.data.map(
    ({ attributes }: ResourceObject) => attributes.slug,
  );

describe('a capture', () => {
  it('emits an event at each step, and so does its payment', async () => {
    const payment = await makeAuthorisedPayment(api.client, { amount_cents: HELD_CENTS });
    const countsBefore = await readCounts();
    const capture = await makeCapture(api.client, payment, { amount_cents: 12_300 });
    await waitForOutcome(api.client, capture.id, 'capture_demands');
    expect(await eventSlugsOf(capture)).toEqual(['created', 'updated', 'succeeded']);
    expect(await eventSlugsOf(payment)).toEqual(['created', 'updated', 'updated', 'succeeded']);
    const countsAfter = await readCounts();
    expect([
      countsAfter.captures - countsBefore.captures,
      countsAfter.captured - countsBefore.captured,
    ]).toEqual([1, 12_300]);
  });

  it('without a usable response is captured once', async () => {
    const countsBefore = await readCounts();
    const faults = ['answer_lost', 'reset', 'garbage'] as const;
    const captures = await Promise.all(
      faults.map(async (fault) => {
        const payment = await makeAuthorisedPayment(api.client, { amount_cents: HELD_CENTS });
        const { id } = await makeCapture(api.client, payment, { amount_cents: amounts[fault] });
        await eventually(
          () => api.client.fetch('capture_demands', id),
          ({ meta, attributes }) =>
            meta?.outcome === 'unknown' || attributes.status === 'succeeded',
        );
        return { fault, payment, id };
      }),
    );
    clock.advance(60);
    for (const { fault, payment, id } of captures) {
      const { attributes } = await waitForOutcome(api.client, id, 'capture_demands');
      expect([fault, attributes.status]).toEqual([fault, 'succeeded']);
      expect((await fetchPayment(payment)).attributes.amount_captured_cents).toBe(amounts[fault]);
    }
    const capturedCents = faults.reduce((sum, fault) => sum + amounts[fault], 0);
    expect((await readCounts()).captured - countsBefore.captured).toBe(capturedCents);
  });

  it('without a response leaves a payment that can be disputed, and then not refunded', async () => {
    const payment = await makeAuthorisedPayment(api.client, { amount_cents: HELD_CENTS });
    await makeCapture(api.client, payment, { amount_cents: amounts.answer_lost });
    await eventually(
      () =>
        api.fixtures.db.query(
          'select * from attempts where capture_demand_id is not null and payment_demand_id = $1 and status = $2',
          [payment.id, 'unknown'],
        ),
      ({ length }) => length > 0,
    );
    await disputeNow(api.stack.simulatorUrl, api.fixtures.db, payment.id);
    clock.wake();
    await eventually(
      () => api.fixtures.db.query('select position from processor_news where position > 0', []),
      ({ length }) => length > 0,
    );
    clock.advance(60);
    expect((await waitForOutcome(api.client, payment.id)).attributes).toMatchObject({
      amount_captured_cents: amounts.answer_lost,
    });
    const dispute = await waitForDispute(api.client, payment.id);
    expect(dispute.attributes.amount_cents).toBe(amounts.answer_lost);
    expect((await fetchPayment(payment)).attributes.status).toBe('disputed');
  });

  it('of a part can be disputed: the dispute is stored when the hold has ended', async () => {
    const payment = await makeAuthorisedPayment(api.client, { amount_cents: HELD_CENTS });
    const part = { amount_cents: 12_300, final: false };
    const { id } = await makeCapture(api.client, payment, part);
    await waitForOutcome(api.client, id, 'capture_demands');
    const positionOf = async () =>
      Number(
        (await api.fixtures.db.query('select max(position) as position from processor_news', []))[0]
          ?.position ?? 0,
      );
    const position = await positionOf();
    await disputeNow(api.stack.simulatorUrl, api.fixtures.db, payment.id);
    clock.wake();
    await eventually(positionOf, (newPosition) => newPosition > position);
    expect((await fetchPayment(payment)).attributes.status).toBe('authorised');
    expect((await voidPayment(payment)).body.data.attributes.status).toBe('succeeded');
    clock.advance(60);
    const { attributes } = await waitForDispute(api.client, payment.id);
    expect(attributes.amount_cents).toBe(12_300);
    expect((await fetchPayment(payment)).attributes.status).toBe('disputed');
  });

  it('of a part without a response blocks the next one, is found once, and leaves the hold', async () => {
    const payment = await makeAuthorisedPayment(api.client, { amount_cents: HELD_CENTS });
    const countsBefore = await readCounts();
    for (const amount_cents of [amounts.answer_lost, amounts.reset]) {
      const { id } = await makeCapture(api.client, payment, { amount_cents, final: false });
      await eventually(
        () => api.client.fetch('capture_demands', id),
        ({ meta }) => meta?.outcome === 'unknown',
      );
      const document = documentOf('capture_demands', {}, { payment_demand: payment });
      const refused = await api.client.send('POST', '/v2/capture_demands', document);
      expect([refused.status, refused.body.errors?.[0]?.code]).toEqual([
        422,
        'payment_not_authorised',
      ]);
      clock.advance(60);
      await waitForOutcome(api.client, id, 'capture_demands');
    }
    const capturedCents = amounts.answer_lost + amounts.reset;
    expect((await fetchPayment(payment)).attributes).toMatchObject({
      status: 'authorised',
      amount_captured_cents: capturedCents,
      hold_expires_at: payment.attributes.hold_expires_at,
    });
    const declined = await makeCapture(api.client, payment, { amount_cents: amounts.declined });
    await waitForOutcome(api.client, declined.id, 'capture_demands');
    expect((await fetchPayment(payment)).attributes.status).toBe('authorised');
    clock.advance(HOLD_SECONDS);
    expect((await waitForOutcome(api.client, payment.id)).attributes).toMatchObject({
      status: 'succeeded',
      amount_captured_cents: capturedCents,
      amount_refundable_cents: capturedCents,
      cancellation_reason: null,
    });
    const countsAfter = await readCounts();
    expect([
      countsAfter.captured - countsBefore.captured,
      countsAfter.reversed - countsBefore.reversed,
    ]).toEqual([capturedCents, 0]);
    expect((await eventSlugsOf(payment)).at(-1)).toBe('succeeded');
  });

  it('that the bank declines keeps the hold, which can be captured again', async () => {
    const payment = await makeAuthorisedPayment(api.client, { amount_cents: HELD_CENTS });
    const declinedCapture = await makeCapture(api.client, payment, {
      amount_cents: amounts.declined,
    });
    expect(
      (await waitForOutcome(api.client, declinedCapture.id, 'capture_demands')).attributes,
    ).toMatchObject({
      status: 'failed',
      failure_reason: 'capture_declined',
    });
    const { attributes } = await fetchPayment(payment);
    expect([attributes.status, attributes.hold_expires_at]).toEqual([
      'authorised',
      payment.attributes.hold_expires_at,
    ]);
    const secondCapture = await makeCapture(api.client, payment);
    expect(
      (await waitForOutcome(api.client, secondCapture.id, 'capture_demands')).attributes.status,
    ).toBe('succeeded');
  });
});

describe('a hold', () => {
  it('that is voided, as only intents are canceled, is released at the network', async () => {
    const payment = await makeAuthorisedPayment(api.client);
    const countsBefore = await readCounts();
    const cancelPath = `/v2/payment_demands/${payment.id}/cancel`;
    expect((await api.client.send('PATCH', cancelPath)).status).toBe(405);
    const { status, body } = await voidPayment(payment);
    expect([status, body.data.attributes.status]).toEqual([200, 'processing']);
    expect((await waitForOutcome(api.client, payment.id)).attributes).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'requested',
      amount_captured_cents: 0,
    });
    expect(await eventSlugsOf(payment)).toEqual(['created', 'updated', 'updated', 'updated']);
    expect((await readCounts()).reversed - countsBefore.reversed).toBe(1);
    expect((await voidPayment(payment)).status).toBe(405);
  });

  it('expires after seven days', async () => {
    const payment = await makeAuthorisedPayment(api.client);
    clock.advance(HOLD_SECONDS + 1);
    expect((await waitForOutcome(api.client, payment.id)).attributes).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'hold_expired',
    });
  });
});

/** Authorises at the network directly, so that Florin does not know it, and disputes immediately. */
async function disputeUnknownPayment(reference: string): Promise<void> {
  const card = {
    number: sandboxCardByToken('pan_test_visa')?.number,
    expiry_month: '12',
    expiry_year: '2031',
  };
  const message = { reference, amount: DISPUTED_CENTS, currency: 'USD', capture: true, card };
  const { status } = await fetch(api.stack.simulatorUrl + networkPaths.authorisations, {
    method: 'POST',
    body: JSON.stringify(message),
  });
  expect(status).toBe(200);
}

const countDisputes = (): Promise<number> => countOf(api, 'disputes');
const statusOf = async (id: string) =>
  (await api.client.fetch('payment_demands', id)).attributes.status;

it('disputes of unknown payments, and of one without a response, do not block later ones', async () => {
  const disputesBefore = await countDisputes();
  const demandAttributes = {
    confirmed: true,
    amount_cents: DISPUTED_CENTS,
    metadata: { simulate: 'late_approval' },
  };
  const { id } = await makeDemand(api.client, demandAttributes, await makeParties(api.client));
  await eventually(
    () => api.client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
  await disputeUnknownPayment(randomUUID());
  await disputeUnknownPayment('somebody-elses-order-7');
  const { attributes } = await makeDispute(api.client);
  expect(attributes.status).toBe('needs_response');
  expect(await countDisputes()).toBe(disputesBefore + 1);
  expect(await statusOf(id)).toBe('processing');
  clock.advance(75);
  expect((await waitForDispute(api.client, id)).attributes.amount_cents).toBe(DISPUTED_CENTS);
  expect(await statusOf(id)).toBe('disputed');
  expect(
    await api.fixtures.db.query('select * from waiting_disputes where problem is null', []),
  ).toEqual([]);
});
