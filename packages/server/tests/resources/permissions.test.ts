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
const fetchPermission = async (slug: string): Promise<ResourceObject> =>
  (await list(api.client, `&filter[slug]=${slug}`))[0] as ResourceObject;
const idsOf = (records: readonly Pick<ResourceObject, 'id'>[] = []): string[] =>
  records.map(({ id }) => id).toSorted();

/** Creates the only keys of a new merchant. */
async function makeKeys() {
  const merchant = await api.fixtures.makeMerchant();
  const client = api.as(await merchant.makeKey());
  await merchant.makeKey({ permissions: [SLUG] });
  await merchant.makeKey({ permissions: ['consumer.customers.create'] });
  await merchant.makeKey({ context: 'browser' });
  await merchant.makeKey({ mode: 'live' });
  const keys: ResourceObject[] = (await client.get('/v2/merchant_tokens?sort=created_at')).body
    .data;
  const [fullKeyId, readKeyId, createKeyId, publishableKeyId] = keys.map(({ id }) => id) as [
    string,
    string,
    string,
    string,
  ];
  return { client, fullKeyId, readKeyId, createKeyId, publishableKeyId };
}

describe('a permission', () => {
  describeReads(api, 'permissions', () => newestOf(api.client, 'permissions'));
  describeRefusedMethods(api, 'permissions');

  it('exists for every right of a key, with a sentence about it', async () => {
    const permissions = await list(api.client, '&sort=slug');
    expect(permissions.map(({ attributes }) => [attributes.slug, attributes.description])).toEqual(
      catalogue
        .map(({ slug, description }) => [slug, description])
        .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    );
    expect(new Set(catalogue.map(({ slug }) => slug)).size).toBe(catalogue.length);
    for (const { description } of catalogue) expect(description).toMatch(/^[A-Z].{5,120}$/);
  });

  it('is the same for all merchants and modes', async () => {
    const otherClient = api.as(await (await api.fixtures.makeMerchant()).makeKey());
    const permissionIds = idsOf(await list(api.client));
    expect(idsOf(await list(otherClient))).toEqual(permissionIds);
    expect(idsOf(await list(api.live))).toEqual(permissionIds);
  });
});

describe('the keys of a permission', () => {
  it('are those that list it and those without a list, never publishable ones, in the own merchant and mode', async () => {
    const { client, fullKeyId, readKeyId } = await makeKeys();
    const { id } = await fetchPermission(SLUG);
    const related = await client.get(`/v2/permissions/${id}/relationships/merchant_tokens`);
    expect(idsOf(related.body.data)).toEqual([fullKeyId, readKeyId].toSorted());
    const { body } = await client.get(`/v2/permissions/${id}?include=merchant_tokens`);
    expect(idsOf(body.included)).toEqual([fullKeyId, readKeyId].toSorted());
    expect(idsOf(body.data.relationships.merchant_tokens.data)).toEqual(idsOf(body.included));
  });

  it('and the permissions of a key are inverse relationships', async () => {
    const { client, fullKeyId, readKeyId, createKeyId, publishableKeyId } = await makeKeys();
    const expected = {
      [fullKeyId]: catalogue.length,
      [readKeyId]: 1,
      [createKeyId]: 1,
      [publishableKeyId]: 0,
    };
    for (const [keyId, count] of Object.entries(expected)) {
      const path = `/v2/merchant_tokens/${keyId}/relationships/permissions?page[size]=500`;
      const keyPermissionIds = idsOf((await client.get(path)).body.data);
      const filteredIds = idsOf(await list(client, `&filter[merchant_tokens]=${keyId}`));
      expect([keyId, keyPermissionIds.length]).toEqual([keyId, count]);
      expect(filteredIds).toEqual(keyPermissionIds);
    }
  });

  it('filter keys', async () => {
    const { client, fullKeyId, readKeyId, publishableKeyId } = await makeKeys();
    const listSlugs = async (query: string) =>
      idsOf((await client.get(`/v2/merchant_tokens?${query}`)).body.data);
    expect(await listSlugs(`filter[permissions.slug]=${SLUG}`)).toEqual(
      [fullKeyId, readKeyId].toSorted(),
    );
    expect(await listSlugs('filter[permissions]=null')).toEqual([publishableKeyId]);
    expect(await listSlugs('filter[permissions.slug]=nothing.such.read')).toEqual([]);
  });

  it('of several keys are included in one document, each with its own', async () => {
    const { client, fullKeyId, readKeyId, createKeyId, publishableKeyId } = await makeKeys();
    const { body } = await client.get('/v2/merchant_tokens?include=permissions');
    const counts = Object.fromEntries(
      body.data.map((key: ResourceObject) => [
        key.id,
        (key.relationships.permissions!.data as unknown[]).length,
      ]),
    );
    expect(counts).toEqual({
      [fullKeyId]: catalogue.length,
      [readKeyId]: 1,
      [createKeyId]: 1,
      [publishableKeyId]: 0,
    });
  });
});
