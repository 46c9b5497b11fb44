import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { newestOf } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();
const fetchConnection = () => newestOf(api.client, 'merchant_integrations');

describe('a merchant integration', () => {
  describeReads(api, 'merchant_integrations', fetchConnection);
  describeRefusedMethods(api, 'merchant_integrations');

  it("includes its service and its key, never with the key's secret", async () => {
    const { id } = await fetchConnection();
    const { body } = await api.client.get(
      `/v2/merchant_integrations/${id}?include=integration,merchant_token`,
    );
    expect(body.included?.map(({ type }) => type)).toEqual(['integrations', 'merchant_tokens']);
    expect(body.included?.[1]?.attributes.token).toBeNull();
  });

  it('is found by the name of its service', async () => {
    const { body } = await api.client.get(
      '/v2/merchant_integrations?filter[integration.name]=WooCommerce',
    );
    expect(body.data).toEqual([await fetchConnection()]);
  });
});
