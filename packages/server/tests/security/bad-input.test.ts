import { sandboxCards } from '@florin/contract/card/sandbox-cards.ts';
import { resources } from '@florin/contract/resources/index.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { signIn } from '../support/browser.ts';
import { type Answer, documentOf, MEDIA_TYPE } from '../support/client.ts';
import { violationsOf } from '../support/json-api-document.ts';
import { makeCustomer, purchase } from '../support/make.ts';
import { type RawRequest, rawRequest } from '../support/raw-request.ts';
import { errorsOf } from '../support/resource-suite.ts';

const api = useApi();
const send = (request: RawRequest) =>
  rawRequest(api.stack.baseUrl, {
    ...request,
    headers: {
      authorization: `Bearer ${api.stack.credentials.sandbox.secret_key}`,
      'user-agent': 'florin-tests/1',
      ...(request.body !== undefined && { 'content-type': MEDIA_TYPE }),
      ...request.headers,
    },
  });
const post = (body: string | Uint8Array, path = '/v2/customers') =>
  send({ method: 'POST', path, body });

const types = ['customers', 'payment_demands', 'payment_methods', 'events'] as const;
/** Counts with one statement, because every test counts twice. */
async function countAll(): Promise<unknown> {
  const { id } = await api.fixtures.getDemoMerchant();
  const counts = types.map(
    (type) => `(select count(*) from ${type} where merchant_id = $1) ${type}`,
  );
  return (await api.fixtures.db.query(`select ${counts.join(', ')}`, [id]))[0];
}
let countsBefore: unknown;
beforeEach(async () => {
  countsBefore = await countAll();
});
afterEach(async () => {
  expect(await countAll()).toEqual(countsBefore);
});

function expectRefusal(answer: Answer, status: number, code: string, source?: string): void {
  expect([answer.status, errorsOf(answer)]).toEqual([status, [[code, source]]]);
  expect(answer.headers.get('content-type')).toBe(MEDIA_TYPE);
  expect(violationsOf(answer.body)).toEqual([]);
}

const customerNamed = (name: string): string =>
  `{"data":{"type":"customers","attributes":{"email":"a@example.com","name":"${name}"}}}`;
const customerWithNesting = (levels: number): string =>
  `{"data":{"type":"customers","attributes":{"email":${'['.repeat(levels)}${']'.repeat(levels)}}}}`;

describe('a search of the audit log', () => {
  it('for a NUL finds nothing', async () => {
    const { id } = await api.fixtures.getDemoMerchant();
    const member = await signIn(api.stack.baseUrl, api.stack.credentials.account);
    const path = '/dashboard/api/audit_entries?action=%00';
    const scope = { 'florin-merchant': id, 'florin-mode': 'sandbox' };
    const { status, body } = await member.get(path, scope);
    expect([status, body.data]).toEqual([200, []]);
  });
});

describe('a request body', () => {
  it.each<[title: string, body: string | Uint8Array, status: number, code: string]>([
    ['that ends too early', '{"data":', 400, 'malformed_json'],
    ['of another notation', 'data: {type: customers}', 400, 'malformed_json'],
    ['with two documents', '{}{}', 400, 'malformed_json'],
    ['with a byte order mark', '\ufeff{}', 400, 'malformed_json'],
    ['that is not UTF-8', Buffer.from(customerNamed('\u00ff'), 'latin1'), 400, 'malformed_json'],
    ['in UTF-16', Buffer.from('{"data":{}}', 'utf16le'), 400, 'malformed_json'],
    ['that is a text', '"data"', 400, 'invalid_document'],
    ['that is null', 'null', 400, 'invalid_document'],
    ['nested 21 levels', customerWithNesting(18), 400, 'invalid_document'],
    ['nested a hundred thousand levels', customerWithNesting(100_000), 400, 'invalid_document'],
    ['larger than 256 kB', `"${'x'.repeat(256 * 1024)}"`, 413, 'body_too_large'],
  ])('%s is refused', async (_title, body, status, code) => {
    expectRefusal(await post(body), status, code);
  });

  it('with __proto__ members has unknown attributes', async () => {
    const body =
      '{"data":{"type":"customers","attributes":{"email":"a@example.com","__proto__":{"name":"x"},"constructor":1}}}';
    const answer = await post(body);
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      [
        ['unknown_attribute', '/data/attributes/__proto__'],
        ['unknown_attribute', '/data/attributes/constructor'],
      ],
    ]);
  });

  it('with a __proto__ relationship has an unknown one', async () => {
    const body =
      '{"data":{"type":"customers","attributes":{"email":"a@example.com"},"relationships":{"__proto__":{"data":null}}}}';
    expectRefusal(await post(body), 422, 'unknown_relationship', '/data/relationships/__proto__');
  });

  it.each(['\\u0000', '\\ud800'])(
    'with text that cannot be stored (%s) is refused',
    async (character) => {
      expectRefusal(
        await post(customerNamed(`a${character}b`)),
        422,
        'invalid',
        '/data/attributes/name',
      );
    },
  );

  it('with many mistakes lists the first fifty', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`x${n}`, n]));
    const answer = await post(JSON.stringify(documentOf('customers', attributes)));
    expect([answer.status, answer.body.errors?.length]).toEqual([422, 50]);
  });
});

