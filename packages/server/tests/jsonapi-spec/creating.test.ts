import { resources } from '@florin/contract/resources/index.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { documentOf, type ResourceObject, UNKNOWN_ID } from '../support/client.ts';
import { unreachableUrl } from '../support/hooks.ts';
import { violationsOf } from '../support/json-api-document.ts';
import { address, makeCustomer, makeParties, purchase } from '../support/make.ts';
import { countOf, errorsOf } from '../support/resource-suite.ts';

const api = useApi();
const attributes = { email: 'ada@example.com' };
const post = (body: unknown, type = 'customers') => api.client.send('POST', `/v2/${type}`, body);
let customer: ResourceObject;
beforeAll(async () => {
  customer = await makeCustomer(api.client);
});

/** Sends a create that must be refused without storing anything. */
async function sendRefusedCreate(
  body: unknown,
  type: 'customers' | 'consumer_addresses' = 'customers',
) {
  const countBefore = await countOf(api, type);
  const answer = await post(body, type);
  expect(await countOf(api, type)).toBe(countBefore);
  expect(violationsOf(answer.body)).toEqual([]);
  return [answer.status, errorsOf(answer)];
}
const addressWith = (relationship: unknown) => ({
  data: {
    type: 'consumer_addresses',
    attributes: address,
    relationships: { customer: relationship },
  },
});
const sendRefusedCustomer = (relationship: unknown) =>
  sendRefusedCreate(addressWith(relationship), 'consumer_addresses');

