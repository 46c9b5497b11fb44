import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { newestOf } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();

describe('a punitive action', () => {
  describeReads(api, 'merchant_punitive_actions', () =>
    newestOf(api.client, 'merchant_punitive_actions'),
  );
  describeRefusedMethods(api, 'merchant_punitive_actions');

  it('is found by its reason', async () => {
    const { id, relationships } = await newestOf(api.client, 'merchant_punitive_actions');
    const { body } = await api.client.get(
      '/v2/merchant_punitive_actions?filter[action]=quarantine&filter[red_flag.status]=cleared&include=red_flag',
    );
    expect(body.data.map((action: { id: string }) => action.id)).toEqual([id]);
    expect(body.included?.map(({ type, id: flag }) => ({ type, id: flag }))).toEqual([
      relationships.red_flag?.data,
    ]);
  });

  it('that ended has no effect', async () => {
    const { status } = await api.client.get('/v2/payment_demands');
    expect(status).toBe(200);
  });
});
