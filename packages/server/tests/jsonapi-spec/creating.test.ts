import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, NOBODY, type ResourceObject } from '../support/client.ts';
import { flawsOf } from '../support/json-api-document.ts';
import { address, makeCustomer } from '../support/make.ts';
import { countOf, errorsOf } from '../support/resource-suite.ts';

const api = useApi();
const attributes = { email: 'ada@example.com' };
const post = (body: unknown, type = 'customers') => api.client.send('POST', `/v2/${type}`, body);
let customer: ResourceObject;
beforeAll(async () => {
  customer = await makeCustomer(api.client);
});

describe('a create', () => {
  it('121, 122. is 201, with an id of the server and the address of the record', async () => {
    const { status, headers, body } = await post(documentOf('customers', attributes));
    expect(status).toBe(201);
    expect(body.data.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(headers.get('location')).toBe(body.data.links.self);
    expect((await api.client.get(headers.get('location')!)).body.data).toEqual(body.data);
    expect(flawsOf(body)).toEqual([]);
  });

  it.each<[what: string, body: unknown, status: number, code: string, pointer: string | undefined]>(
    [
      ['123. nothing at all', '', 400, 'invalid_document', undefined],
      ['123. no JSON', '{"data":', 400, 'malformed_json', undefined],
      ['123. a list', [], 400, 'invalid_document', undefined],
      ['123. no data', {}, 400, 'invalid_document', ''],
      ['123. null as data', { data: null }, 400, 'invalid_document', '/data'],
      ['123. a list as data', { data: [{ type: 'customers' }] }, 400, 'invalid_document', '/data'],
      ['124. no type', { data: { attributes } }, 400, 'invalid_document', '/data'],
      [
        '124. a type that is no text',
        { data: { type: 7, attributes } },
        400,
        'invalid_document',
        '/data',
      ],
      [
        '125. another type',
        { data: { type: 'events', attributes } },
        409,
        'type_conflict',
        '/data/type',
      ],
      [
        '126. an id',
        { data: { type: 'customers', id: NOBODY, attributes } },
        403,
        'client_id_forbidden',
        '/data/id',
      ],
      [
        '126. an id that is no UUID',
        { data: { type: 'customers', id: '1', attributes } },
        403,
        'client_id_forbidden',
        '/data/id',
      ],
      [
        '129. no attributes',
        { data: { type: 'customers' } },
        422,
        'blank',
        '/data/attributes/email',
      ],
      [
        '130. a misspelt attribute',
        documentOf('customers', { ...attributes, nmae: 'x' }),
        422,
        'unknown_attribute',
        '/data/attributes/nmae',
      ],
      [
        '130. an attribute of the server',
        documentOf('customers', { ...attributes, created_at: 'x' }),
        422,
        'read_only',
        '/data/attributes/created_at',
      ],
      [
        '130. the id as an attribute',
        documentOf('customers', { ...attributes, id: NOBODY }),
        422,
        'unknown_attribute',
        '/data/attributes/id',
      ],
      [
        '130. an unknown relationship',
        { data: { type: 'customers', attributes, relationships: { cat: { data: null } } } },
        422,
        'unknown_relationship',
        '/data/relationships/cat',
      ],
      [
        '130. a pointer with a slash and a tilde',
        documentOf('customers', { ...attributes, 'a/b~c': 1 }),
        422,
        'unknown_attribute',
        '/data/attributes/a~1b~0c',
      ],
    ],
  )('of %s is refused, and nothing is stored', async (_what, body, status, code, pointer) => {
    const before = await countOf(api, 'customers');
    const answer = await post(body);
    expect([answer.status, errorsOf(answer)]).toEqual([status, [[code, pointer]]]);
    expect(await countOf(api, 'customers')).toBe(before);
  });

  it.each([
    ['attributes', []],
    ['attributes', null],
    ['relationships', []],
    ['relationships', 'merchant'],
  ])('123. with %s that are no object (%j) is 400', async (member, value) => {
    const answer = await post(
      { data: { type: 'consumer_addresses', attributes: address, [member]: value } },
      'consumer_addresses',
    );
    expect(answer.status).toBe(400);
    expect(errorsOf(answer)).toContainEqual(['invalid_document', `/data/${member}`]);
  });

  it.each<[what: string, relationship: unknown, status: number, code: string, below: string]>([
    ['127. no data', {}, 400, 'invalid_document', ''],
    ['127. null', null, 400, 'invalid_document', ''],
    [
      '127. an identifier without data',
      { type: 'customers', id: NOBODY },
      400,
      'invalid_document',
      '',
    ],
    ['127. a list', { data: [] }, 400, 'invalid_document', '/data'],
    ['127. an id alone', { data: { id: NOBODY } }, 400, 'invalid_document', '/data'],
    [
      '128. a record that does not exist',
      { data: { type: 'customers', id: NOBODY } },
      404,
      'relationship_not_found',
      '',
    ],
    [
      '128. an id that is no UUID',
      { data: { type: 'customers', id: '7' } },
      404,
      'relationship_not_found',
      '',
    ],
    [
      '128. another type',
      { data: { type: 'events', id: NOBODY } },
      409,
      'type_conflict',
      '/data/type',
    ],
  ])('with a relationship that is %s', async (_what, relationship, status, code, below) => {
    const body = {
      data: {
        type: 'consumer_addresses',
        attributes: address,
        relationships: { customer: relationship },
      },
    };
    const before = await countOf(api, 'consumer_addresses');
    const answer = await post(body, 'consumer_addresses');
    expect([answer.status, errorsOf(answer)]).toEqual([
      status,
      [[code, `/data/relationships/customer${below}`]],
    ]);
    expect(await countOf(api, 'consumer_addresses')).toBe(before);
  });

  it('with null as a relationship leaves it unset', async () => {
    const { status, body } = await post(
      {
        data: {
          type: 'consumer_addresses',
          attributes: address,
          relationships: { customer: { data: null } },
        },
      },
      'consumer_addresses',
    );
    expect([status, body.data.relationships.customer.data]).toEqual([201, null]);
  });

  it('128. takes ids in any case', async () => {
    const relations = { customer: { type: 'customers', id: customer.id.toUpperCase() } };
    const { body } = await post(
      documentOf('consumer_addresses', address, relations),
      'consumer_addresses',
    );
    expect(body.data.relationships.customer.data.id).toBe(customer.id);
  });

  it('129, 158. with several mistakes names each of them', async () => {
    const answer = await post(
      documentOf('consumer_addresses', { line_2: 7, country: 'XX' }),
      'consumer_addresses',
    );
    expect(answer.status).toBe(422);
    expect(errorsOf(answer).sort()).toEqual([
      ['blank', '/data/attributes/city'],
      ['blank', '/data/attributes/line_1'],
      ['blank', '/data/attributes/state'],
      ['blank', '/data/attributes/zip'],
      ['invalid', '/data/attributes/country'],
      ['invalid', '/data/attributes/line_2'],
    ]);
  });

  it('158. with mistakes of several kinds has the status they have in common', async () => {
    const answer = await post({ data: { type: 'events', id: NOBODY, attributes: {} } });
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map(({ status }) => status)).toEqual(['409', '403', '422']);
  });

  it('132. ignores members that begin with @', async () => {
    const { status, body } = await post({
      data: {
        type: 'customers',
        attributes: { ...attributes, '@context': {} },
        relationships: { '@note': 1 },
        '@id': 'x',
      },
    });
    expect([status, Object.keys(body.data.attributes).includes('@context')]).toEqual([201, false]);
  });

  it('132. ignores what JSON:API says may stand beside the fields', async () => {
    const { status } = await post({
      jsonapi: { version: '1.0' },
      meta: { client: 'x' },
      data: {
        type: 'customers',
        attributes,
        links: { self: '/x' },
        meta: { a: 1 },
        lid: 'local-1',
      },
    });
    expect(status).toBe(201);
  });

  it.each(['customers', 'webhook_subscriptions', 'payment_methods'])(
    '134. of %s with the same Idempotency-Key is answered with the same record',
    async (type) => {
      const bodies: Record<string, object> = {
        customers: attributes,
        webhook_subscriptions: {
          url: 'http://localhost:9/x',
          events: ['consumer.customers.created'],
        },
        payment_methods: { card_pan_token: 'pan_test_visa', expiry_month: 1, expiry_year: 2040 },
      };
      const send = (headers: Record<string, string>) =>
        api.client.send('POST', `/v2/${type}`, documentOf(type, bodies[type]!), headers);
      const first = await send({ 'idempotency-key': 'once' });
      const again = await send({ 'idempotency-key': '"once"' });
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.body).toEqual(first.body);
      const other = await send({ 'idempotency-key': 'twice' });
      expect(other.body.data.id).not.toBe(first.body.data.id);
    },
  );

  it('134. with the Idempotency-Key of another request is 409', async () => {
    const send = (email: string) =>
      api.client.send('POST', '/v2/customers', documentOf('customers', { email }), {
        'idempotency-key': 'taken',
      });
    await send('one@example.com');
    const answer = await send('two@example.com');
    expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('134. with an Idempotency-Key that is too long is 422 and names the header', async () => {
    const answer = await api.client.send(
      'POST',
      '/v2/customers',
      documentOf('customers', attributes),
      {
        'idempotency-key': 'k'.repeat(256),
      },
    );
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['invalid_value', 'Idempotency-Key']],
    ]);
  });
});
