import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeDemand, makeParties } from '../support/make.ts';

const api = useApi();
let payer: ResourceObject;
let demand: ResourceObject;
beforeAll(async () => {
  const parties = await makeParties(api.client);
  payer = await api.client.fetch('customers', parties.payer!.id);
  demand = await makeDemand(api.client, {}, parties);
});

/** Example filters of the interface's description, verbatim. */
const examples: readonly (readonly [query: string, value: () => string])[] = [
  ['filter[payer]', () => payer.id],
  ['filter[payer.email]', () => payer.attributes.email],
  ['filter[merchant.account.owner.email]', () => api.stack.credentials.account.email],
];

describe.each(['/v2', '/api/v2', '/api', ''])('under the prefix "%s"', (prefix) => {
  it.each(examples)('%s finds its record, and nothing by another value', async (name, getValue) => {
    const listIds = async (text: string): Promise<string[]> => {
      const { body } = await api.client.get(
        `${prefix}/payment_demands?${name}=${encodeURIComponent(text)}`,
      );
      return body.data.map(({ id }: ResourceObject) => id);
    };
    expect(await listIds(getValue())).toContain(demand.id);
    const otherValue = name === 'filter[payer]' ? demand.id : 'nobody@example.com';
    expect(await listIds(otherValue)).toEqual([]);
  });

  it('filters of a type and of a related one are combined', async () => {
    const filterByStatus = (status: string) =>
      api.client.get(
        `${prefix}/payment_demands?filter[status]=${status}&filter[payer.name]=${payer.attributes.name}&filter[payer]=${payer.id}`,
      );
    expect(
      (await filterByStatus('incomplete')).body.data.length +
        (await filterByStatus('ready')).body.data.length,
    ).toBe(1);
    expect((await filterByStatus('succeeded')).body.data).toEqual([]);
  });
});
