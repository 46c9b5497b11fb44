import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import type { ResourceObject } from '../support/client.ts';
import { makeCustomer, makeDemand, makeOneOfEach } from '../support/make.ts';
import { patch } from '../support/resource-suite.ts';

const api = useApi();
let demand: ResourceObject;
beforeAll(async () => {
  demand = await makeOneOfEach(api.client);
});

describe('the link of a document to itself', () => {
  it.each([
    '/v2/customers',
    '/v2/payment_demands?filter[status]=ready,incomplete&sort=-amount_cents&page[size]=1',
    '/v2/payment_demands?include=payer,billing_address&fields[customers]=name',
    '/v2/customers?filter[name][like]=a%26b%20c%2Bd',
  ])('36. %s fetched verbatim gives the same document', async (path) => {
    const { body } = await api.client.get(path);
    expect(body.links.self).toMatch(/^http:\/\/localhost:\d+\/v2\//);
    expect((await api.client.get(body.links.self!)).body).toEqual(body);
  });

  it('35. has its brackets percent-encoded', async () => {
    const { body } = await api.client.get('/v2/customers?page[size]=3&filter[name]=Zoë');
    expect(new URL(body.links.self!).search).toBe('?page%5Bsize%5D=3&filter%5Bname%5D=Zo%C3%AB');
  });

  it('36. begins with the configured address, whatever Host says', async () => {
    const { body } = await api.client.get('/v2/customers', { host: 'evil.example' });
    expect(body.links.self).toBe(`${api.stack.baseUrl}/v2/customers`);
  });
});

describe('the links of a record', () => {
  it.each(Object.keys(resources))('37. of %s lead to it', async (type) => {
    const [record] = (await api.client.get(`/v2/${type}`)).body.data;
    const { status, body } = await api.client.get(record.links.self);
    expect([status, body.data.type, body.data.id]).toEqual([200, type, record.id]);
  });

  it('38. to its relationships answer 200, also where they are empty', async () => {
    for (const [name, { links }] of Object.entries(demand.relationships)) {
      expect((await api.client.get(links.related!)).status, name).toBe(200);
    }
  });

  it('39. stay the same when the related record changes', async () => {
    const payer = await makeCustomer(api.client);
    const made = await makeDemand(api.client, {}, { payer });
    await patch(api, payer, { name: 'Changed' });
    const after = await api.client.fetch('payment_demands', made.id);
    expect(after.relationships.payer?.links).toEqual(made.relationships.payer?.links);
  });

  it('42, 43. to a relationship are self and related, both its own address', () => {
    for (const [name, { links }] of Object.entries(demand.relationships)) {
      const address = `${demand.links.self}/relationships/${name}`;
      expect(links).toEqual({ self: address, related: address });
    }
  });
});
