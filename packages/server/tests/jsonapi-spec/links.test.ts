import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, MEDIA_TYPE, type ResourceObject } from '../support/client.ts';
import { isInvalidLink } from '../support/json-api-document.ts';
import { makeCardlessPayment, makeCustomer, makeDemand } from '../support/make.ts';
import { patch } from '../support/resource-suite.ts';

const api = useApi();
let demand: ResourceObject;
beforeAll(async () => {
  demand = await makeCardlessPayment(api.client);
});

const PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/';
const WITH_PROFILE = `${MEDIA_TYPE}; profile="${PROFILE}"`;

describe('the links of a document', () => {
  it.each([
    ['/v2/customers?page[size]=1', MEDIA_TYPE],
    ['/v2/customers?filter[name]=Zoë&page[total]=true', MEDIA_TYPE],
    ['/v2/customers?page[size]=1', WITH_PROFILE],
    ['/v2/merchants', MEDIA_TYPE],
  ])('#35 are URI references, link objects or null: %s, %s', async (path, accept) => {
    const { body } = await api.client.get(path, { accept });
    const records = body.data.flatMap(({ links, relationships }: ResourceObject) => [
      links,
      ...Object.values(relationships).map((relationship) => relationship.links),
    ]);
    const links = [body.links, ...records].flatMap((linksObject) => Object.entries(linksObject));
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter(([, link]) => isInvalidLink(link))).toEqual([]);
  });

  it.each([
    '/v2/customers',
    '/v2/payment_demands?filter[status]=ready,incomplete&sort=-amount_cents&page[size]=1',
    '/v2/payment_demands?include=payer,billing_address&fields[customers]=name',
    '/v2/customers?filter[name][like]=a%26b%20c%2Bd',
  ])('#36 to itself, fetched verbatim, gives the same document: %s', async (path) => {
    const { body } = await api.client.get(path);
    expect(body.links.self).toMatch(/^http:\/\/localhost:\d+\/v2\//);
    expect((await api.client.get(body.links.self!)).body).toEqual(body);
  });

  it('to itself has its brackets percent-encoded', async () => {
    const { body } = await api.client.get('/v2/customers?page[size]=3&filter[name]=Zoë');
    expect(new URL(body.links.self!).search).toBe('?page%5Bsize%5D=3&filter%5Bname%5D=Zo%C3%AB');
  });

  it('to itself begins with the configured address, whatever Host is sent', async () => {
    const { body } = await api.client.get('/v2/customers', { host: 'evil.example' });
    expect(body.links.self).toBe(`${api.stack.baseUrl}/v2/customers`);
  });

  it.each([
    ['a list', () => api.client.get('/v2/customers')],
    ['a record', () => api.client.get(`/v2/payment_demands/${demand.id}`)],
    [
      'an empty relationship',
      () => api.client.get(`/v2/payment_demands/${demand.id}/relationships/receiver`),
    ],
    [
      'a new record',
      () =>
        api.client.send('POST', '/v2/customers', documentOf('customers', { email: 'a@b.example' })),
    ],
  ])('#40 lead to the description of the interface: %s', async (_title, send) => {
    const { describedby } = (await send()).body.links;
    expect(describedby).toBe(`${api.stack.baseUrl}/v2/openapi.json`);
    const description = await api.client.get(describedby!);
    expect([description.status, Object.keys(description.body)]).toEqual([
      200,
      expect.arrayContaining(['openapi', 'paths']),
    ]);
  });

  it('#41 to itself have the media type if a profile was requested', async () => {
    const { body } = await api.client.get('/v2/customers?page[size]=1', { accept: WITH_PROFILE });
    const href = `${api.stack.baseUrl}/v2/customers?page%5Bsize%5D=1`;
    expect(body.links.self).toEqual({ href, type: WITH_PROFILE });
    const plainAnswer = await api.client.get('/v2/customers?page[size]=1');
    expect(plainAnswer.body.links.self).toBe(href);
  });
});

describe('the links of a record', () => {
  it('#37 are its address', async () => {
    const [record] = (await api.client.get('/v2/customers')).body.data;
    const { status, body } = await api.client.get(record.links.self);
    expect([status, body.data]).toEqual([200, record]);
  });

  it('#38 to its relationships answer 200, also if they are empty', async () => {
    const emptyRelationships = Object.values(demand.relationships).filter(
      ({ data }) => data === null,
    );
    expect(emptyRelationships.length).toBeGreaterThan(0);
    for (const [name, { links }] of Object.entries(demand.relationships)) {
      expect((await api.client.get(links.related!)).status, name).toBe(200);
    }
  });

  it('#39 stay the same when the related record changes', async () => {
    const payer = await makeCustomer(api.client);
    const payment = await makeDemand(api.client, {}, { payer });
    await patch(api, payer, { name: 'Changed' });
    const paymentAfter = await api.client.fetch('payment_demands', payment.id);
    expect(paymentAfter.relationships.payer?.links).toEqual(payment.relationships.payer?.links);
  });

  it('#42 to a relationship are self and related, both its own address', async () => {
    for (const [name, { links }] of Object.entries(demand.relationships)) {
      const address = `${demand.links.self}/relationships/${name}`;
      expect(links).toEqual({ self: address, related: address });
    }
    const { body } = await api.client.get(demand.relationships.payer!.links.self!);
    expect(body.data).toHaveProperty('attributes.email');
  });

  it('#43 to a relationship are always present', async () => {
    const { body } = await api.client.get('/v2/payment_demands?include=payer.addresses');
    const records: ResourceObject[] = [...body.data, ...body.included!];
    for (const { relationships } of records) {
      for (const relationship of Object.values(relationships)) {
        expect(relationship.links).toEqual({
          self: expect.any(String),
          related: expect.any(String),
        });
      }
    }
  });
});
