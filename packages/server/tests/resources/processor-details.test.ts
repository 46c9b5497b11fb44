import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { newestOf } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();
const fetchDetails = () => newestOf(api.client, 'processor_details');

describe('processor details', () => {
  describeReads(api, 'processor_details', fetchDetails);
  describeRefusedMethods(api, 'processor_details');

  it('have a kind, as no attribute may be called type', async () => {
    expect((await fetchDetails()).attributes).toMatchObject({
      kind: 'sandbox',
      onboarding_state: 'approved',
      processing_state: 'enabled',
    });
  });

  it('link to the keys that use them, and back', async () => {
    const { id } = await fetchDetails();
    const { body } = await api.client.get(
      `/v2/processor_details/${id}/relationships/merchant_tokens?include=processor_detail`,
    );
    expect(
      body.data.map(({ attributes }: ResourceObject) => attributes.context).toSorted(),
    ).toEqual(['browser', 'secret']);
    expect(body.included?.map((record) => record.id)).toEqual([id]);
  });

  it('can be used by a new key', async () => {
    const processor_detail = await fetchDetails();
    const key = await api.client.make(
      'merchant_tokens',
      { name: 'Till', context: 'secret' },
      { processor_detail },
    );
    expect(key.relationships.processor_detail?.data).toEqual({
      type: 'processor_details',
      id: processor_detail.id,
    });
  });
});