describe('a request', () => {
  it('without a User-Agent is 400 and names the header', async () => {
    const { sandbox } = api.stack.credentials;
    const answer = await rawRequest(api.stack.baseUrl, {
      path: '/v2/customers',
      headers: { authorization: `Bearer ${sandbox.secret_key}` },
    });
    expectRefusal(answer, 400, 'missing_user_agent', 'User-Agent');
  });

  it.each([
    ['/v2/customers?filter[name]=%E0%A4%A', undefined],
    ['/v2/customers?%ZZ=1', undefined],
    ['/v2/customers/%E0%A4%A', undefined],
    ['/v2/customers/%ZZ', undefined],
  ])('with bad percent-encoding (%s) is 400', async (path, source) => {
    expectRefusal(await send({ path }), 400, 'invalid_url', source);
  });

  it.each([
    '/v2/customers/../../etc/passwd',
    '/v2/customers/..%2f..%2fetc%2fpasswd',
    '/v2//customers',
    '/v2/customers/%00',
    `/v2/customers/${'x'.repeat(201)}`,
    "/v2/customers/1'%20or%20'1'='1",
  ])('to an unknown address (%s) is 404', async (path) => {
    expectRefusal(await send({ path }), 404, 'not_found');
  });

  it.each([
    "name' or 1=1 --",
    'name);drop table customers',
    '$1',
    'constructor',
    '__proto__',
    'toString',
  ])('with an unknown field name (%s) is 400 in any parameter', async (name) => {
    const text = encodeURIComponent(name);
    for (const query of [
      `sort=${text}`,
      `include=${text}`,
      `filter[${text}]=1`,
      `fields[customers]=${text}`,
      `fields[${text}]=x`,
    ]) {
      const { status, body } = await send({ path: `/v2/customers?${query}` });
      expect([query, status]).toEqual([query, 400]);
      expect(violationsOf(body)).toEqual([]);
    }
  });

  it('with SQL as a value finds nothing', async () => {
    const path = `/v2/customers?filter[name]=${encodeURIComponent("x' or '1'='1")}`;
    const { status, body } = await send({ path });
    expect([status, body.data]).toEqual([200, []]);
  });
});

