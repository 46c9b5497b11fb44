import { describe, expect, it } from 'vitest';
import { EVIDENCE_SECONDS } from '../../src/features/disputes/decide.ts';
import {
  findLedgerDifferences,
  findPaymentDifferences,
} from '../../src/features/ledger/sql/ledger-check.ts';
import { openDatabase } from '../../src/platform/database/db.ts';
import { useOwnStack } from '../support/api.ts';
import type { Answer, ResourceObject } from '../support/client.ts';
import { createClockAhead } from '../support/clock-ahead.ts';
import { disputeNow } from '../support/dispute-now.ts';
import {
  DISPUTED_CENTS,
  eventually,
  makeCapturedPayment,
  makeDispute,
  makeRefund,
  waitForOutcome,
} from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const clock = createClockAhead();
const api = useOwnStack({ config: { clock } });
const type = 'disputes';

const callAction = ({ id }: ResourceObject, action: string): Promise<Answer> =>
  api.client.send('PATCH', `/v2/${type}/${id}/${action}`);

const updateDispute = ({ id }: ResourceObject, attributes: object): Promise<Answer> =>
  api.client.send('PATCH', `/v2/${type}/${id}`, { data: { type, id, attributes } });

/** Waits until the dispute is closed. A drain reads the network's notifications before their next poll. */
const waitUntilClosed = async ({ id }: ResourceObject): Promise<ResourceObject> => {
  await api.client.get('/sandbox/drain?timeout=1');
  return eventually(
    () => api.client.fetch(type, id),
    ({ attributes: { status } }) => status === 'won' || status === 'lost',
  );
};

const paymentOf = async ({ relationships }: ResourceObject): Promise<ResourceObject> => {
  const linkage = relationships.payment_demand?.data;
  const { id } = linkage as ResourceObject;
  return api.client.fetch('payment_demands', id);
};

