import { describe, expect, it } from 'vitest';
import { EVIDENCE_SECONDS } from '../../src/features/disputes/decide.ts';
import { openDatabase } from '../../src/store/db.ts';
import { ledgerDifferences } from '../../src/store/ledger-check.ts';
import { useApi } from '../support/api.ts';
import type { Answer, ResourceObject } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { DISPUTED_CENTS, eventually, makeDispute } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const clock = clockAhead();
const api = useApi({ config: { clock } });
const type = 'disputes';

const act = ({ id }: ResourceObject, action: string): Promise<Answer> =>
  api.client.send('PATCH', `/v2/${type}/${id}/${action}`);

const write = ({ id }: ResourceObject, attributes: object): Promise<Answer> =>
  api.client.send('PATCH', `/v2/${type}/${id}`, { data: { type, id, attributes } });

const closed = ({ id }: ResourceObject): Promise<ResourceObject> =>
  eventually(
    () => api.client.fetch(type, id),
    ({ attributes: { status } }) => status === 'won' || status === 'lost',
  );

const paymentOf = async ({ relationships }: ResourceObject): Promise<ResourceObject> => {
  const linkage = relationships.payment_demand?.data;
  const { id } = linkage as ResourceObject;
  return api.client.fetch('payment_demands', id);
};

/** Slugs of the events about a record, oldest first. */
const told = async ({ id }: ResourceObject): Promise<string[]> =>
  (await api.client.get(`/v2/events?filter[resource_id]=${id}&sort=created_at`)).body.data.map(
    ({ attributes }: ResourceObject) => attributes.slug,
  );

/** Kinds of the transfers of a payment that are about disputes. */
async function held({ id }: ResourceObject): Promise<string[]> {
  const { body } = await api.client.get(
    `/v2/ledger_transfers?filter[payment_demand]=${id}&sort=created_at,kind`,
  );
  const kinds: string[] = body.data.map(({ attributes }: ResourceObject) => attributes.kind);
  return kinds.filter((kind) => kind.startsWith('dispute_'));
}

describe('a dispute', () => {
  describeReads(api, type, () => makeDispute(api.client));
  describeRefusedMethods(api, type);

  it('holds the amount of its payment back, which cannot be refunded meanwhile', async () => {
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
    expect(await told(payment)).toEqual(['created', 'succeeded', 'disputed']);
    expect(await held(payment)).toEqual(['dispute_opened']);
    const refund = await api.client.send('POST', '/v2/refund_demands', {
      data: {
        type: 'refund_demands',
        attributes: { reason: 'custom' },
        relationships: { payment_demand: { data: { type: payment.type, id: payment.id } } },
      },
    });
    expect([refund.status, refund.body.errors?.[0]?.code]).toEqual([422, 'payment_not_succeeded']);
  });

  it.each([
    ['won', 'They signed for it.', 'succeeded', DISPUTED_CENTS, ['dispute_opened', 'dispute_won']],
    ['lost', 'losing_evidence', 'reversed', 0, ['dispute_lost', 'dispute_opened']],
  ])(
    'is %s with evidence that says %s',
    async (status, uncategorized_text, paid, left, transfers) => {
      const dispute = await makeDispute(api.client);
      expect((await act(dispute, 'submit')).status).toBe(422);
      expect((await write(dispute, { uncategorized_text })).status).toBe(200);
      const submitted = await act(dispute, 'submit');
      expect(submitted.body.data).toMatchObject({
        attributes: { status: 'under_review' },
        meta: { allowed_actions: [] },
      });
      const end = await closed(dispute);
      expect([end.attributes.status, end.attributes.closed_at]).toEqual([
        status,
        expect.any(String),
      ]);
      expect(await told(dispute)).toEqual(['created', 'updated', 'updated', status]);
      const payment = await paymentOf(dispute);
      expect(payment.attributes).toMatchObject({ status: paid, amount_refundable_cents: left });
      expect(payment.meta).toEqual({ allowed_actions: left > 0 ? ['refund'] : [] });
      expect((await held(payment)).toSorted()).toEqual(transfers);
      expect((await write(dispute, { uncategorized_text: 'Wait' })).status).toBe(405);
      expect((await act(dispute, 'submit')).status).toBe(405);
    },
  );

  it('that is accepted is lost', async () => {
    const dispute = await makeDispute(api.client);
    expect((await act(dispute, 'accept')).body.data.attributes.status).toBe('accepted');
    expect((await closed(dispute)).attributes.status).toBe('lost');
    expect((await paymentOf(dispute)).attributes.status).toBe('reversed');
  });

  it('is answered once by ten at the same time', async () => {
    const dispute = await makeDispute(api.client);
    await write(dispute, { refund_policy: 'None.' });
    const actions = Array.from({ length: 10 }, (_, at) => (at % 2 ? 'accept' : 'submit'));
    const answers = await Promise.all(actions.map((action) => act(dispute, action)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array(9).fill(405)]);
    await closed(dispute);
  });

  it('without a response in time is lost, and the ledger agrees with all of this', async () => {
    const dispute = await makeDispute(api.client);
    clock.advance(EVIDENCE_SECONDS + 1);
    expect((await write(dispute, { refund_policy: 'Too late.' })).status).toBe(405);
    expect((await closed(dispute)).attributes.status).toBe('lost');
    await using db = openDatabase({ url: api.stack.databaseUrl, connections_max: 1 });
    expect(await ledgerDifferences(db)).toEqual([]);
  });
});
