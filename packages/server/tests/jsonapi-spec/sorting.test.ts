import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeCustomer, makeDemand } from '../support/make.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
/** Amount, description and payer name of each payment, in order of creation. */
const payments: readonly (readonly [number, string | null, string | null])[] = [
  [300, 'b', 'Zoe'],
  [100, 'a', 'Ada'],
  [200, 'a', null],
  [100, null, 'Bob'],
];
beforeAll(async () => {
  for (const [amount_cents, description, name] of payments) {
    const payer = name === null ? undefined : await makeCustomer(api.client, { name });
    await makeDemand(api.client, { amount_cents, description }, payer && { payer });
  }
});

/** Indexes of the listed payments in order of creation. */
async function readOrder(query: string): Promise<number[]> {
  const list = async (path: string): Promise<ResourceObject[]> =>
    (await api.client.get(path)).body.data;
  const idsByAge = (await list('/v2/payment_demands?sort=created_at')).map(({ id }) => id);
  return (await list(`/v2/payment_demands?${query}`)).map(({ id }) => idsByAge.indexOf(id));
}

/** Expects the order in which a query lists the payments. */
const expectOrder = async (query: string, expected: readonly number[]): Promise<void> =>
  expect(await readOrder(query)).toEqual(expected);
const readSortError = async (path: string) => {
  const answer = await api.client.get(path);
  return [answer.status, errorsOf(answer)];
};

describe('a sort', () => {
  it('that is not requested is newest first', () => expectOrder('', [3, 2, 1, 0]));

  it('#68 by a field is ascending', () => expectOrder('sort=created_at', [0, 1, 2, 3]));

  it('#69 by a field after a minus sign is descending', async () => {
    await expectOrder('sort=-created_at', [3, 2, 1, 0]);
    await expectOrder('sort=-id', [3, 2, 1, 0]);
  });

  it.each([
    ['sort=amount_cents,-description', [3, 1, 2, 0]],
    ['sort=-amount_cents,created_at', [0, 2, 1, 3]],
    ['sort=amount_cents&sort=-created_at', [3, 1, 2, 0]],
  ])('#70 by several fields is by the first one, then the next: %s', expectOrder);

  it.each([
    'unknown',
    'line_items',
    'threeds_cryptogram',
    'payer.unknown',
    'payer.addresses.city',
    '--created_at',
  ])('#71 by a field that cannot be sorted by is 400: %s', async (sort) => {
    expect(await readSortError(`/v2/payment_demands?sort=${sort}`)).toEqual([
      400,
      [['invalid_sort', 'sort']],
    ]);
  });

  it('by more than five keys is 400', async () => {
    const sort = 'status,description,amount_cents,fee_cents,created_at,updated_at';
    expect(await readSortError(`/v2/payment_demands?sort=${sort}`)).toEqual([
      400,
      [['query_too_costly', 'sort']],
    ]);
  });

  it('#72 of a single record is 400', async () => {
    const [{ id }] = (await api.client.get('/v2/payment_demands')).body.data;
    for (const path of [id, `${id}/relationships/merchant`]) {
      expect(await readSortError(`/v2/payment_demands/${path}?sort=created_at`)).toEqual([
        400,
        [['unknown_parameter', 'sort']],
      ]);
    }
  });

  it('#73 follows to-one relationships', () =>
    expectOrder('sort=payer.name,created_at', [1, 3, 0, 2]));

  it('#74 ends with the id, so that equal values keep one order over all pages', async () => {
    await expectOrder('sort=amount_cents', [1, 3, 2, 0]);
    await expectOrder('sort=-amount_cents', [0, 2, 3, 1]);
    const pages = await Promise.all(
      [1, 2, 3, 4].map((number) =>
        readOrder(`sort=purchase_kind&page[size]=1&page[number]=${number}`),
      ),
    );
    expect(pages.flat().toSorted()).toEqual([0, 1, 2, 3]);
    expect(pages.flat()).toEqual(await readOrder('sort=purchase_kind'));
  });

  it('#75 treats null as the largest value, also in cursors', async () => {
    await expectOrder('sort=description', [1, 2, 0, 3]);
    await expectOrder('sort=-description', [3, 0, 2, 1]);
    const list = '/v2/payment_demands?sort=-description&page[size]=1';
    const firstPage = (await api.client.get(list)).body;
    const secondPage = (await api.client.get(firstPage.links.next!)).body;
    const [firstDescription, secondDescription] = [firstPage, secondPage].map(
      ({ data }) => data[0].attributes.description,
    );
    expect([firstDescription, secondDescription]).toEqual([null, 'b']);
  });
});
