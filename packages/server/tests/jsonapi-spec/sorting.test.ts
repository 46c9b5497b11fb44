import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeCustomer, makeDemand } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
/** Amount, description and name of the payer of each payment, in the order of their making. */
const made: readonly (readonly [number, string | null, string | null])[] = [
  [300, 'b', 'Zoe'],
  [100, 'a', 'Ada'],
  [200, 'a', null],
  [100, null, 'Bob'],
];
beforeAll(async () => {
  for (const [amount_cents, description, name] of made) {
    const payer = name === null ? undefined : await makeCustomer(api.client, { name });
    await makeDemand(api.client, { amount_cents, description }, payer && { payer });
  }
});

/** The positions in `made` of the payments, as they are listed. */
async function order(query: string): Promise<number[]> {
  const list = async (path: string): Promise<ResourceObject[]> =>
    (await api.client.get(path)).body.data;
  const first = (await list('/v2/payment_demands?sort=created_at')).map(({ id }) => id);
  return (await list(`/v2/payment_demands?${query}`)).map(({ id }) => first.indexOf(id));
}

describe('a sort', () => {
  it.each([
    ['the newest first, where none is asked for', '', [3, 2, 1, 0]],
    ['68. up', 'sort=created_at', [0, 1, 2, 3]],
    ['69. down', 'sort=-created_at', [3, 2, 1, 0]],
    ['70. by one, then by another', 'sort=amount_cents,-description', [3, 1, 2, 0]],
    ['70. down, then up', 'sort=-amount_cents,created_at', [0, 2, 1, 3]],
    ['74. ties by id, in the direction of the last key', 'sort=amount_cents', [1, 3, 2, 0]],
    ['74. ties by id, downwards', 'sort=-amount_cents', [0, 2, 3, 1]],
    ['75. null after everything, upwards', 'sort=description', [1, 2, 0, 3]],
    ['75. null before everything, downwards', 'sort=-description', [3, 0, 2, 1]],
    ['73. over a relationship', 'sort=payer.name,created_at', [1, 3, 0, 2]],
    ['by id', 'sort=-id', [3, 2, 1, 0]],
    ['of several parameters is one', 'sort=amount_cents&sort=-created_at', [3, 1, 2, 0]],
  ])('%s', async (_what, query, expected) => {
    expect(await order(query)).toEqual(expected);
  });

  it('74. gives the same order every time', async () => {
    expect(await order('sort=amount_cents')).toEqual(await order('sort=amount_cents'));
  });

  it.each([
    ['71. a field that does not exist', 'unknown'],
    ['71. a field that may not be sorted by', 'line_items'],
    ['71. a secret field', 'threeds_cryptogram'],
    ['71. a field of a related record that does not exist', 'payer.unknown'],
    ['71. a relationship to many', 'payer.addresses.city'],
    ['71. two minus signs', '--created_at'],
  ])('by %s is 400', async (_what, sort) => {
    const answer = await api.client.get(`/v2/payment_demands?sort=${sort}`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['invalid_sort', 'sort']]]);
  });

  it('by more than five keys is 400', async () => {
    const answer = await api.client.get(
      '/v2/payment_demands?sort=status,description,amount_cents,fee_cents,created_at,updated_at',
    );
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['query_too_costly', 'sort']]]);
  });

  it('72. of a single record is 400', async () => {
    const [{ id }] = (await api.client.get('/v2/payment_demands')).body.data;
    const answer = await api.client.get(`/v2/payment_demands/${id}?sort=created_at`);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [['unknown_parameter', 'sort']]]);
  });
});
