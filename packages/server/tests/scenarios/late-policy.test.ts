import type { NetworkCounts } from '@florin/contract/protocol/network.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOwnStack } from '../support/api.ts';
import { documentOf, type ResourceObject } from '../support/client.ts';
import { clockAhead } from '../support/clock-ahead.ts';
import { eventually, makeDemand, makeParties, newestOf, settled } from '../support/make.ts';

const clock = clockAhead();
const now = () => new Date(clock.now() / 1000);
/** Whether responses to messages without an amount (inquiries and reversals) are lost. */
let lost: boolean[] = [];
const api = useOwnStack({
  config: { clock },
  now,
  faults: ({ amount }) => (amount === undefined && lost.shift() ? 'lose_answer' : undefined),
});

const books = async (): Promise<NetworkCounts> =>
  (await (await fetch(`${api.stack.simulatorUrl}/v1/books`)).json()) as NetworkCounts;

async function setPolicy(late_approvals: string): Promise<ResourceObject> {
  const { id } = await newestOf(api.client, 'merchants');
  const document = documentOf('merchants', { late_approvals }, {}, id);
  return (await api.client.send('PATCH', `/v2/merchants/${id}`, document)).body.data;
}

/** A payment whose response is lost. */
async function payUnknown(simulate: string): Promise<string> {
  const parties = await makeParties(api.client);
  const { id } = await makeDemand(api.client, { confirmed: true, metadata: { simulate } }, parties);
  await eventually(
    () => api.client.fetch('payment_demands', id),
    ({ meta }) => meta?.outcome === 'unknown',
  );
  return id;
}

const outcomeOf = async (id: string) => {
  const { attributes } = await settled(api.client, id);
  return [attributes.status, attributes.failure_reason];
};

describe('an approval that is found more than a minute late', () => {
  it('counts by default', async () => {
    expect((await newestOf(api.client, 'merchants')).attributes.late_approvals).toBe('capture');
    const id = await payUnknown('late_approval');
    clock.advance(75);
    expect(await outcomeOf(id)).toEqual(['succeeded', null]);
  });

  describe('for a merchant that refuses late approvals', () => {
    beforeAll(() => setPolicy('reverse'));

    it('is reversed, and the payment fails', async () => {
      const before = await books();
      const id = await payUnknown('late_approval');
      clock.advance(75);
      expect(await outcomeOf(id)).toEqual(['failed', 'processor_timeout']);
      const after = await books();
      expect([after.approved - before.approved, after.reversed - before.reversed]).toEqual([0, 1]);
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
      expect(await api.books.db.query(query, [id])).toEqual([{ status: 'reversed' }]);
    });

    it('of a retryable payment is followed by one that counts', async () => {
      const id = await payUnknown('late_approval');
      clock.advance(75);
      expect(await outcomeOf(id)).toEqual(['failed', 'processor_timeout']);
      const update = documentOf('payment_demands', { metadata: { order: '7' } }, {}, id);
      await api.client.send('PATCH', `/v2/payment_demands/${id}`, update);
      await api.client.send('PATCH', `/v2/payment_demands/${id}/confirm`);
      expect(await outcomeOf(id)).toEqual(['succeeded', null]);
    });
  });
});
