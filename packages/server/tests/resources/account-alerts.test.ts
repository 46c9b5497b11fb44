import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { newestOf } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();

describe('an account alert', () => {
  describeReads(api, 'account_alerts', () => newestOf(api.client, 'account_alerts'), [
    'red_flag',
    'webhook_subscription',
  ]);
  describeRefusedMethods(api, 'account_alerts');

  it.each([
    ['acknowledged', true],
    ['pending', false],
  ])('that is %s has the time: %s', async (status, hasTime) => {
    const { body } = await api.client.get(`/v2/account_alerts?filter[status]=${status}`);
    expect(body.data.length).toBeGreaterThan(0);
    for (const { attributes } of body.data as ResourceObject[]) {
      expect(attributes.acknowledged_at !== null).toBe(hasTime);
    }
  });

  it.each(['seen by nobody yet', 'of a red flag'])(
    '%s is found by its filter',
    async (caseName) => {
      const filter = caseName.startsWith('seen')
        ? 'filter[acknowledged_at]=null'
        : 'filter[red_flag.status]=cleared';
      expect((await api.client.get(`/v2/account_alerts?${filter}`)).body.data).toHaveLength(1);
    },
  );

  it('is acknowledged once, with the time', async () => {
    const alert = await newestOf(api.client, 'account_alerts');
    const acknowledge = () =>
      api.client.send('PATCH', `/v2/account_alerts/${alert.id}/acknowledge`);
    const firstAnswer = await acknowledge();
    expect(firstAnswer.status).toBe(200);
    expect(firstAnswer.body.data.attributes).toMatchObject({ status: 'acknowledged' });
    expect((await acknowledge()).body.data.attributes).toEqual(firstAnswer.body.data.attributes);
  });
});