describe('a card number', () => {
  const { number } = sandboxCards[0]!;
  const groupedNumber = number.replace(/(\d{4})(?=\d)/g, '$1 ');
  const escapedNumber = [...number]
    .map((digit) => `\\u00${digit.charCodeAt(0).toString(16)}`)
    .join('');
  const percentEncoded = [...number]
    .map((digit) => `%${digit.charCodeAt(0).toString(16)}`)
    .join('');
  const toJson = (value: unknown): string => JSON.stringify(value);

  const expectRefused = async (request: RawRequest, source?: string) => {
    const answer = await send(request);
    expectRefusal(answer, 422, 'raw_card_data_forbidden', source);
    for (const secret of [number, groupedNumber, escapedNumber, percentEncoded])
      expect(answer.text).not.toContain(secret);
  };
  const expectRefusedInBody = (body: string, source: string, path = '/v2/customers') =>
    expectRefused({ method: 'POST', path, body }, source);
  const attributes = { email: 'a@example.com' };

  it.each<[title: string, body: string, where: string]>([
    [
      'a value',
      toJson(documentOf('customers', { ...attributes, name: number })),
      '/data/attributes/name',
    ],
    [
      'a value with blanks',
      toJson(documentOf('customers', { ...attributes, name: groupedNumber })),
      '/data/attributes/name',
    ],
    [
      'a value with hyphens',
      toJson(documentOf('customers', { ...attributes, name: groupedNumber.replaceAll(' ', '-') })),
      '/data/attributes/name',
    ],
    [
      'a part of a value',
      toJson(documentOf('customers', { ...attributes, description: `card ${number}, thanks` })),
      '/data/attributes/description',
    ],
    [
      'a number',
      `{"data":{"type":"customers","attributes":{"name":${number}}}}`,
      '/data/attributes/name',
    ],
    ['an escaped value', customerNamed(escapedNumber), '/data/attributes/name'],
    ['a key', toJson(documentOf('customers', { ...attributes, [number]: 1 })), '/data/attributes'],
    [
      'a member of the document',
      toJson({ meta: { note: number }, ...documentOf('customers', attributes) }),
      '/meta/note',
    ],
    ['the type', toJson({ data: { type: number } }), '/data/type'],
    [
      'an id of a relationship',
      toJson({
        data: {
          type: 'customers',
          attributes,
          relationships: { merchant: { data: { type: 'merchants', id: number } } },
        },
      }),
      '/data/relationships/merchant/data/id',
    ],
    ['a body that is no JSON', `card=${number}`, ''],
  ])('in %s is refused', (_title, body, source) => expectRefusedInBody(body, source));

  it.each(['card_number', 'cvv', 'cvc', 'pan', 'security_code', 'CVV2', 'card number'])(
    'is never accepted: a member %s is refused with any content',
    (name) =>
      expectRefusedInBody(
        toJson(documentOf('customers', { ...attributes, [name]: 'x' })),
        `/data/attributes/${name}`,
      ),
  );

  it('in the line items of a payment is refused', () =>
    expectRefusedInBody(
      toJson(
        documentOf('payment_demands', {
          ...purchase,
          line_items: [
            { quantity: 1, amount_cents: 1, amount_currency: 'USD', description: number },
          ],
        }),
      ),
      '/data/attributes/line_items/0/description',
      '/v2/payment_demands',
    ));

  it('in place of a token is refused', () =>
    expectRefusedInBody(
      toJson(
        documentOf('payment_methods', {
          card_pan_token: number,
          expiry_month: 1,
          expiry_year: 2040,
        }),
      ),
      '/data/attributes/card_pan_token',
      '/v2/payment_methods',
    ));

  it.each<[title: string, path: () => string, where: string | undefined]>([
    ['a filter', () => `/v2/customers?filter[name]=${number}`, 'filter[name]'],
    ['an escaped filter', () => `/v2/customers?filter[name]=${percentEncoded}`, 'filter[name]'],
    ['the name of a parameter', () => `/v2/customers?${number}=1`, ''],
    ['a cursor', () => `/v2/customers?page[after]=${number}`, 'page[after]'],
    ['a path', () => `/v2/customers/${number}`, undefined],
    ['an escaped path', () => `/v2/customers/${percentEncoded}`, undefined],
    [
      'an unreadable filter',
      () => `/v2/customers?filter[name]=%ff%20${percentEncoded}`,
      'filter[name]',
    ],
    ['a second query', () => `/v2/customers?filter[name]=a?${number}`, 'filter[name]'],
  ])('in %s is refused', (_title, path, source) => expectRefused({ path: path() }, source));

  it.each(['idempotency-key', 'x-request-id', 'user-agent', 'cookie', 'x-anything'])(
    'in the header %s is refused',
    (name) => expectRefused({ path: '/v2/customers', headers: { [name]: groupedNumber } }, name),
  );

  it('in an unknown address is not repeated', async () => {
    const answer = await send({ path: `/${number}` });
    expectRefusal(answer, 404, 'not_found');
    expect(answer.text).not.toContain(number);
  });

  it('in an update is refused, and the record does not change', async () => {
    const customer = await makeCustomer(api.client);
    countsBefore = await countAll();
    const body = toJson(documentOf('customers', { name: number }, {}, customer.id));
    await expectRefused(
      { method: 'PATCH', path: `/v2/customers/${customer.id}`, body },
      '/data/attributes/name',
    );
    expect(await api.client.fetch('customers', customer.id)).toEqual(customer);
  });

  it('of every sandbox card is detected', async () => {
    for (const card of sandboxCards) {
      const body = toJson(documentOf('customers', { ...attributes, name: card.number }));
      const answer = await post(body);
      expect([card.token, answer.status]).toEqual([card.token, 422]);
      expect(answer.text).not.toContain(card.number);
    }
  });
});

describe('a refused value', () => {
  const secret = 'zx81secret';
  let id: string;
  beforeAll(async () => {
    id = (await makeCustomer(api.client)).id;
  });

  it.each([
    ['an attribute', () => documentOf('customers', { email: secret })],
    [
      'an unknown attribute',
      () => documentOf('customers', { email: 'a@example.com', other: secret }),
    ],
    ['an id', () => ({ data: { type: 'customers', id: secret } })],
    [
      'a relationship',
      () => ({
        data: {
          type: 'customers',
          attributes: { email: 'a@example.com' },
          relationships: { merchant: { data: { type: secret, id: secret } } },
        },
      }),
    ],
    ['a text that is no JSON', () => `{"${secret}`],
  ])('in %s is not repeated', async (_title, body) => {
    for (const [method, path] of [
      ['POST', '/v2/customers'],
      ['PATCH', `/v2/customers/${id}`],
    ] as const) {
      const content = body();
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      const answer = await send({ method, path, body: text });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain(secret);
    }
  });

  it.each([
    `/v2/customers?filter[created_at]=${secret}`,
    `/v2/customers?page[size]=${secret}`,
    `/v2/customers?page[after]=${secret}`,
    `/v2/customers/${secret}`,
  ])('in %s is not repeated', async (path) => {
    const answer = await send({ path });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain(secret);
  });
});

describe('an unknown name', () => {
  it('is reported, for a type and in an address', async () => {
    const body = JSON.stringify({ data: { type: 'custmers' } });
    const typeAnswer = await send({ method: 'POST', path: '/v2/customers', body });
    const answer = await send({ path: '/v2/custmers' });
    for (const { status, text } of [typeAnswer, answer]) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text).toContain('custmers');
    }
  });
});

describe('unknown parameters', () => {
  it.each(Object.keys(resources))('of the list of %s are refused', async (type) => {
    expectRefusal(await send({ path: `/v2/${type}?limit=5` }), 400, 'unknown_parameter', 'limit');
  });
});
