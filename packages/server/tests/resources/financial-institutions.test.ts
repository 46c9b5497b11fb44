import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { newestOf } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();
const newestBank = () => newestOf(api.client, 'financial_institutions');

describe('a financial institution', () => {
  describeReads(api, 'financial_institutions', newestBank);
  describeRefusedMethods(api, 'financial_institutions');

  it('is the same in both modes, except for the person, who belongs to one mode', async () => {
    const seen = await newestBank();
    const live = await api.live.fetch('financial_institutions', seen.id);
    expect(live.attributes).toEqual(seen.attributes);
    expect(seen.relationships.personal_identification?.data).toMatchObject({
      type: 'personal_identifications',
    });
    expect(live.relationships.personal_identification?.data).toBeNull();
  });

  it('is found by its state', async () => {
    const { body } = await api.client.get('/v2/financial_institutions?filter[state]=verified');
    expect(body.data).toEqual([await newestBank()]);
  });
});
