import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { newestOf } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();
const fetchBank = () => newestOf(api.client, 'financial_institutions');

describe('a financial institution', () => {
  describeReads(api, 'financial_institutions', fetchBank);
  describeRefusedMethods(api, 'financial_institutions');

  it('is the same in both modes, except for the person, who belongs to one mode', async () => {
    const sandboxBank = await fetchBank();
    const liveBank = await api.live.fetch('financial_institutions', sandboxBank.id);
    expect(liveBank.attributes).toEqual(sandboxBank.attributes);
    expect(sandboxBank.relationships.personal_identification?.data).toMatchObject({
      type: 'personal_identifications',
    });
    expect(liveBank.relationships.personal_identification?.data).toBeNull();
  });

  it('is found by its state', async () => {
    const { body } = await api.client.get('/v2/financial_institutions?filter[state]=verified');
    expect(body.data).toEqual([await fetchBank()]);
  });
});