/** Slugs of the events about a record, oldest first. */
const eventSlugsOf = async ({ id }: ResourceObject): Promise<string[]> =>
  (await api.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`)).body.data.map(
    ({ attributes }: ResourceObject) => attributes.slug,
  );

/** Kinds of a payment's transfers about disputes. */
async function readTransferKinds({ id }: ResourceObject): Promise<string[]> {
  const { body } = await api.client.get(
    `/v2/ledger_transfers?filter[payment_demand]=${id}&sort=created_at,kind`,
  );
  const kinds: string[] = body.data.map(({ attributes }: ResourceObject) => attributes.kind);
  return kinds.filter((kind) => kind.startsWith('dispute_'));
}

const PAID_CENTS = 10_000;

/** State and refundable amount of a payment. */
async function paymentStateOf({ id }: ResourceObject): Promise<[string, number]> {
  const { attributes } = await api.client.fetch('payment_demands', id);
  return [attributes.status, attributes.amount_refundable_cents];
}

/** Opens another dispute of a payment, for a part or the remaining amount. */
async function openDispute({ id }: ResourceObject, amount?: number): Promise<ResourceObject> {
  const list = async (): Promise<ResourceObject[]> =>
    (await api.client.get(`/v2/disputes?filter[payment_demand]=${id}`)).body.data;
  const countBefore = (await list()).length;
  await disputeNow(api.stack.simulatorUrl, api.fixtures.db, id, amount);
  const [newest] = await eventually(list, ({ length }) => length > countBefore);
  if (!newest) throw new Error('the payment was not disputed');
  return newest;
}

async function answerDispute(dispute: ResourceObject, uncategorized_text: string): Promise<void> {
  await updateDispute(dispute, { uncategorized_text });
  await callAction(dispute, 'submit');
}

const refund = (payment: ResourceObject, amount_cents?: number): Promise<Answer> =>
  api.client.send('POST', '/v2/refund_demands', {
    data: {
      type: 'refund_demands',
      attributes: { reason: 'custom', amount_cents },
      relationships: { payment_demand: { data: { type: payment.type, id: payment.id } } },
    },
  });

describe('a dispute', () => {
  describeReads(api, type, () => makeDispute(api.client));
  describeRefusedMethods(api, type);
});

/** Concurrent, because each dispute waits for the processor. */
describe.concurrent('a dispute', () => {
  it('blocks refunds of its amount while it is open', async ({ expect }) => {
    const dispute = await makeDispute(api.client);
    expect(dispute.attributes).toMatchObject({
      status: 'needs_response',
      reason: 'fraudulent',
      amount_cents: DISPUTED_CENTS,
      amount_currency: 'USD',
    });
    const payment = await paymentOf(dispute);
    expect(payment.attributes).toMatchObject({ status: 'disputed', amount_refundable_cents: 0 });
    expect(dispute.meta).toEqual({ allowed_actions: ['update', 'submit', 'accept'] });
    expect(await eventSlugsOf(payment)).toEqual(['created', 'succeeded', 'disputed']);
    expect(await readTransferKinds(payment)).toEqual(['dispute_opened']);
    const { status, body } = await refund(payment);
    expect([status, body.errors?.[0]?.code]).toEqual([422, 'payment_not_succeeded']);
  });

  it.for([
    ['won', 'They signed for it.', 'succeeded', DISPUTED_CENTS, ['dispute_opened', 'dispute_won']],
    ['lost', 'losing_evidence', 'reversed', 0, ['dispute_lost', 'dispute_opened']],
  ] as const)(
    'is %s with evidence that says %s',
    async ([status, uncategorized_text, paymentStatus, refundableCents, transferKinds], {
      expect,
    }) => {
      const dispute = await makeDispute(api.client);
      expect((await callAction(dispute, 'submit')).status).toBe(422);
      expect((await updateDispute(dispute, { uncategorized_text })).status).toBe(200);
      const answer = await callAction(dispute, 'submit');
      expect(answer.body.data).toMatchObject({
        attributes: { status: 'under_review' },
        meta: { allowed_actions: [] },
      });
      const closedDispute = await waitUntilClosed(dispute);
      expect([closedDispute.attributes.status, closedDispute.attributes.closed_at]).toEqual([
        status,
        expect.any(String),
      ]);
      expect(await eventSlugsOf(dispute)).toEqual(['created', 'updated', 'updated', status]);
      const payment = await paymentOf(dispute);
      expect(payment.attributes).toMatchObject({
        status: paymentStatus,
        amount_refundable_cents: refundableCents,
      });
      expect(payment.meta).toEqual({ allowed_actions: refundableCents > 0 ? ['refund'] : [] });
      expect((await readTransferKinds(payment)).toSorted()).toEqual(transferKinds);
      expect((await updateDispute(dispute, { uncategorized_text: 'Wait' })).status).toBe(405);
      expect((await callAction(dispute, 'submit')).status).toBe(405);
    },
  );

  it('accepts one of ten concurrent responses', async ({ expect }) => {
    const dispute = await makeDispute(api.client);
    await updateDispute(dispute, { refund_policy: 'None.' });
    const actions = Array.from({ length: 10 }, (_, index) => (index % 2 ? 'accept' : 'submit'));
    const answers = await Promise.all(actions.map((action) => callAction(dispute, action)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array(9).fill(405)]);
    await waitUntilClosed(dispute);
  });

  it('with a second one keeps its payment disputed until both are decided', async ({ expect }) => {
    const payment = await makeCapturedPayment(api.client, { amount_cents: PAID_CENTS });
    const [firstDispute, secondDispute] = [
      await openDispute(payment, 4_000),
      await openDispute(payment, 6_000),
    ];
    await answerDispute(firstDispute, 'They signed for it.');
    expect((await waitUntilClosed(firstDispute)).attributes.status).toBe('won');
    expect(await paymentStateOf(payment)).toEqual(['disputed', 0]);
    expect((await refund(payment, 1)).body.errors?.[0]?.code).toBe('payment_not_succeeded');

    await answerDispute(secondDispute, 'losing_evidence');
    expect((await waitUntilClosed(secondDispute)).attributes.status).toBe('lost');
    expect(await paymentStateOf(payment)).toEqual(['succeeded', 4_000]);
    const refusal = await refund(payment, 4_001);
    expect(refusal.body.errors?.[0]?.meta).toEqual({ unrefunded_cents: 4_000 });
    const remainingRefund = await makeRefund(api.client, payment);
    expect(
      (await waitForOutcome(api.client, remainingRefund.id, 'refund_demands')).attributes,
    ).toMatchObject({
      status: 'succeeded',
      amount_cents: 4_000,
    });
    // Refunds and the lost dispute have used up the whole payment.
    expect(await paymentStateOf(payment)).toEqual(['reversed', 0]);
    expect((await eventSlugsOf(payment)).slice(2)).toEqual(['disputed', 'updated', 'refunded']);
  });

  it('that is accepted is lost, and so is its payment once the other part is', async ({
    expect,
  }) => {
    const payment = await makeCapturedPayment(api.client, { amount_cents: PAID_CENTS });
    const firstDispute = await openDispute(payment, 4_000);
    expect((await callAction(firstDispute, 'accept')).body.data.attributes.status).toBe('accepted');
    expect((await waitUntilClosed(firstDispute)).attributes.status).toBe('lost');
    expect(await paymentStateOf(payment)).toEqual(['succeeded', 6_000]);
    expect(await eventSlugsOf(payment)).toEqual(['created', 'succeeded', 'disputed', 'updated']);
    const secondDispute = await openDispute(payment, 6_000);
    expect(await paymentStateOf(payment)).toEqual(['disputed', 0]);
    await callAction(secondDispute, 'accept');
    await waitUntilClosed(secondDispute);
    expect(await paymentStateOf(payment)).toEqual(['reversed', 0]);
  });

  it('of the amount that is not refunded reverses the payment', async ({ expect }) => {
    const payment = await makeCapturedPayment(api.client, { amount_cents: PAID_CENTS });
    const { id } = await makeRefund(api.client, payment, { amount_cents: 3_000 });
    await waitForOutcome(api.client, id, 'refund_demands');
    const dispute = await openDispute(payment);
    expect(dispute.attributes.amount_cents).toBe(7_000);
    await callAction(dispute, 'accept');
    await waitUntilClosed(dispute);
    expect(await paymentStateOf(payment)).toEqual(['reversed', 0]);
  });
});

describe('a dispute without a response in time', () => {
  it('is lost, and the ledger agrees', async () => {
    const dispute = await makeDispute(api.client);
    clock.advance(EVIDENCE_SECONDS + 1);
    expect((await updateDispute(dispute, { refund_policy: 'Too late.' })).status).toBe(405);
    expect((await waitUntilClosed(dispute)).attributes.status).toBe('lost');
    await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 1 });
    expect(await findLedgerDifferences(db)).toEqual([]);
    expect(await findPaymentDifferences(db)).toEqual([]);
  });
});
