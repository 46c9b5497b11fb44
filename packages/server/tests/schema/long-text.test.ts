import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeCustomer } from '../support/make.ts';

const api = useApi();
const LONGEST = 1_000;

/** Characters of four bytes each, in an order that does not compress. */
const dense = Array.from({ length: LONGEST }, (_, at) =>
  String.fromCodePoint(0x20000 + ((at * 7919) % 0xa000)),
).join('');

const searchBy = async (description: string): Promise<string[]> => {
  const { body } = await api.client.get(
    `/v2/customers?filter[description]=${encodeURIComponent(description)}`,
  );
  return body.data.map(({ id }: ResourceObject) => id);
};

describe('a text longer than an index entry', () => {
  it('is stored, and found by its full content', async () => {
    const { id } = await makeCustomer(api.client, { description: dense });
    expect(await searchBy(dense)).toEqual([id]);
  });

  it('is distinguished from one with the same beginning, and a list finds both', async () => {
    const [one = '', other = ''] = ['a', 'b'].map((end) => 'x'.repeat(LONGEST - 1) + end);
    const { id } = await makeCustomer(api.client, { description: one });
    const { id: second } = await makeCustomer(api.client, { description: other });
    expect(await searchBy(one)).toEqual([id]);
    expect(await searchBy(`${one},${other}`)).toEqual([second, id]);
    expect(await searchBy(`null,${one}`)).toEqual([id]);
    expect(await searchBy(one.slice(0, 500))).toEqual([]);
  });
});
