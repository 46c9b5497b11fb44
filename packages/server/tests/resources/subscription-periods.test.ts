import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makePeriod } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();

describe('a period of a subscription', () => {
  describeReads(api, 'subscription_periods', () => makePeriod(api.client));
  describeRefusedMethods(api, 'subscription_periods');

  it('has a charge, which has its times', async () => {
    const { attributes, relationships } = await makePeriod(api.client);
    const { id } = relationships.payment_demand!.data as ResourceObject;
    const charge = (await api.client.fetch('payment_demands', id)).attributes;
    expect(charge).toMatchObject({
      billing_reason: 'first',
      amount_cents: attributes.amount_cents,
      period_start_at: attributes.start_at,
      period_end_at: attributes.end_at,
    });
    expect(attributes.skip_reason).toBeNull();
  });
});