describe('a create', () => {
  it('#121 is 201, with a server-generated id', async () => {
    const { status, body } = await post(documentOf('customers', attributes));
    expect([status, violationsOf(body)]).toEqual([201, []]);
    expect(body.data.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('#122 has the address of the record, which is its self link', async () => {
    const { headers, body } = await post(documentOf('customers', attributes));
    expect(headers.get('location')).toBe(body.data.links.self);
    expect((await api.client.get(headers.get('location')!)).body.data).toEqual(body.data);
  });

  it.each<[title: string, body: unknown, code: string, pointer: string | undefined]>([
    ['nothing at all', '', 'invalid_document', undefined],
    ['no JSON', '{"data":', 'malformed_json', undefined],
    ['a list', [], 'invalid_document', undefined],
    ['no data', {}, 'invalid_document', ''],
    ['null as data', { data: null }, 'invalid_document', '/data'],
    ['a list as data', { data: [{ type: 'customers' }] }, 'invalid_document', '/data'],
    [
      'a list as relationships',
      { data: { type: 'customers', attributes, relationships: [] } },
      'invalid_document',
      '/data/relationships',
    ],
    [
      'a text as relationships',
      { data: { type: 'customers', attributes, relationships: 'merchant' } },
      'invalid_document',
      '/data/relationships',
    ],
  ])('#123 of %s is 400', async (_title, body, code, pointer) => {
    expect(await sendRefusedCreate(body)).toEqual([400, [[code, pointer]]]);
  });

  it.each([[[]], [null]])(
    'with attributes that are not an object (%j) is 400',
    async (invalidAttributes) => {
      const answer = await post({ data: { type: 'customers', attributes: invalidAttributes } });
      expect(answer.status).toBe(400);
      expect(errorsOf(answer)).toContainEqual(['invalid_document', '/data/attributes']);
    },
  );

  it.each([undefined, 7, null])('#124 without a type is 400: %s', async (type) => {
    expect(await sendRefusedCreate({ data: { type, attributes } })).toEqual([
      400,
      [['invalid_document', '/data']],
    ]);
  });

  it('#125 of another type is 409', async () => {
    expect(await sendRefusedCreate({ data: { type: 'events', attributes } })).toEqual([
      409,
      [['type_conflict', '/data/type']],
    ]);
  });

  it.each([UNKNOWN_ID, '1'])('#126 with an id of the client is 403: %s', async (id) => {
    expect(await sendRefusedCreate({ data: { type: 'customers', id, attributes } })).toEqual([
      403,
      [['client_id_forbidden', '/data/id']],
    ]);
  });

  it.each<[relationship: unknown, below: string]>([
    [{}, ''],
    [null, ''],
    [{ type: 'customers', id: UNKNOWN_ID }, ''],
    [{ data: [] }, '/data'],
    [{ data: { id: UNKNOWN_ID } }, '/data'],
  ])(
    '#127 with a relationship without data, or with malformed data, is 400: %j',
    async (relationship, below) => {
      expect(await sendRefusedCustomer(relationship)).toEqual([
        400,
        [['invalid_document', `/data/relationships/customer${below}`]],
      ]);
    },
  );

  it('#128 with a relationship to an unknown record is 404, and to another type 409', async () => {
    for (const id of [UNKNOWN_ID, '7'])
      expect(await sendRefusedCustomer({ data: { type: 'customers', id } })).toEqual([
        404,
        [['relationship_not_found', '/data/relationships/customer']],
      ]);
    expect(await sendRefusedCustomer({ data: { type: 'events', id: UNKNOWN_ID } })).toEqual([
      409,
      [['type_conflict', '/data/relationships/customer/data/type']],
    ]);
  });

  it('with a relationship to a record accepts its id in any case, and null for none', async () => {
    const upperCaseLinkage = { data: { type: 'customers', id: customer.id.toUpperCase() } };
    const answer = await post(addressWith(upperCaseLinkage), 'consumer_addresses');
    expect(answer.body.data.relationships.customer.data.id).toBe(customer.id);
    const unsetAnswer = await post(addressWith({ data: null }), 'consumer_addresses');
    expect([unsetAnswer.status, unsetAnswer.body.data.relationships.customer.data]).toEqual([
      201,
      null,
    ]);
  });

  it('#129 with missing or ill-typed values is 422 for each', async () => {
    expect(await sendRefusedCreate({ data: { type: 'customers' } })).toEqual([
      422,
      [['blank', '/data/attributes/email']],
    ]);
    expect(
      await sendRefusedCreate(documentOf('customers', { email: 7, name: {}, phone_number: 'x' })),
    ).toEqual([
      422,
      [
        ['invalid', '/data/attributes/email'],
        ['invalid', '/data/attributes/name'],
        ['invalid_phone', '/data/attributes/phone_number'],
      ],
    ]);
  });

  it.each([
    ['nmae', 'unknown_attribute', 'nmae'],
    ['id', 'unknown_attribute', 'id'],
    ['a/b~c', 'unknown_attribute', 'a~1b~0c'],
    ['created_at', 'read_only', 'created_at'],
  ])('#130 with an unknown or read-only attribute is 422: %s', async (name, code, pointerName) => {
    const answer = await post(documentOf('customers', { ...attributes, [name]: 'zx81' }));
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [[code, `/data/attributes/${pointerName}`]],
    ]);
    expect(JSON.stringify(answer.body)).not.toContain('zx81');
    const { detail } = answer.body.errors![0]!;
    if (name === 'nmae')
      expect(detail).toMatch(/^customers has no attribute `nmae`; the nearest is `name`\./);
    if (code === 'unknown_attribute')
      expect(detail).toMatch(/Accepted: email, name, phone_number, description, .*metadata\.$/);
  });

  it('with empty read-only members, and links without data, is the same as without them', async () => {
    const document = documentOf('customers', { ...attributes, created_at: null, blocked_at: null });
    const relationships = { merchant: { data: null }, addresses: { links: { self: '/x' } } };
    const answer = await post({ data: { ...document.data, id: null, relationships } });
    expect([answer.status, answer.body.data?.attributes]).toEqual([
      201,
      expect.objectContaining(attributes),
    ]);
    const incompleteRelationships = { payment_demand: { links: { self: '/x' } } };
    const refund = { data: { type: 'refund_demands', relationships: incompleteRelationships } };
    expect(errorsOf(await post(refund, 'refund_demands'))).toContainEqual([
      'blank',
      '/data/relationships/payment_demand',
    ]);
  });

  it('with an unknown member of an object is 422, and lists the known ones', async () => {
    const line_items = [{ quantity: 1, amount_cents: 1, amount_currency: 'USD', skuu: 'zx81' }];
    const answer = await post(
      documentOf('payment_demands', { amount_cents: 100, amount_currency: 'USD', line_items }),
      'payment_demands',
    );
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [['unknown_attribute', '/data/attributes/line_items/0/skuu']],
    ]);
    expect(answer.body.errors![0]!.detail).toMatch(/Accepted: .*sku.*quantity/);
  });

  it('with an unknown relationship is 422', async () => {
    const relationships = { cat: { data: null } };
    expect(
      await sendRefusedCreate({ data: { type: 'customers', attributes, relationships } }),
    ).toEqual([422, [['unknown_relationship', '/data/relationships/cat']]]);
  });

  it('#131 that is refused stores nothing, not even an event', async () => {
    const eventsBefore = await countOf(api, 'events');
    await sendRefusedCreate(documentOf('customers', { ...attributes, phone_number: 'x' }));
    await sendRefusedCustomer({ data: { type: 'customers', id: UNKNOWN_ID } });
    expect(await countOf(api, 'events')).toBe(eventsBefore);
  });

  it('#132 ignores members that begin with @', async () => {
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

  it('ignores members that JSON:API allows beside the fields', async () => {
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

  it.each(
    Object.values(resources)
      .filter(({ operations }) => !(operations as readonly string[]).includes('create'))
      .map(({ type }) => type),
  )('#133 of a type that is not created is 405: %s', async (type) => {
    const answer = await post(documentOf(type, {}), type);
    expect([answer.status, errorsOf(answer)]).toEqual([405, [['method_not_allowed', undefined]]]);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it.each(['customers', 'webhook_subscriptions', 'payment_methods'])(
    '#134 with the same Idempotency-Key is answered with the same record: %s',
    async (type) => {
      const attributesByType: Record<string, () => object> = {
        customers: () => attributes,
        webhook_subscriptions: () => ({
          url: unreachableUrl(),
          events: ['consumer.customers.created'],
        }),
        payment_methods: () => ({
          card_pan_token: 'pan_test_visa',
          expiry_month: 1,
          expiry_year: 2040,
        }),
      };
      const send = (body: object, headers: Record<string, string>) =>
        api.client.send('POST', `/v2/${type}`, documentOf(type, body), headers);
      const body = attributesByType[type]!();
      const firstAnswer = await send(body, { 'idempotency-key': 'once' });
      const repeatedAnswer = await send(body, { 'idempotency-key': '"once"' });
      expect([firstAnswer.status, repeatedAnswer.status]).toEqual([201, 201]);
      expect(repeatedAnswer.body).toEqual(firstAnswer.body);
      const otherAnswer = await send(attributesByType[type]!(), { 'idempotency-key': 'twice' });
      expect(otherAnswer.body.data.id).not.toBe(firstAnswer.body.data.id);
    },
  );

  it('with the Idempotency-Key of another request is 409', async () => {
    const send = (email: string) =>
      api.client.send('POST', '/v2/customers', documentOf('customers', { email }), {
        'idempotency-key': 'taken',
      });
    await send('one@example.com');
    const answer = await send('two@example.com');
    expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([409, 'idempotency_conflict']);
  });

  it('with an Idempotency-Key that is too long is 422 and names the header', async () => {
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

  it('#135 is never deferred: 201 with the record, even if workers continue the payment', async () => {
    const parties = await makeParties(api.client);
    const document = documentOf('payment_demands', { ...purchase, confirmed: true }, parties);
    const { status, headers, body } = await post(document, 'payment_demands');
    expect([status, body.data.attributes.status]).toEqual([201, 'pending']);
    expect(headers.get('content-location')).toBeNull();
  });
});
