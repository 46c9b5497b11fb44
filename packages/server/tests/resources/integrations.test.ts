import { describe, expect, it } from 'vitest';
import { integrations } from '../../src/features/onboarding/integrations.ts';
import { saveIntegrations } from '../../src/features/onboarding/sql/integrations.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();
const list = async (query = ''): Promise<ResourceObject[]> =>
  (await api.client.get(`/v2/integrations${query}`)).body.data;

describe('an integration', () => {
  describeReads(api, 'integrations', async () => (await list())[0] as ResourceObject, [
    'merchant_integrations',
  ]);
  describeRefusedMethods(api, 'integrations');

  it('exists once per service, also after another start', async () => {
    const integrationsBefore = await list();
    const services = integrationsBefore.map(({ attributes: { name, url } }) => ({ name, url }));
    expect(services).toHaveLength(integrations.length);
    expect(services).toEqual(expect.arrayContaining([...integrations]));
    // Every start saves the integrations again.
    await saveIntegrations(api.fixtures.db, systemClock(), integrations);
    expect(await list()).toEqual(integrationsBefore);
  });

  it("is the same for every merchant, while connections are the merchant's own", async () => {
    const client = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    const { body } = await client.get('/v2/integrations?include=merchant_integrations');
    const ownDocument = (await api.client.get('/v2/integrations?include=merchant_integrations'))
      .body;
    const idsOf = (records: readonly ResourceObject[] = []) => records.map(({ id }) => id);
    expect(idsOf(body.data)).toEqual(idsOf(ownDocument.data));
    expect(idsOf(body.included)).toHaveLength(1);
    expect(idsOf(body.included)).not.toEqual(idsOf(ownDocument.included));
  });
});
