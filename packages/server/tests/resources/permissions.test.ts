import { permissionsOf } from '@florin/contract/permissions.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { Client, ResourceObject } from '../support/client.ts';
import { newestOf } from '../support/make.ts';
import { describeReads, describeRefusedMethods } from '../support/resource-suite.ts';

const api = useApi();
const catalogue = permissionsOf(resources);
const SLUG = 'consumer.customers.read';

const list = async (client: Client, query = ''): Promise<ResourceObject[]> =>
  (await client.get(`/v2/permissions?page[size]=500${query}`)).body.data;
const bySlug = async (slug: string): Promise<ResourceObject> =>
  (await list(api.client, `&filter[slug]=${slug}`))[0] as ResourceObject;
const idsOf = (records: readonly Pick<ResourceObject, 'id'>[] = []): string[] =>
  records.map(({ id }) => id).toSorted();

/** Keys of a merchant that has no others. */
async function keysOfOneMerchant() {
  const merchant = await api.fixtures.makeMerchant();
  const client = api.as(await merchant.key());
  await merchant.key({ permissions: [SLUG] });
  await merchant.key({ permissions: ['consumer.customers.create'] });
  await merchant.key({ context: 'browser' });
  await merchant.key({ mode: 'live' });
  const keys: ResourceObject[] = (await client.get('/v2/merchant_tokens?sort=created_at')).body
    .data;
  const [every, reading, creating, publishable] = keys.map(({ id }) => id) as [
    string,
    string,
    string,
    string,
  ];
  return { client, every, reading, creating, publishable };
}

describe('a permission', () => {
  describeReads(api, 'permissions', () => newestOf(api.client, 'permissions'));
  describeRefusedMethods(api, 'permissions');

  it('exists for every right of a key, with a sentence about it', async () => {
    const listed = await list(api.client, '&sort=slug');
    expect(listed.map(({ attributes }) => [attributes.slug, attributes.description])).toEqual(
      catalogue
        .map(({ slug, description }) => [slug, description])
        .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    );
    expect(new Set(catalogue.map(({ slug }) => slug)).size).toBe(catalogue.length);
    for (const { description } of catalogue) expect(description).toMatch(/^[A-Z].{5,120}$/);
  });

  it('is the same for all merchants and modes', async () => {
    const other = api.as(await (await api.fixtures.makeMerchant()).key());
    const own = idsOf(await list(api.client));
    expect(idsOf(await list(other))).toEqual(own);
    expect(idsOf(await list(api.live))).toEqual(own);
  });
});

describe('the keys of a permission', () => {
  it('are those that list it and those without a list, never publishable ones, in the own merchant and mode', async () => {
    const { client, every, reading } = await keysOfOneMerchant();
    const { id } = await bySlug(SLUG);
    const related = await client.get(`/v2/permissions/${id}/relationships/merchant_tokens`);
    expect(idsOf(related.body.data)).toEqual([every, reading].toSorted());
    const { body } = await client.get(`/v2/permissions/${id}?include=merchant_tokens`);
    expect(idsOf(body.included)).toEqual([every, reading].toSorted());
    expect(idsOf(body.data.relationships.merchant_tokens.data)).toEqual(idsOf(body.included));
  });

  it('and the permissions of a key are inverse relationships', async () => {
    const { client, every, reading, creating, publishable } = await keysOfOneMerchant();
    const expected = { [every]: catalogue.length, [reading]: 1, [creating]: 1, [publishable]: 0 };
    for (const [key, count] of Object.entries(expected)) {
      const path = `/v2/merchant_tokens/${key}/relationships/permissions?page[size]=500`;
      const over = idsOf((await client.get(path)).body.data);
      const back = idsOf(await list(client, `&filter[merchant_tokens]=${key}`));
      expect([key, over.length]).toEqual([key, count]);
      expect(back).toEqual(over);
    }
  });

  it('filter keys', async () => {
    const { client, every, reading, publishable } = await keysOfOneMerchant();
    const listSlugs = async (query: string) =>
      idsOf((await client.get(`/v2/merchant_tokens?${query}`)).body.data);
    expect(await listSlugs(`filter[permissions.slug]=${SLUG}`)).toEqual(
      [every, reading].toSorted(),
    );
    expect(await listSlugs('filter[permissions]=null')).toEqual([publishable]);
    expect(await listSlugs('filter[permissions.slug]=nothing.such.read')).toEqual([]);
  });

  it('of several keys are included in one document, each with its own', async () => {
    const { client, every, reading, creating, publishable } = await keysOfOneMerchant();
    const { body } = await client.get('/v2/merchant_tokens?include=permissions');
    const counts = Object.fromEntries(
      body.data.map((key: ResourceObject) => [
        key.id,
        (key.relationships.permissions!.data as unknown[]).length,
      ]),
    );
    expect(counts).toEqual({
      [every]: catalogue.length,
      [reading]: 1,
      [creating]: 1,
      [publishable]: 0,
    });
  });
});
