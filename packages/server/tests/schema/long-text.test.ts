import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeCustomer } from '../support/make.ts';

const api = useApi();
const LENGTH_MAX = 1_000;

/** Characters of four bytes each, in an order that does not compress. */
const incompressibleText = Array.from({ length: LENGTH_MAX }, (_, index) =>
  String.fromCodePoint(0x20000 + ((index * 7919) % 0xa000)),
).join('');

const searchBy = async (description: string): Promise<string[]> => {
  const { body } = await api.client.get(
    `/v2/customers?filter[description]=${encodeURIComponent(description)}`,
  );
  return body.data.map(({ id }: ResourceObject) => id);
};

describe('a text longer than an index entry', () => {
  it('is stored, and found by its full content', async () => {
    const { id } = await makeCustomer(api.client, { description: incompressibleText });
    expect(await searchBy(incompressibleText)).toEqual([id]);
  });

  it('is distinguished from one with the same beginning, and a list finds both', async () => {
    const [firstText = '', secondText = ''] = ['a', 'b'].map(
      (end) => 'x'.repeat(LENGTH_MAX - 1) + end,
    );
    const { id } = await makeCustomer(api.client, { description: firstText });
    const { id: secondId } = await makeCustomer(api.client, { description: secondText });
    expect(await searchBy(firstText)).toEqual([id]);
    expect(await searchBy(`${firstText},${secondText}`)).toEqual([secondId, id]);
    expect(await searchBy(`null,${firstText}`)).toEqual([id]);
    expect(await searchBy(firstText.slice(0, 500))).toEqual([]);
  });
});
